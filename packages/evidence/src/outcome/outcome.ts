// How the lab judged one try of a planned attempt: written once, by whoever comes first. A try that
// has an outcome is over, whatever its worker still does; only `passed` and `failed` are answers.
import path from 'node:path'
import { createFileExclusive } from '@zee/core/atomic-file'
import { ZeeError } from '@zee/core/errors'
import { artifactText, readJsonArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { labArtifactName } from '../layout/layout.ts'

export { writeFeedback } from './feedback.ts'
export { appendNote } from './note.ts'

/** `infra`: the surroundings failed. `abandoned`: its worker died or was stopped. */
export const outcomes = ['passed', 'failed', 'infra', 'abandoned'] as const
export type Outcome = (typeof outcomes)[number]

export interface OutcomeFile {
  schemaVersion: 1
  runId: string
  suiteId: string
  missionId: string
  attemptId: string
  /** Which planned attempt of the run this is a try of, from 1. */
  slot: number
  outcome: Outcome
  /** Why it did not pass. */
  code?: string
  message?: string
  /** As a shell would report it. */
  exitCode?: number
  durationMs?: number
  /** RFC 3339. */
  endedAt: string
}

/** False when the try had an outcome already; that one stands. */
export async function recordOutcome(folder: string, file: OutcomeFile): Promise<boolean> {
  try {
    await createFileExclusive(path.join(folder, labArtifactName.outcome), artifactText(file))
    return true
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'eexist') return false
    throw error
  }
}

export function readOutcome(from: EvidenceFolder): OutcomeFile | undefined {
  const read = readJsonArtifact(from, labArtifactName.outcome)
  if (read.failure !== undefined) return undefined
  const { outcome, slot } = read.value
  const isKnown = outcomes.some((known) => known === outcome) && typeof slot === 'number'
  return isKnown ? (read.value as unknown as OutcomeFile) : undefined
}

/** Whether a planned attempt has its answer with this try. */
export function isAnswer(outcome: Outcome): boolean {
  return outcome === 'passed' || outcome === 'failed'
}

/** `kind` in the result of feedback that the harness wrote because the surroundings failed. */
export const infraFailureKind = 'infra_failure'
