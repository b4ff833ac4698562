// The summary of a run, computed from the outcomes of its slots. One process and a hundred workers give
// the same totals, because each slot counts once, by its latest try.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { artifactText } from '@zee/evidence/artifact'
import { labArtifactName, runFolder } from '@zee/evidence/layout'
import { isAnswer, type Outcome } from '@zee/evidence/outcome'
import { slotsOf, type RunPlan } from './plan.ts'
import { slotState } from './slot/slot.ts'

export interface SummaryAttempt {
  attemptId: string
  missionId: string
  /** Relative to the run folder. */
  attemptDir: string
  ok: boolean
  outcome: Outcome
  code?: string
  slot: number
  retry: number
  durationMs: number
}

export interface RunSummary {
  schemaVersion: 1
  ok: boolean
  runId: string
  suiteId: string
  comparabilityKey: string
  mode: string
  feedbackPolicy: string
  finalizationMode: string
  sessionIsolation: string
  total: number
  passed: number
  failed: number
  /** Of the failed attempts, those that claim success without a recorded action. */
  unproven: number
  infra: number
  /** Planned slots without an outcome. */
  pending: number
  attempts: SummaryAttempt[]
  createdAt: string
}

export function summarise(outRoot: string, plan: RunPlan, createdAt: string): RunSummary {
  const attempts: SummaryAttempt[] = []
  for (const slot of slotsOf(plan)) {
    const { latest } = slotState(outRoot, plan.runId, slot)
    if (latest === undefined || latest.outcome === 'abandoned') continue
    const { attemptId, missionId, outcome, code, retry, durationMs } = latest
    attempts.push({
      attemptId,
      missionId,
      attemptDir: path.join('attempts', attemptId),
      ok: outcome === 'passed',
      outcome,
      code,
      slot: slot.slot,
      retry,
      durationMs,
    })
  }
  const count = (outcome: Outcome) => attempts.filter((each) => each.outcome === outcome).length
  const { profile } = plan
  return {
    schemaVersion: 1,
    ok: attempts.length === plan.total && attempts.every(({ ok }) => ok),
    runId: plan.runId,
    suiteId: plan.suiteId,
    comparabilityKey: plan.comparabilityKey,
    mode: profile.mode,
    feedbackPolicy: profile.feedbackPolicy,
    finalizationMode: profile.finalizationMode,
    sessionIsolation: profile.sessionIsolation,
    total: plan.total,
    passed: count('passed'),
    failed: count('failed'),
    unproven: attempts.filter(({ code }) => code === 'ZCL_E_UNPROVEN').length,
    infra: count('infra'),
    pending: plan.total - attempts.length,
    attempts,
    createdAt,
  }
}

export async function writeSummary(outRoot: string, summary: RunSummary): Promise<void> {
  const file = path.join(runFolder(outRoot, summary.runId), labArtifactName.runSummary)
  await writeFileAtomic(file, artifactText(summary))
}

/** The slots that a resumed run must process. */
export function unansweredSlots(outRoot: string, plan: RunPlan) {
  return [...slotsOf(plan)].filter((slot) => {
    const { latest } = slotState(outRoot, plan.runId, slot)
    return latest === undefined || !isAnswer(latest.outcome)
  })
}
