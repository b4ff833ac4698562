// What verifiers, scorers and judges get to see of an attempt.
import type { Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'

export interface GradingRoom {
  identity: AttemptIdentity
  /** Absolute: where the agent worked. */
  workspace: string
  /** Without secrets, shims and the agent's HOME. */
  env: Record<string, string | undefined>
  /** Written to the stdin of every command: ids, claim and answer. */
  subject: GradingSubject
  /** For the judge model, which runs outside: the harness's own environment. */
  judge: {
    env: Readonly<Record<string, string | undefined>>
    baseFolder: string
    /** Read before the runner started; empty without a judge. */
    rubric: string
    cacheFolder: string | undefined
  }
  redactor: Redactor
  signal: AbortSignal
  /** The command as it runs in the isolation of the attempt. */
  sandbox(command: readonly string[]): string[]
}

export interface GradingSubject {
  runId: string
  suiteId: string
  missionId: string
  attemptId: string
  prompt: string | undefined
  /** The agent's own claim. */
  ok: boolean | undefined
  result: string | undefined
  resultJson: unknown
}

/** The environment of a verifier. It runs code of the agent, so it gets no secret. */
export function gradingEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
  own: Record<string, string>,
): Record<string, string | undefined> {
  const plain = Object.entries(env).filter(
    ([name, value]) =>
      !name.startsWith('ZCL_') && redactor.text(`${name}=${value ?? ''}`).applied.length === 0,
  )
  return { ...Object.fromEntries(plain), ...own }
}
