// Resolves what the user names to a folder of evidence: a path, a run id, or the attempt of the environment.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { isRunId } from '@zee/core/ids'
import { namesAttempt } from '@zee/evidence/attempt'
import * as layout from '@zee/evidence/layout'
import type { AttemptLocation } from '@zee/evidence/report'
import { attemptNames, findTarget, type Target } from '@zee/evidence/runs'
import { outRootFor } from '../config/config.ts'
import { zclError } from '../errors/errors.ts'

export type AttemptTarget = Extract<Target, { kind: 'attempt' }>
export type KnownTarget = Exclude<Target, { kind: 'unknown' }>

/** The folder that a path or run id names. It may not exist or not hold evidence. */
export async function resolveFolder(argument: string, host: Host): Promise<string> {
  const folder = path.resolve(host.cwd, argument)
  if (existsSync(folder) || !isRunId(argument)) return folder
  const { absolute } = await outRootFor(host, undefined)
  return layout.runFolder(absolute, argument)
}

/** The run or attempt that a path or run id names. Throws a usage error for anything else. */
export async function resolveTarget(argument: string, host: Host): Promise<KnownTarget> {
  const target = findTarget(await resolveFolder(argument, host))
  if (target.kind !== 'unknown') return target
  throw zclError('ZCL_E_USAGE', `${argument} is neither an attempt nor a run`)
}

/** The named attempt, or the attempt of the environment when none is named. */
export async function resolveAttempt(
  argument: string | undefined,
  host: Host,
): Promise<AttemptTarget> {
  if (argument === undefined && !namesAttempt(host.env)) {
    throw zclError('ZCL_E_USAGE', 'name the folder of an attempt, or set ZCL_OUT_DIR')
  }
  const name = argument ?? host.env.ZCL_OUT_DIR ?? ''
  const target = await resolveTarget(name, host)
  if (target.kind === 'attempt') return target
  throw zclError('ZCL_E_USAGE', `${name} is a run, not an attempt`)
}

/** The attempt itself, or every attempt of the run in index order. */
export function attemptLocations(target: KnownTarget): AttemptLocation[] {
  if (target.kind === 'attempt') return [target]
  const { folder: runFolder } = target
  return attemptNames(runFolder).map((name) => ({
    folder: path.join(layout.attemptsFolder(runFolder), name),
    name,
    runFolder,
  }))
}
