// Judges an attempt: passed, failed, or excluded because it is no evidence about the agent. Reports,
// lists, statistics, comparisons and exports count by this judgement.
import type { EvidenceFolder } from '../artifact/artifact.ts'
import { asObject } from '../json/json.ts'
import { infraFailureKind, readOutcome, type StoredOutcome } from '../outcome/outcome.ts'
import type { ReportFile } from '../schema/schema.ts'

/**
 * `infra`: the infrastructure failed (the runner did not start, a rate limit, a lock, a deadline
 * before the first action, a dead worker). `missing`: there is no outcome.
 */
export type JudgedOutcome = 'passed' | 'failed' | 'infra' | 'missing'

export interface Judgement {
  outcome: JudgedOutcome
  /** The reason for `infra`, if the evidence states one. */
  infraCode?: string | undefined
  /** A failure that claims success without a recorded action. */
  unproven?: boolean | undefined
}

/** The judgement of the lab, or else of the report. */
export function judgeAttempt(report: ReportFile, attempt: EvidenceFolder): Judgement {
  const judged = readOutcome(attempt)
  return judged === undefined ? judgeReport(report) : judgementOf(judged)
}

/** The judgement of an attempt whose evidence is refused: that of the lab, or else none. */
export function judgeUnreadable(attempt: EvidenceFolder): Judgement {
  const judged = readOutcome(attempt)
  return judged === undefined ? { outcome: 'missing' } : judgementOf(judged)
}

/** The judgement of the lab. */
export function judgementOf({ outcome, code }: Pick<StoredOutcome, 'outcome' | 'code'>): Judgement {
  if (outcome === 'passed') return { outcome }
  if (outcome === 'failed') return code === 'ZCL_E_UNPROVEN' ? unproven : { outcome }
  return infra(code ?? outcome)
}

type JudgedReport = Pick<
  ReportFile,
  'ok' | 'resultJson' | 'timedOutBeforeFirstToolCall' | 'unproven' | 'expectations'
>

/** Judges by the report alone: a pass is ok, proven and meets the expectations of the suite. */
export function judgeReport(report: JudgedReport): Judgement {
  if (report.ok === undefined) return { outcome: 'missing' }
  if (!report.ok) {
    const result = asObject(report.resultJson)
    if (result.kind === infraFailureKind) return infra(result.code)
    if (report.timedOutBeforeFirstToolCall === true) return infra('ZCL_E_TIMEOUT')
  }
  if (report.unproven === true) return unproven
  const isExpected = report.expectations?.evaluated !== true || report.expectations.ok
  return { outcome: report.ok && isExpected ? 'passed' : 'failed' }
}

const unproven: Judgement = { outcome: 'failed', unproven: true }

function infra(code: unknown): Judgement {
  return { outcome: 'infra', infraCode: typeof code === 'string' ? code : undefined }
}
