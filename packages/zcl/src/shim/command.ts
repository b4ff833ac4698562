// `zcl shim install`: writes the wrappers and prints how to set PATH.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { shellQuoted } from '@zee/evidence/attempt'
import { traceEvents } from '@zee/evidence/events'
import type { Launcher } from '../programs/programs.ts'
import { printJson, printLines } from '../output/output.ts'
import { ignoredPatterns } from '../ignored/ignored.ts'
import { resolveAttempt } from '../attempts/attempts.ts'
import { zclError } from '../errors/errors.ts'
import { installShims, isUsableName } from './shim.ts'

export interface ShimOptions {
  dir: string
  attempt: string | undefined
  ignoreArgv: readonly string[]
  ignorePreset: readonly string[]
  /** The attempt whose trace answers the calls. */
  serveTrace: string | undefined
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
  const serveTrace =
    options.serveTrace === undefined
      ? undefined
      : (await resolveAttempt(options.serveTrace, host)).folder
  const wanted = tools.length === 0 && serveTrace !== undefined ? toolsIn(serveTrace) : tools
  const names = await installShims(folder, await wanted, launcher, {
    attempt: attempt === undefined ? undefined : path.resolve(host.cwd, attempt),
    ignoreArgv: ignoredPatterns(ignorePreset, ignoreArgv),
    serveTrace,
  })
  const shims = names.map((tool) => ({ tool, path: path.join(folder, tool) }))
  const setPath = `export PATH=${shellQuoted(folder)}:"$PATH"`
  if (options.json) printJson(host, { ok: true, dir: folder, shims, setPath })
  else printLines(host, [...shims.map((shim) => shim.path), '', setPath])
  return 0
}

/** The names of the commands that a trace holds. */
async function toolsIn(folder: string): Promise<string[]> {
  const names = new Set<string>()
  for await (const { tool, input } of traceEvents(folder)) {
    const first: unknown = Array.isArray(input.argv) ? input.argv[0] : undefined
    if (tool === 'cli' && typeof first === 'string' && isUsableName(first)) names.add(first)
  }
  if (names.size > 0) return [...names].sort()
  throw zclError('ZCL_E_MISSING_EVIDENCE', `${folder}: its trace holds no command`)
}
