// Composes attempt.report.json from the parsed evidence. Pure: the same evidence gives the same
// bytes, except for `computedAt`. A member that does not apply is undefined, and JSON omits it.
import { parseRfc3339 } from '@zee/core/clock'
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
  /** At the level `action`, which decides. */
  trace: TraceSummary
  /** At the level of the metrics. */
  counted: TraceSummary
  /** Names of the files in the attempt's folder. */
  files: ReadonlySet<string>
  /** Tokens that the runner's log or the answers of the model report. */
  reportedTokens: TokenEstimates | undefined
  /** Harness terms in a blind prompt. */
  contamination: readonly string[]
  expectations: ExpectationResult | undefined
}

export function composeReport(parts: ReportParts): ReportFile {
  const { attempt, feedback, trace, counted } = parts
  const metrics = counted.metrics.metrics({
    wallTimeMs: wallTimeOf(parts),
    openCalls: trace.openCalls,
  })
  return {
    schemaVersion: 1,
    runId: parts.ids.runId,
    suiteId: parts.ids.suiteId,
    missionId: parts.ids.missionId,
    attemptId: parts.ids.attemptId,
    computedAt: parts.computedAt,
    startedAt: attempt?.startedAt,
    endedAt: feedback?.createdAt ?? trace.metrics.latestTs(),
    ok: feedback?.ok,
    unproven: trueOrAbsent(isUnproven(parts)),
    result: feedback?.result,
    resultJson: feedback?.resultJson,
    classification: feedback?.classification,
    classificationBasis: feedback?.classificationBasis,
    decisionTags: tagsOf(parts),
    nativeResult: attempt?.nativeResult,
    metrics,
    failureCodeHistogram: metrics.failuresTotal === 0 ? undefined : metrics.failuresByCode,
    timedOutBeforeFirstToolCall: trueOrAbsent(isTimedOutBeforeFirstCall(parts)),
    tokenEstimates: parts.reportedTokens ?? {
      source: 'trace-heuristic',
      basis: 'estimated',
      ...counted.metrics.estimateTokens(),
    },
    artifacts: artifactsOf(parts.files),
    integrity: integrityOf(parts),
    signals: { ...counted.metrics.signals() },
    expectations: parts.expectations === undefined ? undefined : { ...parts.expectations },
    warnings: shimWarnings(parts),
    findings: counted.friction.findings().map((finding) => ({ ...finding })),
    traceRoot: trace.root,
  }
}

function trueOrAbsent(isTrue: boolean): true | undefined {
  return isTrue ? true : undefined
}

/**
 * From the start of the attempt to its outcome, or to the end of the last call if that is later or
 * there is no outcome. Without a valid start, from the first call.
 */
function wallTimeOf({ attempt, feedback, trace }: ReportParts): number {
  const { metrics } = trace
  const from = epochMs(attempt?.startedAt) ?? metrics.firstStartMs()
  const outcomeAt = epochMs(feedback?.createdAt)
  const lastEnd = metrics.lastEndMs()
  // A call that starts after the outcome was recorded is no part of the attempt.
  const isLastCallIn = (metrics.lastStartMs() ?? 0) <= (outcomeAt ?? Number.POSITIVE_INFINITY)
  const ends = [outcomeAt, isLastCallIn ? lastEnd : undefined].filter((end) => end !== undefined)
  if (from === undefined || ends.length === 0) return 0
  return Math.max(0, Math.round(Math.max(...ends) - from))
}

function epochMs(text: unknown): number | undefined {
  return typeof text === 'string' ? parseRfc3339(text)?.getTime() : undefined
}

/** Whether there is an outcome without traced actions. */
function isFunnelBypass(parts: Pick<ReportParts, 'feedback' | 'trace'>): boolean {
  return parts.feedback !== undefined && parts.trace.lines === 0
}

/** Whether the attempt claims success without a recorded action, and its mission needs one. */
function isUnproven({ attempt, feedback, trace }: ReportParts): boolean {
  return feedback?.ok === true && trace.metrics.total === 0 && attempt?.allowUnproven !== true
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

/** A shim that the attempt asked for and never called: the agent may have bypassed it. */
function shimWarnings({ attempt, trace }: ReportParts): ReportFile['warnings'] {
  const unused = attempt?.shims?.filter((tool) => !trace.metrics.hasProgram(tool)) ?? []
  if (unused.length === 0) return undefined
  return unused.map((tool) => ({
    code: 'ZCL_W_SHIM_UNUSED',
    message: `the shim of ${tool} was never called`,
  }))
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
    traceLines: trace.lines,
    feedbackPresent: parts.feedback !== undefined,
    funnelBypassSuspected: trueOrAbsent(isFunnelBypass(parts)),
    invalidLines: trace.invalidLines === 0 ? undefined : trace.invalidLines,
    promptContaminated: trueOrAbsent(contamination.length > 0),
    promptContaminationTerms: contamination.length === 0 ? undefined : [...contamination],
  }
}
