// Reads the folder of an attempt and makes its report. Strict mode throws a typed error for
// incomplete evidence; otherwise `integrity` states what is missing.
import path from 'node:path'
import { artifactError, listedFolder, readJsonArtifact, readPrompt } from '../artifact/artifact.ts'
import type { EvidenceFolder, ListedFolder } from '../artifact/artifact.ts'
import { composeReport, type AttemptIds } from './compose.ts'
import { summariseTrace, type TraceSummary } from '../summary/summary.ts'
import { wellTypedAttempt, wellTypedFeedback, wellTypedRun } from './well-typed.ts'
import { harnessTermsIn, findMission, normaliseSuite, type Suite } from '../suite/suite.ts'
import { evidenceError } from '../errors/errors.ts'
import { checkExpectations, type ExpectationResult } from '../checks/checks.ts'
import { maxJsonDepth, isDeeperThan } from '../json/json.ts'
import type { CallLevel } from '../schema/vocabulary.ts'
import { artifactName, parseAttemptId } from '../layout/layout.ts'
import { isInfraFeedback } from '../outcome/outcome.ts'
import type {
  AttemptFile,
  FeedbackFile,
  ReportFile,
  RunFile,
  TokenEstimates,
} from '../schema/schema.ts'

/** The folder of an attempt and the run that reads must stay in. */
export interface AttemptLocation {
  /** Real path. */
  folder: string
  name: string
  runFolder: string | undefined
  /** The listed folder, if the caller has listed it already. */
  listed?: ListedFolder
}

export interface ReportOptions {
  /** `by_mode` is strict for attempts in ci mode. */
  strictness: 'strict' | 'by_mode' | 'lenient'
  /** RFC 3339. */
  computedAt: string
  /** The cost of the tokens that a runner reported, in USD; undefined if it is unknown. */
  costOf?: ((usage: RunnerUsage) => number | undefined) | undefined
  /** Which calls the metrics count; `action` by default. A verdict always counts actions. */
  level?: CallLevel | undefined
}

/** The model and the tokens of an attempt, as its runner reported them. */
export interface RunnerUsage {
  model?: string
  modelProvider?: string
  /** Without cached input and cache writes. */
  inputTokens?: number
  outputTokens?: number
  cachedInputTokens?: number
  cacheWriteTokens?: number
  totalTokens?: number
}

export interface AttemptReport {
  report: ReportFile
  strict: boolean
  /** Whether the attempt has both a trace and an outcome. */
  complete: boolean
  expectations: ExpectationResult
  /** Names in the folder of the attempt. */
  names: ReadonlySet<string>
}

/** The data that all attempts of a run share. */
export interface RunBackground {
  run: RunFile | undefined
  suite: Suite | undefined
}

export function readRunBackground(runFolder: string | undefined): RunBackground {
  if (runFolder === undefined) return { run: undefined, suite: undefined }
  const from = { path: runFolder, within: runFolder }
  const run = wellTypedRun(readObject<RunFile>(from, artifactName.run))
  return { run, suite: readSuite(from) }
}

