// Reads an attempt's folder and makes its report. Strict readings refuse what is incomplete with a
// typed error; others make the best of it and say in `integrity` what was missing.
import path from 'node:path'
import { artifactError, listedFolder, readJsonArtifact, readPrompt } from '../artifact/artifact.ts'
import type { EvidenceFolder, ListedFolder } from '../artifact/artifact.ts'
import { composeReport, type AttemptIds } from './compose.ts'
import { summariseTrace, type TraceSummary } from '../summary/summary.ts'
import { harnessTermsIn, findMission, normaliseSuite, type Suite } from '../suite/suite.ts'
import { evidenceError } from '../errors/errors.ts'
import { checkExpectations, type ExpectationResult } from '../checks/checks.ts'
import { maxJsonDepth, isDeeperThan } from '../json/json.ts'
import { artifactName, parseAttemptId } from '../layout/layout.ts'
import type {
  AttemptFile,
  FeedbackFile,
  ReportFile,
  RunFile,
  TokenEstimates,
} from '../schema/schema.ts'

/** An attempt's folder and what it may read from. */
export interface AttemptLocation {
  /** Real path. */
  folder: string
  name: string
  runFolder: string | undefined
  /** The same folder with what is in it, for whoever has listed it already. */
  listed?: ListedFolder
}

export interface ReportOptions {
  /** `by_mode` is strict for attempts in ci mode. */
  strictness: 'strict' | 'by_mode' | 'lenient'
  /** RFC 3339. */
  computedAt: string
}

export interface AttemptReport {
  report: ReportFile
  strict: boolean
  /** Whether trace and outcome are both there. */
  complete: boolean
  expectations: ExpectationResult
  /** What is in the folder of the attempt. */
  names: ReadonlySet<string>
}

/** What the attempts of a run share; read once. */
export interface RunBackground {
  run: RunFile | undefined
  suite: Suite | undefined
}

export function readRunBackground(runFolder: string | undefined): RunBackground {
  if (runFolder === undefined) return { run: undefined, suite: undefined }
  const from = { path: runFolder, within: runFolder }
  return { run: readObject<RunFile>(from, artifactName.run), suite: readSuite(from) }
}

export function makeReport(
  place: AttemptLocation,
  background: RunBackground,
  options: ReportOptions,
): AttemptReport {
  const folder = place.listed ?? listedFolder(place.folder, place.runFolder ?? place.folder)
  // Whether the reading is strict is for attempt.json to say, so that file is read first.
  const { strictness } = options
  const attempt = readObject<AttemptFile>(folder, artifactName.attempt, strictness === 'strict')
  const strict = strictness === 'strict' || (strictness === 'by_mode' && attempt?.mode === 'ci')
  if (strict && attempt === undefined) throw missing(artifactName.attempt)
  const trace = summariseTrace(folder, artifactName.trace, strict)
  if (strict && !trace.present) throw missing(artifactName.trace)
  const feedback = readObject<FeedbackFile>(folder, artifactName.feedback, strict)
  if (strict && feedback === undefined) throw missing(artifactName.feedback)
  if (isDeeperThan(feedback, maxJsonDepth + 1)) {
    throw evidenceError('ZCL_E_BOUNDS', `${artifactName.feedback} nests too deep`)
  }
  if (strict && trace.lines === 0) {
    throw evidenceError('ZCL_E_MISSING_EVIDENCE', `${artifactName.trace} holds no action`)
  }
  const ids = idsOf(place, background, attempt, feedback)
  const { names } = folder
  const expectations = expectationsOf(background.suite, ids.missionId, feedback, trace)
  const report = composeReport({
    ids,
    computedAt: options.computedAt,
    attempt,
    feedback,
    trace,
    files: names,
    runnerTokens: runnerTokensOf(folder),
    contamination:
      attempt?.blind === true ? harnessTermsIn(readPrompt(folder) ?? '', attempt.blindTerms) : [],
    expectations: expectations.evaluated ? expectations : undefined,
  })
  const complete = trace.lines > 0 && feedback !== undefined
  return { report, strict, complete, expectations, names }
}

function missing(name: string): Error {
  return evidenceError('ZCL_E_MISSING_ARTIFACT', `${name} is not there`)
}

/** The parsed object; undefined when it is absent, or damaged and the reading is lenient. */
function readObject<T>(folder: EvidenceFolder, name: string, strict = false): T | undefined {
  const read = readJsonArtifact(folder, name)
  if (read.failure === undefined) {
    const { schemaVersion = 1 } = read.value
    if (!strict || schemaVersion === 1) return read.value as T
    throw evidenceError('ZCL_E_SCHEMA_UNSUPPORTED', `${name}: schemaVersion is not 1`)
  }
  if (read.failure === 'missing') return undefined
  if (strict || read.failure === 'io') throw artifactError(read, name)
  return undefined
}

function readSuite(runFolder: EvidenceFolder): Suite | undefined {
  const value = readObject<Record<string, unknown>>(runFolder, artifactName.suite)
  try {
    return value === undefined ? undefined : normaliseSuite(value, artifactName.suite)
  } catch {
    return undefined
  }
}

/** attempt.json says; without it the outcome, and then the names of the folders. */
function idsOf(
  place: AttemptLocation,
  { run }: RunBackground,
  attempt: AttemptFile | undefined,
  feedback: FeedbackFile | undefined,
): AttemptIds {
  const runName = place.runFolder === undefined ? '' : path.basename(place.runFolder)
  const known = attempt ?? feedback
  return {
    runId: textOr(known?.runId, textOr(run?.runId, runName)),
    suiteId: textOr(known?.suiteId, textOr(run?.suiteId, '')),
    missionId: textOr(known?.missionId, parseAttemptId(place.name)?.missionId ?? ''),
    attemptId: textOr(known?.attemptId, place.name),
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

function expectationsOf(
  suite: Suite | undefined,
  missionId: string,
  feedback: FeedbackFile | undefined,
  trace: TraceSummary,
): ExpectationResult {
  const expects = findMission(suite, missionId)?.expects
  const metrics = trace.lines === 0 ? undefined : trace.metrics
  return checkExpectations(expects, { feedback, trace: metrics })
}

function runnerTokensOf(folder: EvidenceFolder): TokenEstimates | undefined {
  const read = readObject<Record<string, unknown>>(folder, artifactName.runnerMetrics)
  const counts = ['inputTokens', 'outputTokens', 'totalTokens'].flatMap((key) => {
    const value = read?.[key]
    return typeof value === 'number' && Number.isSafeInteger(value) ? [[key, value] as const] : []
  })
  if (counts.length === 0) return undefined
  return { source: 'runner.metrics', ...Object.fromEntries(counts) }
}
