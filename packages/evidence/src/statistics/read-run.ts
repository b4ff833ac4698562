// Reads a run for statistics: the facts of each attempt, computed from its evidence like a report.
// Writes nothing.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { readJsonArtifact } from '../artifact/artifact.ts'
import { attemptsFolder, labArtifactName, parseAttemptId } from '../layout/layout.ts'
import { makeReport, readRunBackground } from '../report/report.ts'
import type { ReportOptions, RunBackground } from '../report/report.ts'
import type { ReportFile, TokenEstimates } from '../schema/schema.ts'
import { attemptNames, supersededTries } from '../runs/runs.ts'
import { ContentHashes } from './content-hash.ts'
import { judgeAttempt, judgeUnreadable } from '../judgement/judgement.ts'
import type { JudgedOutcome, Judgement } from '../judgement/judgement.ts'

export interface AttemptFacts {
  runId: string
  suiteId: string
  missionId: string
  contentHash: string
  attemptId: string
  outcome: JudgedOutcome
  infraCode?: string | undefined
  startedAt?: string | undefined
  endedAt?: string | undefined
  toolCalls: number
  failures: number
  wallTimeMs: number
  /** Sum of stdout and stderr. */
  bytes: number
  /** Absent if the evidence has no token count. */
  tokens?: number | undefined
  tokenSource?: TokenEstimates['source'] | undefined
  /** Absent if the model or its price is unknown. */
  costUsd?: number | undefined
  /** A failure that claims success without a recorded action. */
  unproven?: boolean | undefined
}

export interface RunFacts {
  runId: string
  suiteId: string
  createdAt?: string | undefined
  pinned: boolean
  /** Hash of the settings of the suite run; absent for runs that the lab did not make. */
  comparabilityKey?: string | undefined
  attempts: AttemptFacts[]
}

export interface ReadAttempt {
  facts: AttemptFacts
  /** Absent if the attempt cannot be read. */
  report?: ReportFile
  /** Another try of the same planned attempt counts. */
  isSuperseded: boolean
}

export interface ReadOptions {
  costOf?: ReportOptions['costOf']
  onAttempt?: (done: number, total: number) => void
}

/** Reports need a time, but the facts do not depend on it. */
const fixedTime = '1970-01-01T00:00:00.000Z'

/** Reads all attempts of a run without superseded tries; `runFolder` is a real path. */
export function readRunFacts(runFolder: string, options: ReadOptions = {}): RunFacts {
  const run = openRun(runFolder)
  const attempts: AttemptFacts[] = []
  for (const { facts, isSuperseded } of run.attempts(options)) {
    if (!isSuperseded) attempts.push(facts)
  }
  return { ...run.facts, attempts }
}

export interface OpenRun {
  facts: Omit<RunFacts, 'attempts'>
  /** The attempts by index, read one at a time. */
  attempts(options?: ReadOptions): Generator<ReadAttempt>
}

/** Reads the facts of the run; its attempts are read lazily. */
export function openRun(runFolder: string): OpenRun {
  const background = readRunBackground(runFolder)
  const { run, suite } = background
  const facts = {
    runId: run?.runId ?? path.basename(runFolder),
    suiteId: run?.suiteId ?? '',
    createdAt: run?.createdAt,
    pinned: run?.pinned === true,
    comparabilityKey: comparabilityKeyOf(runFolder),
  }
  const hashes = new ContentHashes(suite)
  const attempts = function* ({ onAttempt, costOf }: ReadOptions = {}): Generator<ReadAttempt> {
    const names = attemptNames(runFolder)
    const superseded = supersededTries(runFolder, names)
    for (const [done, name] of names.entries()) {
      const read =
        readAttempt(runFolder, name, background, hashes, costOf) ??
        unreadableAttempt(runFolder, name, facts, hashes)
      if (read !== undefined) yield { ...read, isSuperseded: superseded.has(name) }
      onAttempt?.(done + 1, names.length)
    }
  }
  return { facts, attempts }
}

/** The hash of the settings that the lab stores with the run. */
function comparabilityKeyOf(runFolder: string): string | undefined {
  for (const name of [labArtifactName.runSummary, labArtifactName.runPlan]) {
    const read = readJsonArtifact({ path: runFolder, within: runFolder }, name)
    const key = read.failure === undefined ? read.value.comparabilityKey : undefined
    if (typeof key === 'string') return key
  }
  return undefined
}

/** Undefined if the folder is not an attempt, or if its evidence is refused. */
function readAttempt(
  runFolder: string,
  name: string,
  background: RunBackground,
  hashes: ContentHashes,
  costOf: ReportOptions['costOf'],
): Omit<ReadAttempt, 'isSuperseded'> | undefined {
  const folder = path.join(attemptsFolder(runFolder), name)
  const settings = { strictness: 'lenient', computedAt: fixedTime, costOf } as const
  try {
    const { report } = makeReport({ folder, name, runFolder }, background, settings)
    if (report.startedAt === undefined && parseAttemptId(name) === undefined) return undefined
    const from = { path: folder, within: runFolder }
    const contentHash = hashes.of(report.missionId, from)
    return { facts: factsOf(report, name, contentHash, judgeAttempt(report, from)), report }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code === 'ZCL_E_IO') throw error
    return undefined
  }
}

function factsOf(
  report: ReportFile,
  attemptId: string,
  contentHash: string,
  judgement: Judgement,
): AttemptFacts {
  const { metrics, tokenEstimates: tokens } = report
  const total = tokens?.totalTokens ?? sumIfBoth(tokens?.inputTokens, tokens?.outputTokens)
  return {
    runId: report.runId,
    suiteId: report.suiteId,
    missionId: report.missionId,
    contentHash,
    attemptId,
    ...judgement,
    startedAt: report.startedAt,
    endedAt: report.endedAt,
    toolCalls: metrics.toolCallsTotal,
    failures: metrics.failuresTotal,
    wallTimeMs: metrics.wallTimeMs,
    bytes: metrics.outBytesTotal + metrics.errBytesTotal,
    tokens: total,
    tokenSource: total === undefined ? undefined : tokens?.source,
    costUsd: tokens?.costUsd,
  }
}

function sumIfBoth(input: number | undefined, output: number | undefined): number | undefined {
  return input === undefined || output === undefined ? undefined : input + output
}

/** An unreadable attempt of the mission in its name. Only a judgement of the lab is its outcome. */
function unreadableAttempt(
  runFolder: string,
  name: string,
  run: OpenRun['facts'],
  hashes: ContentHashes,
): Omit<ReadAttempt, 'isSuperseded'> | undefined {
  const parts = parseAttemptId(name)
  if (parts === undefined) return undefined
  const { runId, suiteId } = run
  const { missionId } = parts
  const ids = { runId, suiteId, missionId, attemptId: name }
  const from = { path: path.join(attemptsFolder(runFolder), name), within: runFolder }
  return {
    facts: {
      ...ids,
      contentHash: hashes.of(missionId, from),
      ...judgeUnreadable(from),
      toolCalls: 0,
      failures: 0,
      wallTimeMs: 0,
      bytes: 0,
    },
  }
}
