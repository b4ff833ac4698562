// How an attempt counts: passed, failed, or kept apart because it says nothing about the agent.
import type { EvidenceFolder } from '../artifact/artifact.ts'
import { asObject } from '../json/json.ts'
import { infraFailureKind, readOutcome } from '../outcome/outcome.ts'
import type { ReportFile } from '../schema/schema.ts'

/**
 * `infra`: the surroundings failed (the runner could not start, a rate limit, a lock, a deadline before
 * the first action, a worker that died). `missing`: there is no outcome.
 */
export type JudgedOutcome = 'passed' | 'failed' | 'infra' | 'missing'

export interface Judgement {
  outcome: JudgedOutcome
  /** Why it is `infra`, where something says so. */
  infraCode?: string
}

/** The lab's own judgement where there is one, else what the evidence says. */
export function judgeAttempt(report: ReportFile, attempt: EvidenceFolder): Judgement {
  const judged = readOutcome(attempt)
  if (judged === undefined) return judgeReport(report)
  if (judged.outcome === 'passed' || judged.outcome === 'failed') return { outcome: judged.outcome }
  return infra(judged.code ?? judged.outcome)
}

/** A pass says ok and meets what the suite expects. */
export function judgeReport(report: ReportFile): Judgement {
  if (report.ok === undefined) return { outcome: 'missing' }
  if (!report.ok) {
    const result = asObject(report.resultJson)
    if (result.kind === infraFailureKind) return infra(result.code)
    if (report.timedOutBeforeFirstToolCall === true) return infra('ZCL_E_TIMEOUT')
  }
  const isExpected = report.expectations?.evaluated !== true || report.expectations.ok
  return { outcome: report.ok && isExpected ? 'passed' : 'failed' }
}

function infra(code: unknown): Judgement {
  return { outcome: 'infra', ...(typeof code === 'string' ? { infraCode: code } : {}) }
}
