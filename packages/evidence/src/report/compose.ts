// Composes attempt.report.json from the parsed evidence. Pure: the same evidence gives the same
// bytes, except for `computedAt`.
import type { TraceSummary } from '../summary/summary.ts'
import { artifactName } from '../layout/layout.ts'
import type { AttemptFile, FeedbackFile, ReportFile, TokenEstimates } from '../schema/schema.ts'
import type { ExpectationResult } from '../checks/checks.ts'

export interface AttemptIds {
  runId: string
  suiteId: string
  missionId: string
  attemptId: string
}

export interface ReportParts {
  ids: AttemptIds
  computedAt: string
  attempt: AttemptFile | undefined
  feedback: FeedbackFile | undefined
  trace: TraceSummary
  /** Names of the files in the attempt's folder. */
  files: ReadonlySet<string>
  runnerTokens: TokenEstimates | undefined
  /** Harness terms in a blind prompt. */
  contamination: readonly string[]
  expectations: ExpectationResult | undefined
}

export function composeReport(parts: ReportParts): ReportFile {
  const { attempt, feedback, trace } = parts
  const metrics = trace.metrics.metrics()
  const endedAt = feedback?.createdAt ?? trace.metrics.latestTs()
  return {
    schemaVersion: 1,
    runId: parts.ids.runId,
    suiteId: parts.ids.suiteId,
    missionId: parts.ids.missionId,
    attemptId: parts.ids.attemptId,
    computedAt: parts.computedAt,
    ...ifDefined('startedAt', attempt?.startedAt),
    ...ifDefined('endedAt', endedAt),
    ...ifDefined('ok', feedback?.ok),
    ...ifDefined('result', feedback?.result),
    ...ifDefined('resultJson', feedback?.resultJson),
    ...ifDefined('classification', feedback?.classification),
    ...ifDefined('classificationBasis', feedback?.classificationBasis),
    decisionTags: tagsOf(parts),
    ...ifDefined('nativeResult', attempt?.nativeResult),
    metrics,
    ...(metrics.failuresTotal === 0 ? {} : { failureCodeHistogram: metrics.failuresByCode }),
    ...(isTimedOutBeforeFirstCall(parts) ? { timedOutBeforeFirstToolCall: true } : {}),
    tokenEstimates: parts.runnerTokens ?? {
      source: 'trace-heuristic',
      ...trace.metrics.estimateTokens(),
    },
    artifacts: artifactsOf(parts.files),
    integrity: integrityOf(parts),
    signals: { ...trace.metrics.signals() },
    ...(parts.expectations === undefined ? {} : { expectations: { ...parts.expectations } }),
    findings: trace.friction.findings().map((finding) => ({ ...finding })),
    ...ifDefined('traceRoot', trace.root),
  }
}

/** Whether there is an outcome without traced actions. */
function isFunnelBypass(parts: Pick<ReportParts, 'feedback' | 'trace'>): boolean {
  return parts.feedback !== undefined && parts.trace.lines === 0
}

function isTimedOutBeforeFirstCall({ trace, feedback }: ReportParts): boolean {
  if (trace.lines === 0) return feedback?.decisionTags?.includes('timeout') === true
  return trace.onlyRefusedByDeadline
}

function tagsOf(parts: ReportParts): NonNullable<ReportFile['decisionTags']> {
  const { feedback } = parts
  const tags = new Set(feedback?.decisionTags)
  if (feedback === undefined) tags.add('missing_evidence')
  else tags.add(feedback.ok ? 'success' : 'blocked')
  if (parts.trace.metrics.timeouts > 0) tags.add('timeout')
  if (isFunnelBypass(parts)) tags.add('funnel_bypass')
  if (parts.contamination.length > 0) tags.add('contaminated_prompt')
  return [...tags].sort()
}

const optionalArtifacts = [
  ['notesJsonl', artifactName.notes],
  ['promptTxt', artifactName.prompt],
  ['attemptEnvSh', artifactName.attemptEnv],
  ['attemptRuntimeEnvJson', artifactName.runtimeEnv],
  ['runnerCommandTxt', artifactName.runnerCommand],
  ['runnerStdoutLog', artifactName.runnerStdout],
  ['runnerStderrLog', artifactName.runnerStderr],
] as const

function artifactsOf(files: ReadonlySet<string>): Record<string, string> {
  return {
    attemptJson: artifactName.attempt,
    toolCallsJsonl: artifactName.trace,
    feedbackJson: artifactName.feedback,
    ...Object.fromEntries(optionalArtifacts.filter(([, name]) => files.has(name))),
  }
}

function integrityOf(parts: ReportParts): NonNullable<ReportFile['integrity']> {
  const { trace, contamination } = parts
  return {
    tracePresent: trace.present,
    traceNonEmpty: trace.lines > 0,
    feedbackPresent: parts.feedback !== undefined,
    ...(isFunnelBypass(parts) ? { funnelBypassSuspected: true } : {}),
    ...(trace.invalidLines > 0 ? { invalidLines: trace.invalidLines } : {}),
    ...(contamination.length > 0
      ? { promptContaminated: true, promptContaminationTerms: [...contamination] }
      : {}),
  }
}

function ifDefined<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: T })
}
