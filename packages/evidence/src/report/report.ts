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
import { RunReportPass } from './run.ts'
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
}

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
  const batch = new AtomicBatch()
  const reports = await makeReports(runFolder, options, (folder, { report, names }) => {
    if (names.has(artifactName.report)) refuseLink(folder, artifactName.report)
    return batch.write(path.join(folder, artifactName.report), artifactText(report), [...names])
  })
  await batch.finish()
  if (reports.refused.length === 0) {
    refuseLink(runFolder, artifactName.runReport)
    const text = artifactText(reports.report)
    await writeFileAtomic(path.join(runFolder, artifactName.runReport), text)
  }
  return reports
}

/** The same reports, without writing them. */
export async function readRun(runFolder: string, options: RunReportOptions): Promise<RunReports> {
  return makeReports(runFolder, options, async () => {})
}

async function makeReports(
  runFolder: string,
  options: RunReportOptions,
  use: (folder: string, made: AttemptReport) => Promise<void>,
): Promise<RunReports> {
  const background = readRunBackground(runFolder)
  const pass = new RunReportPass()
  const refused: RefusedAttempt[] = []
  if (options.strictness === 'strict' && !isFolder(attemptsFolder(runFolder))) {
    throw evidenceError('ZCL_E_MISSING_ARTIFACT', `${attemptsFolderName} is not there`)
  }
  const names = attemptNames(runFolder)
  const superseded = supersededTries(runFolder, names)
  for (const [index, name] of names.entries()) {
    const folder = path.join(attemptsFolder(runFolder), name)
    const listed = listedFolder(folder, runFolder)
    const outcome = readOutcome(listed)?.outcome
    const state = uncountedState(outcome, superseded.has(name))
    const settings = state === undefined ? options : { ...options, strictness: 'lenient' as const }
    const made = reportOrRefusal({ folder, name, runFolder, listed }, background, settings)
    if (made instanceof ZeeError) {
      refused.push({ attemptId: name, code: made.code as ErrorCode, message: made.message })
    } else {
      pass.add(made, outcome, state)
      await use(folder, made)
    }
    options.onAttempt?.(index + 1, names.length)
  }
  const runId = asText(background.run?.runId) || path.basename(runFolder)
  return { report: pass.report(runId, asText(background.run?.suiteId)), refused }
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
