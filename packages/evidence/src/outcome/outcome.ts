// The outcome of one try of a planned attempt. The first writer wins, and the try is over then,
// even if its worker continues.
import path from 'node:path'
import { createFileExclusive } from '@zee/core/atomic-file'
import { ZeeError } from '@zee/core/errors'
import { asObject } from '../json/json.ts'
import { artifactText, validArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { labArtifactName } from '../layout/layout.ts'

export { writeFeedback } from './feedback.ts'
export { appendNote } from './note.ts'

/** `infra`: the infrastructure failed. `abandoned`: the worker died or was stopped. */
export const outcomes = ['passed', 'failed', 'infra', 'abandoned'] as const
export type Outcome = (typeof outcomes)[number]

export interface OutcomeFile {
  schemaVersion: 1
  runId: string
  suiteId: string
  missionId: string
  attemptId: string
  /** 1-based number of the planned attempt in the run. */
  slot: number
  outcome: Outcome
  /** Why the try did not pass. */
  code?: string
  message?: string
  /** As a shell reports it. */
  exitCode?: number
  durationMs?: number
  /** RFC 3339. */
  endedAt: string
}

/** Writes the outcome; false if the try already has one, which is preserved. */
export async function recordOutcome(folder: string, file: OutcomeFile): Promise<boolean> {
  try {
    await createFileExclusive(path.join(folder, labArtifactName.outcome), artifactText(file))
    return true
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'eexist') return false
    throw error
  }
}

/** What a stored outcome says. The ids of the try are in the name of its folder. */
export type StoredOutcome = Pick<
  OutcomeFile,
  'slot' | 'outcome' | 'code' | 'message' | 'exitCode' | 'durationMs'
>

/** Undefined if there is no valid outcome. Optional members of another type are left out. */
export function readOutcome(from: EvidenceFolder): StoredOutcome | undefined {
  const file = validArtifact(from, labArtifactName.outcome)
  if (file === undefined) return undefined
  const { slot } = file
  const outcome = outcomes.find((name) => name === file.outcome)
  if (outcome === undefined || typeof slot !== 'number') return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return {
    slot,
    outcome,
    code: text(file.code),
    message: text(file.message),
    exitCode: number(file.exitCode),
    durationMs: number(file.durationMs),
  }
}

/** Whether this outcome completes a planned attempt; `infra` and `abandoned` need another try. */
export function isAnswer(outcome: string): outcome is 'passed' | 'failed' {
  return outcome === 'passed' || outcome === 'failed'
}

/** `kind` in the result of feedback that the harness wrote after an infrastructure failure. */
export const infraFailureKind = 'infra_failure'

/** Typed infra feedback that the harness wrote: it needs no action of the agent. */
export function isInfraFeedback(
  feedback: { ok?: unknown; resultJson?: unknown } | undefined,
): boolean {
  if (feedback?.ok !== false) return false
  const { kind, code } = asObject(feedback.resultJson)
  return kind === infraFailureKind && typeof code === 'string'
}