export function makeReport(
  location: AttemptLocation,
  background: RunBackground,
  options: ReportOptions,
): AttemptReport {
  const folder =
    location.listed ?? listedFolder(location.folder, location.runFolder ?? location.folder)
  // attempt.json is read first, because its mode may make the report strict.
  const { strictness } = options
  const isStrict = strictness === 'strict'
  const attempt = wellTypedAttempt(readObject(folder, artifactName.attempt, isStrict))
  const strict = isStrict || (strictness === 'by_mode' && attempt?.mode === 'ci')
  if (strict && attempt === undefined) throw missing(artifactName.attempt)
  const trace = summariseTrace(folder, artifactName.trace, { strict, level: 'action' })
  const isAll = options.level === 'all'
  const counted = isAll
    ? summariseTrace(folder, artifactName.trace, { strict, level: 'all' })
    : trace
  const feedback = wellTypedFeedback(readObject(folder, artifactName.feedback, strict))
  const needsAction = !isInfraFeedback(feedback) && attempt?.allowUnproven !== true
  if (strict && needsAction && !trace.present) throw missing(artifactName.trace)
  if (strict && feedback === undefined) throw missing(artifactName.feedback)
  if (isDeeperThan(feedback, maxJsonDepth + 1)) {
    throw evidenceError('ZCL_E_BOUNDS', `${artifactName.feedback} nests too deep`)
  }
  if (strict && needsAction && trace.lines === 0) {
    throw evidenceError('ZCL_E_MISSING_EVIDENCE', `${artifactName.trace} holds no action`)
  }
  const ids = idsOf(location, background, attempt, feedback)
  const { names } = folder
  const expectations = expectationsOf(background.suite, ids.missionId, feedback, trace)
  const usage = runnerUsageOf(folder)
  const report = composeReport({
    ids,
    computedAt: options.computedAt,
    attempt,
    feedback,
    trace,
    counted,
    files: names,
    reportedTokens:
      reportedTokens('runner.metrics', usage, options.costOf) ??
      reportedTokens('http.usage', trace.usage.total(), options.costOf),
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

/** The parsed object; undefined if it is missing, or damaged and the report is not strict. */
function readObject<T>(folder: EvidenceFolder, name: string, strict = false): T | undefined {
  const read = readJsonArtifact(folder, name)
  if (read.failure === undefined) {
    const { schemaVersion = 1 } = read.value
    if (!strict || schemaVersion === 1) return read.value as T
    throw evidenceError('ZCL_E_SCHEMA_UNSUPPORTED', `${name}: schemaVersion is not 1`)
  }
  if (read.failure === 'missing') return undefined
  const isFatal = read.failure === 'io' || read.failure === 'too_deep'
  if (strict || isFatal) throw artifactError(read, name)
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

/** The ids of attempt.json, or else of feedback.json, or else of the folder names. */
function idsOf(
  location: AttemptLocation,
  { run }: RunBackground,
  attempt: AttemptFile | undefined,
  feedback: FeedbackFile | undefined,
): AttemptIds {
  const runName = location.runFolder === undefined ? '' : path.basename(location.runFolder)
  const source = attempt ?? feedback
  return {
    runId: textOr(source?.runId, textOr(run?.runId, runName)),
    suiteId: textOr(source?.suiteId, textOr(run?.suiteId, '')),
    missionId: textOr(source?.missionId, parseAttemptId(location.name)?.missionId ?? ''),
    attemptId: textOr(source?.attemptId, location.name),
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

function runnerUsageOf(folder: EvidenceFolder): RunnerUsage | undefined {
  const read = readObject<Record<string, unknown>>(folder, artifactName.runnerMetrics)
  if (read === undefined) return undefined
  const text = (key: string) => (typeof read[key] === 'string' ? [[key, read[key]]] : [])
  const count = (key: string) => (Number.isSafeInteger(read[key]) ? [[key, read[key]]] : [])
  return Object.fromEntries([
    ...['model', 'modelProvider'].flatMap(text),
    ...['inputTokens', 'outputTokens', 'totalTokens'].flatMap(count),
    ...['cachedInputTokens', 'cacheWriteTokens'].flatMap(count),
  ]) as RunnerUsage
}

function reportedTokens(
  source: 'runner.metrics' | 'http.usage',
  usage: RunnerUsage | undefined,
  costOf: ReportOptions['costOf'],
): TokenEstimates | undefined {
  if (usage === undefined) return undefined
  const { model: _model, modelProvider: _provider, ...counts } = usage
  if (Object.keys(counts).length === 0) return undefined
  const costUsd = costOf?.(usage)
  const cost = costUsd === undefined ? {} : { costUsd }
  return { source, basis: 'reported', ...counts, ...cost }
}
