// Counts the attempts of a run by judgement, for lists. Reads no trace of an attempt that the lab judged.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { validArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { asText } from '../json/json.ts'
import { judgementOf, judgeReport, type JudgedOutcome } from '../judgement/judgement.ts'
import { artifactName } from '../layout/layout.ts'
import { makeReport, readRunBackground, type RunBackground } from '../report/report.ts'
import { attemptsOf, type StoredAttempt } from '../runs/runs.ts'

export interface RunCounts {
  runId: string
  suiteId: string
  createdAt: string
  pinned: boolean
  attempts: number
  passed: number
  failed: number
  missingFeedback: number
  infra: number
}

export function countRun(run: EvidenceFolder): RunCounts {
  const file = validArtifact(run, artifactName.run) ?? {}
  const background = readRunBackground(run.path)
  const counts = { passed: 0, failed: 0, missing: 0, infra: 0 }
  let attempts = 0
  for (const attempt of attemptsOf(run)) {
    if (attempt.isSuperseded) continue
    attempts++
    counts[judge(attempt, run.path, background)]++
  }
  const { missing: missingFeedback, passed, failed, infra } = counts
  return {
    runId: path.basename(run.path),
    suiteId: asText(file.suiteId),
    createdAt: asText(file.createdAt),
    pinned: file.pinned === true,
    attempts,
    passed,
    failed,
    missingFeedback,
    infra,
  }
}

function judge(
  { attemptId, folder, outcome, status }: StoredAttempt,
  runFolder: string,
  background: RunBackground,
): JudgedOutcome {
  if (outcome !== undefined) return judgementOf({ outcome }).outcome
  if (status === 'missing_feedback') return 'missing'
  const settings = { strictness: 'lenient', computedAt: '' } as const
  try {
    const location = { folder, name: attemptId, runFolder }
    return judgeReport(makeReport(location, background, settings).report).outcome
  } catch (error) {
    // As in statistics: evidence that is refused gives no outcome.
    if (error instanceof ZeeError && error.code !== 'ZCL_E_IO') return 'missing'
    throw error
  }
}
