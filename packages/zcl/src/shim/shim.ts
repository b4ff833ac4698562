// Writes wrapper scripts for tools. With their folder first on PATH, calls by the bare name are traced.
import { existsSync, promises } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { ensureDurableFolder } from '@zee/core/folders'
import { shellQuoted } from '@zee/evidence/attempt'
import type { Launcher } from '../programs/programs.ts'
import { zclError } from '../errors/errors.ts'

const mark = '# Made by zcl shim install: calls this tool through zcl run.'

export interface ShimSettings {
  /** Record into this attempt, whatever the environment says. */
  attempt?: string | undefined
  /** Calls whose command line matches are counted apart. */
  ignoreArgv?: readonly string[]
  /** Answer calls from the trace of this attempt. */
  serveTrace?: string | undefined
}

/** Beside the wrappers: which recorded answers they have given. */
const servedFile = '.zcl-served.jsonl'

/** Writes the wrappers and returns the tool names without duplicates. Writes nothing if one is refused. */
export async function installShims(
  folder: string,
  tools: readonly string[],
  launcher: Launcher,
  options: ShimSettings = {},
): Promise<string[]> {
  const names = [...new Set(tools)]
  for (const tool of names) refuseUnusable(tool, folder)
  ensureDurableFolder(folder)
  // New wrappers answer from the beginning of the trace.
  await promises.rm(path.join(folder, servedFile), { force: true })
  for (const tool of names) {
    const script = wrapper(tool, folder, launcher, options)
    await writeFileAtomic(path.join(folder, tool), script, { mode: 0o755 })
  }
  return names
}

/** Throws for a name that no wrapper can have. */
export function refuseUnusableName(tool: string): void {
  if (isUsableName(tool)) return
  const callsItself = tool === 'zcl' || tool === 'node'
  const why = callsItself
    ? `a wrapper for ${tool} would call itself`
    : `'${tool}' is not the bare name of a tool`
  throw zclError('ZCL_E_SHIM', why)
}

export function isUsableName(tool: string): boolean {
  if (tool === 'zcl' || tool === 'node') return false
  return /^[A-Za-z0-9_.+@-]+$/.test(tool) && !/^\.+$/.test(tool) && !tool.startsWith('-')
}

function refuseUnusable(tool: string, folder: string): void {
  refuseUnusableName(tool)
  const file = path.join(folder, tool)
  if (existsSync(file) && !readBoundedText(file).includes(mark)) {
    throw zclError(
      'ZCL_E_SHIM',
      `${file} exists and was not written by zcl; remove it or choose another folder`,
    )
  }
}

/** The script removes its own folder from PATH first, so that it finds the real tool and never recurses. */
function wrapper(
  tool: string,
  folder: string,
  launcher: Launcher,
  { attempt, ignoreArgv = [], serveTrace }: ShimSettings,
): string {
  const flags = [
    ...(attempt === undefined ? [] : ['--attempt', attempt]),
    ...ignoreArgv.flatMap((pattern) => ['--ignore-argv', pattern]),
    ...(serveTrace === undefined
      ? []
      : ['--serve-trace', serveTrace, '--serve-state', path.join(folder, servedFile)]),
  ]
  const run = [launcher.node, launcher.script, 'run', ...flags, '--', tool]
  return `#!/bin/sh
${mark}
zcl_path=
IFS=:
set -f
for zcl_folder in $PATH; do
  [ "\${zcl_folder:-.}" -ef ${shellQuoted(folder)} ] ||
    zcl_path=\${zcl_path:+$zcl_path:}\${zcl_folder:-.}
done
PATH=$zcl_path
export PATH
unset IFS zcl_path zcl_folder
exec ${run.map(shellQuoted).join(' ')} "$@"
`
}
