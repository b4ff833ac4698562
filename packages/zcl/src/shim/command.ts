// `zcl shim install`: writes the wrappers and prints how to set PATH.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { shellQuoted } from '@zee/evidence/attempt'
import type { Launcher } from '../programs/programs.ts'
import { printJson, printLines } from '../output/output.ts'
import { ignoredPatterns } from '../ignored/ignored.ts'
import { installShims } from './shim.ts'

export interface ShimOptions {
  dir: string
  attempt: string | undefined
  ignoreArgv: readonly string[]
  ignorePreset: readonly string[]
  json: boolean
}

export async function runShimInstall(
  tools: readonly string[],
  options: ShimOptions,
  host: Host,
  launcher: Launcher,
): Promise<number> {
  const folder = path.resolve(host.cwd, options.dir)
  const { attempt, ignoreArgv, ignorePreset } = options
  const names = await installShims(folder, tools, launcher, {
    attempt: attempt === undefined ? undefined : path.resolve(host.cwd, attempt),
    ignoreArgv: ignoredPatterns(ignorePreset, ignoreArgv),
  })
  const shims = names.map((tool) => ({ tool, path: path.join(folder, tool) }))
  const setPath = `export PATH=${shellQuoted(folder)}:"$PATH"`
  if (options.json) printJson(host, { ok: true, dir: folder, shims, setPath })
  else printLines(host, [...shims.map((shim) => shim.path), '', setPath])
  return 0
}
