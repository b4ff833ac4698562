// Writes the report of an attempt, or the reports of a run and all its attempts. Writing overlaps
// with reading the next attempts; a bounded batch of reports is flushed together.
import path from 'node:path'
import { AtomicBatch } from '@zee/core/atomic-batch'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { ZeeError } from '@zee/core/errors'
import { artifactText, isFolder, listedFolder, refuseLink } from '../artifact/artifact.ts'
import { evidenceError, type ErrorCode } from '../errors/errors.ts'
import { asText } from '../json/json.ts'
import { artifactName, attemptsFolder, attemptsFolderName } from '../layout/layout.ts'
import { readOutcome, type Outcome } from '../outcome/outcome.ts'
import { makeReport, readRunBackground } from './make-report.ts'
import type { AttemptLocation, AttemptReport, ReportOptions } from './make-report.ts'
import { runEntry, RunReportPass, type RunEntry } from './run.ts'
import type { RunReportFile } from '../schema/schema.ts'
import { attemptNames, supersededTries } from '../runs/runs.ts'

export { makeReport, readRunBackground } from './make-report.ts'
export type {
  AttemptLocation,
  AttemptReport,
  ReportOptions,
  RunBackground,
  RunnerUsage,
} from './make-report.ts'

export interface RefusedAttempt {
  attemptId: string
  code: ErrorCode
  message: string
}

export interface RunReports {
  report: RunReportFile
  /** Attempts refused in strict mode; if there are any, no run report is written. */
  refused: RefusedAttempt[]
}

export interface RunReportOptions extends ReportOptions {
  onAttempt?: (done: number, total: number) => void
  /** Takes attempts of the queue in another thread, and resolves when the queue is empty. */
  helper?: ((queue: AttemptQueue) => Promise<ReportedAttempts>) | undefined
}

/** The attempts of a run, which several threads take one by one. */
export interface AttemptQueue {
  runFolder: string
  names: readonly string[]
  superseded: ReadonlySet<string>
  /** The index of the next attempt, in shared memory. */
  next: Int32Array
}

/** Attempts of the queue by name: plain data, which threads can send. */
export type ReportedAttempts = ReadonlyMap<string, RunEntry | RefusedAttempt>

/** Writes and returns the report of an attempt. */
export async function reportAttempt(
  location: AttemptLocation,
  options: ReportOptions,
): Promise<AttemptReport> {
  const made = makeReport(location, readRunBackground(location.runFolder), options)
  refuseLink(location.folder, artifactName.report)
  await writeFileAtomic(path.join(location.folder, artifactName.report), artifactText(made.report))
  return made
}

/** Writes the reports of every attempt of a run and of the run itself. */
export async function reportRun(runFolder: string, options: RunReportOptions): Promise<RunReports> {
  const reports = await makeReports(runFolder, options, reportQueued)
  if (reports.refused.length === 0) {
    refuseLink(runFolder, artifactName.runReport)
    const text = artifactText(reports.report)
    await writeFileAtomic(path.join(runFolder, artifactName.runReport), text)
  }
  return reports
}

/** The same reports, without writing them. */
export async function readRun(runFolder: string, options: RunReportOptions): Promise<RunReports> {
  return makeReports(runFolder, options, readQueued)
}

/** Writes reports of attempts until the queue is empty. */
export async function reportQueued(
  queue: AttemptQueue,
  options: RunReportOptions,
): Promise<ReportedAttempts> {
  const batch = new AtomicBatch()
  const done = await takeQueued(queue, options, (folder, { report, names }) => {
    if (names.has(artifactName.report)) refuseLink(folder, artifactName.report)
    return batch.write(path.join(folder, artifactName.report), artifactText(report), [...names])
  })
  await batch.finish()
  return done
}

/** The same, without writing the reports. */
export async function readQueued(
  queue: AttemptQueue,
  options: RunReportOptions,
): Promise<ReportedAttempts> {
  return takeQueued(queue, options, async () => {})
}

async function makeReports(
  runFolder: string,
  options: RunReportOptions,
  report: typeof reportQueued,
): Promise<RunReports> {
  if (options.strictness === 'strict' && !isFolder(attemptsFolder(runFolder))) {
    throw evidenceError('ZCL_E_MISSING_ARTIFACT', `${attemptsFolderName} is not there`)
  }
  const names = attemptNames(runFolder)
  const superseded = supersededTries(runFolder, names)
  const queue = { runFolder, names, superseded, next: queueStart() }
  const helped = options.helper?.(queue)
  const own = await report(queue, options).finally(() => Atomics.store(queue.next, 0, names.length))
  const results = new Map([...own, ...((await helped) ?? [])])
  // A thread that fails does not answer for the attempts that it took.
  const left = names.filter((name) => !results.has(name))
  const rest = await report({ ...queue, names: left, next: queueStart() }, options)
  const pass = new RunReportPass()
  const refused: RefusedAttempt[] = []
  for (const name of names) {
    const result = results.get(name) ?? rest.get(name)
    if (result !== undefined && 'line' in result) pass.add(result)
    else if (result !== undefined) refused.push(result)
  }
  const { run } = readRunBackground(runFolder)
  const runId = asText(run?.runId) || path.basename(runFolder)
  return { report: pass.report(runId, asText(run?.suiteId)), refused }
}

function queueStart(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

async function takeQueued(
  { runFolder, names, superseded, next }: AttemptQueue,
  options: RunReportOptions,
  use: (folder: string, made: AttemptReport) => Promise<void>,
): Promise<ReportedAttempts> {
  const background = readRunBackground(runFolder)
  const results = new Map<string, RunEntry | RefusedAttempt>()
  for (;;) {
    const index = Atomics.add(next, 0, 1)
    const name = names[index]
    if (name === undefined) return results
    const folder = path.join(attemptsFolder(runFolder), name)
    const listed = listedFolder(folder, runFolder)
    const outcome = readOutcome(listed)?.outcome
    const state = uncountedState(outcome, superseded.has(name))
    const settings = state === undefined ? options : { ...options, strictness: 'lenient' as const }
    const made = reportOrRefusal({ folder, name, runFolder, listed }, background, settings)
    if (made instanceof ZeeError) {
      const { code, message } = made
      results.set(name, { attemptId: name, code: code as ErrorCode, message })
    } else {
      results.set(name, runEntry(made, outcome, state))
      await use(folder, made)
    }
    options.onAttempt?.(index + 1, names.length)
  }
}

/** Why a try is listed but not counted. */
function uncountedState(
  outcome: Outcome | undefined,
  isSuperseded: boolean,
): 'abandoned' | 'superseded' | undefined {
  if (outcome === 'abandoned') return 'abandoned'
  return isSuperseded ? 'superseded' : undefined
}

function reportOrRefusal(
  location: AttemptLocation,
  background: ReturnType<typeof readRunBackground>,
  options: ReportOptions,
): AttemptReport | ZeeError {
  try {
    return makeReport(location, background, options)
  } catch (error) {
    if (error instanceof ZeeError && error.code !== 'ZCL_E_IO') return error
    throw error
  }
}
