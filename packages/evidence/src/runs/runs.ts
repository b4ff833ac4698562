// Lists the runs and attempts of an output root, one attempt in memory at a time. Links are
// skipped.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isRunId } from '@zee/core/ids'
import { listFolder, validArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { hasAction } from '../events/events.ts'
import { asText } from '../json/json.ts'
import { artifactName, attemptsFolder, parseAttemptId, runsFolder } from '../layout/layout.ts'
import { readOutcome, type Outcome } from '../outcome/outcome.ts'
import { findMission, normaliseSuite, type Suite } from '../suite/suite.ts'
import { isBeingImported } from './import-mark.ts'
import { supersededTries } from './superseded.ts'

export { importMarkName, isBeingImported } from './import-mark.ts'
export { ensureRun, startAttempt } from './start.ts'
export type { StartedAttempt } from './start.ts'
export { supersededTries } from './superseded.ts'
export { findTarget } from './target.ts'
export type { Target } from './target.ts'
export { isWorkedOn, leaseHolders } from './workers.ts'

export type AttemptStatus = 'ok' | 'fail' | 'missing_feedback'

export interface StoredAttempt {
  attemptId: string
  runId: string
  suiteId: string
  missionId: string
  status: AttemptStatus
  /** The judgement of the lab, for attempts of the lab. */
  outcome: Outcome | undefined
  /** It claims success without a recorded action. */
  unproven: true | undefined
  /** Another try of the same planned attempt counts. */
  isSuperseded: boolean
  mode: string
  startedAt: string
  agentId: string | undefined
  /** Absolute. */
  folder: string
  tags: readonly string[]
}

/** The run folders of an output root, newest first, without unfinished imports. */
export function runFolders(outRoot: string): EvidenceFolder[] {
  const runs = runsFolder(outRoot)
  const folders = (listFolder(runs) ?? [])
    .filter((entry) => entry.isDirectory() && isRunId(entry.name))
    .map(({ name }) => path.join(runs, name))
    .filter((folder) => !isBeingImported(folder))
    .reverse()
    .map((folder) => ({ path: folder, within: folder }))
  // An id has the second of the start and random digits.
  const secondOf = (run: EvidenceFolder) => path.basename(run.path).split('-', 2).join('-')
  const seconds = new Map<string, EvidenceFolder[]>()
  for (const run of folders) {
    const others = seconds.get(secondOf(run))
    if (others === undefined) seconds.set(secondOf(run), [run])
    else others.push(run)
  }
  return [...seconds.values()].flatMap((runs) => (runs.length === 1 ? runs : newestFirst(runs)))
}

function newestFirst(runs: readonly EvidenceFolder[]): EvidenceFolder[] {
  const dated = runs.map((run) => ({
    run,
    at: asText(validArtifact(run, artifactName.run)?.createdAt),
  }))
  return dated.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1)).map(({ run }) => run)
}

/** The folder of the attempt that started last; of equal times, the one with the highest index. */
export function newestAttempt(run: EvidenceFolder): string | undefined {
  let newest: { folder: string; startedAt: string } | undefined
  for (const name of attemptNames(run.path)) {
    const folder = path.join(attemptsFolder(run.path), name)
    const file = validArtifact({ path: folder, within: run.path }, artifactName.attempt)
    const startedAt = asText(file?.startedAt)
    if (newest === undefined || startedAt >= newest.startedAt) newest = { folder, startedAt }
  }
  return newest?.folder
}

/** Every attempt of an output root, newest first. */
export function* storedAttempts(outRoot: string): Generator<StoredAttempt> {
  for (const run of runFolders(outRoot)) yield* attemptsOf(run)
}

/** The attempts of a run, highest index first. */
export function* attemptsOf(run: EvidenceFolder): Generator<StoredAttempt> {
  const suite = readSuite(run)
  const names = attemptNames(run.path)
  const superseded = supersededTries(run.path, names)
  for (const name of names.reverse()) {
    const folder = path.join(attemptsFolder(run.path), name)
    const attempt = readAttempt({ path: folder, within: run.path }, run, name, suite)
    if (attempt !== undefined) yield { ...attempt, isSuperseded: superseded.has(name) }
  }
}

/** Names of the attempts of a run, sorted by index; links are skipped. */
export function attemptNames(runFolder: string): string[] {
  const indexOf = (name: string) => parseAttemptId(name)?.index ?? Number.MAX_SAFE_INTEGER
  const folder = attemptsFolder(runFolder)
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return (listFolder(folder) ?? [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => indexOf(a) - indexOf(b) || (a < b ? -1 : 1))
}

export function statusOf(from: EvidenceFolder): AttemptStatus {
  const feedback = validArtifact(from, artifactName.feedback)
  if (feedback === undefined) return 'missing_feedback'
  return feedback.ok === true ? 'ok' : 'fail'
}

function readAttempt(
  from: EvidenceFolder,
  run: EvidenceFolder,
  name: string,
  suite: Suite | undefined,
): Omit<StoredAttempt, 'isSuperseded'> | undefined {
  const file = validArtifact(from, artifactName.attempt)
  if (file === undefined) return undefined
  const missionId = asText(file.missionId)
  const status = statusOf(from)
  const judged = readOutcome(from)
  const isClaimed = status === 'ok' && judged === undefined && file.allowUnproven !== true
  const isUnproven = judged?.code === 'ZCL_E_UNPROVEN' || (isClaimed && lacksAction(from))
  return {
    attemptId: name,
    runId: path.basename(run.path),
    suiteId: asText(file.suiteId),
    missionId,
    status,
    outcome: judged?.outcome,
    unproven: isUnproven ? true : undefined,
    mode: asText(file.mode),
    startedAt: asText(file.startedAt),
    agentId: typeof file.agentId === 'string' ? file.agentId : undefined,
    folder: from.path,
    tags: findMission(suite, missionId)?.tags ?? [],
  }
}

function lacksAction(from: EvidenceFolder): boolean {
  try {
    return !hasAction(from)
  } catch {
    // A trace that cannot be read must not end the list.
    return false
  }
}

function readSuite(run: EvidenceFolder): Suite | undefined {
  const file = validArtifact(run, artifactName.suite)
  if (file === undefined) return undefined
  try {
    return normaliseSuite(file, artifactName.suite)
  } catch {
    return undefined
  }
}
