// Resolves what the user names to a folder of evidence: a path, a run or attempt id or a unique prefix
// of one, `latest`, or the attempt of the environment.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { isRunId } from '@zee/core/ids'
import { namesAttempt } from '@zee/evidence/attempt'
import * as layout from '@zee/evidence/layout'
import { isAnswer, readOutcome } from '@zee/evidence/outcome'
import type { AttemptLocation } from '@zee/evidence/report'
import {
  isBeingImported,
  attemptNames,
  findTarget,
  newestAttempt,
  runFolders,
} from '@zee/evidence/runs'
import type { Target } from '@zee/evidence/runs'
import { outRootFor } from '../config/config.ts'
import { zclError } from '../errors/errors.ts'

export type AttemptTarget = Extract<Target, { kind: 'attempt' }>
type RunTarget = Extract<Target, { kind: 'run' }>
export type KnownTarget = Exclude<Target, { kind: 'unknown' }>

/**
 * What a command works on: `latest` is the newest run, or its newest attempt. An original is an attempt; a fork
 * of it has the same id, and is taken only if nothing else fits.
 */
type Wanted = 'run' | 'attempt' | 'original' | 'either'

/** The folder that an argument names, as an id below `outRoot`. It may not exist or not hold evidence. */
export async function resolveFolder(
  argument: string | undefined,
  host: Host,
  wanted: Wanted = 'either',
  outRoot?: string,
): Promise<string> {
  const folder = await namedFolder(argument, host, wanted, outRoot)
  if (!isBeingImported(layout.runFolderOfAttempt(folder) ?? folder)) return folder
  const name = shownName(argument, host)
  const message = `${name} is an import that has not ended: run the import again`
  throw zclError('ZCL_E_MISSING_ARTIFACT', message)
}

async function namedFolder(
  argument: string | undefined,
  host: Host,
  wanted: Wanted,
  outRoot: string | undefined,
): Promise<string> {
  const name = shownName(argument, host)
  const folder = path.resolve(host.cwd, name)
  if (existsSync(folder) || /[/\\]/.test(name)) return folder
  const { absolute } = await outRootFor(host, outRoot)
  if (name === 'latest') return latestFolder(absolute, wanted)
  if (isRunId(name)) return layout.runFolder(absolute, name)
  const all = foldersByPrefix(absolute, name, wanted)
  const originals = wanted === 'original' ? all.filter((each) => !isFork(each)) : []
  const found = originals.length > 0 ? originals : all
  if (found.length > 1) throw ambiguous(name, found)
  return found[0] ?? folder
}

/** The run or attempt that an argument names. Throws a usage error for anything else. */
export async function resolveTarget(
  argument: string | undefined,
  host: Host,
  wanted: Wanted = 'either',
  outRoot?: string,
): Promise<KnownTarget> {
  const target = findTarget(await resolveFolder(argument, host, wanted, outRoot))
  if (target.kind !== 'unknown') return target
  const name = shownName(argument, host)
  throw zclError('ZCL_E_USAGE', `${name} is neither an attempt nor a run`)
}

/** The named attempt, or the attempt of the environment when none is named. */
export async function resolveAttempt(
  argument: string | undefined,
  host: Host,
  wanted: 'attempt' | 'original' = 'attempt',
): Promise<AttemptTarget> {
  const target = await resolveTarget(argument, host, wanted)
  if (target.kind === 'attempt') return target
  const name = shownName(argument, host)
  throw zclError('ZCL_E_USAGE', `${name} is a run, not an attempt`)
}

/** The named run. */
export async function resolveRun(
  argument: string,
  host: Host,
  outRoot?: string,
): Promise<RunTarget> {
  const target = await resolveTarget(argument, host, 'run', outRoot)
  if (target.kind === 'run') return target
  throw zclError('ZCL_E_USAGE', `${argument} is an attempt, not a run`)
}

/** The attempt itself, or every attempt of the run in index order. */
function attemptLocations(target: KnownTarget): AttemptLocation[] {
  if (target.kind === 'attempt') return [target]
  const { folder: runFolder } = target
  return attemptNames(runFolder).map((name) => ({
    folder: path.join(layout.attemptsFolder(runFolder), name),
    name,
    runFolder,
  }))
}

/** The attempt itself, or the attempts of the run that the lab did not judge as infra or abandoned. */
export function countedLocations(target: KnownTarget): AttemptLocation[] {
  const locations = attemptLocations(target)
  if (target.kind === 'attempt') return locations
  return locations.filter(({ folder }) => {
    const outcome = readOutcome({ path: folder, within: folder })?.outcome
    return outcome === undefined || isAnswer(outcome)
  })
}

/** The argument as typed, or the folder of the environment. */
export function shownName(argument: string | undefined, host: Host): string {
  return argument ?? nameFromEnvironment(host)
}

function nameFromEnvironment(host: Host): string {
  if (namesAttempt(host.env)) return host.env.ZCL_OUT_DIR ?? ''
  const ways = 'an id, a unique prefix of one, a folder, or latest'
  throw zclError('ZCL_E_USAGE', `name an attempt or a run (${ways}), or set ZCL_OUT_DIR`)
}

function latestFolder(outRoot: string, wanted: Wanted): string {
  for (const run of runFolders(outRoot)) {
    const folder = wantsAttempt(wanted) ? newestAttempt(run) : run.path
    if (folder !== undefined && !(wanted === 'original' && isFork(folder))) return folder
  }
  throw zclError('ZCL_E_USAGE', `there is no ${wantsAttempt(wanted) ? 'attempt' : 'run'} yet`)
}

function wantsAttempt(wanted: Wanted): boolean {
  return wanted === 'attempt' || wanted === 'original'
}

function isFork(folder: string): boolean {
  return existsSync(path.join(folder, layout.labArtifactName.fork))
}

/** Runs and attempts whose id starts with `prefix`; an attempt whose id equals it wins. */
function foldersByPrefix(outRoot: string, prefix: string, wanted: Wanted): string[] {
  if (!/^[0-9][0-9a-zA-Z-]*$/.test(prefix)) return []
  const runs = runFolders(outRoot).map((run) => run.path)
  const matchingRuns = wantsAttempt(wanted)
    ? []
    : runs.filter((run) => path.basename(run).startsWith(prefix))
  if (wanted === 'run') return matchingRuns
  const attempts = runs.flatMap((run) =>
    attemptNames(run)
      .filter((name) => name.startsWith(prefix))
      .map((name) => path.join(layout.attemptsFolder(run), name)),
  )
  const exact = attempts.filter((folder) => path.basename(folder) === prefix)
  return exact.length > 0 ? exact : [...matchingRuns, ...attempts]
}

const maxNamed = 5

function ambiguous(prefix: string, folders: readonly string[]): Error {
  const names = folders.slice(0, maxNamed).map((folder) => {
    const run = layout.runFolderOfAttempt(folder)
    const name = path.basename(folder)
    return run === undefined ? name : `${name} (run ${path.basename(run)})`
  })
  const rest = folders.length > maxNamed ? `, and ${folders.length - maxNamed} more` : ''
  const message = `'${prefix}' fits ${folders.length}: ${names.join(', ')}${rest}`
  return zclError('ZCL_E_USAGE', `${message}; name more of the id, or the folder`)
}
