// Makes wrappers of tools: a folder to put first on PATH, so that an agent types the bare name of a
// tool and the call is traced.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { ensureFolder } from '@zee/core/folders'
import { shellQuoted } from '@zee/evidence/attempt'
import type { Launcher } from '../programs/programs.ts'
import { zclError } from '../errors/errors.ts'

const mark = '# Made by zcl shim install: calls this tool through zcl run.'

/** Makes the wrappers and says for which tools; nothing is written when one of them cannot be. */
export async function installShims(
  folder: string,
  tools: readonly string[],
  launcher: Launcher,
): Promise<string[]> {
  const names = [...new Set(tools)]
  for (const tool of names) refuseUnusable(tool, folder)
  ensureFolder(folder)
  for (const tool of names) {
    const script = wrapper(tool, folder, launcher)
    await writeFileAtomic(path.join(folder, tool), script, { mode: 0o755 })
  }
  return names
}

/** A name that no wrapper can have is an error before anything starts. */
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
  if (existsSync(file) && !readFileSync(file, 'utf8').includes(mark)) {
    throw zclError('ZCL_E_SHIM', `${file} is there and was not made by zcl; it is left as it is`)
  }
}

/** Takes its own folder off PATH first, so that the tool behind it is found and nothing recurses. */
function wrapper(tool: string, folder: string, launcher: Launcher): string {
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
exec ${shellQuoted(launcher.node)} ${shellQuoted(launcher.script)} run -- ${shellQuoted(tool)} "$@"
`
}
