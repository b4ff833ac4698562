// An attempt as the log of another program tells it. Every reader of a format makes these.
import { asObject } from '../json/json.ts'
import type { AgentMessage } from '../messages/messages.ts'
import { infraFailureKind } from '../outcome/outcome.ts'
import type { RunnerNumbers } from '../runners/runners.ts'

export interface ImportedCall {
  /** RFC 3339; empty if the log has no time. */
  ts: string
  /** The program or server that has the tool. */
  tool: string
  /** The name of the tool. */
  op: string
  input: unknown
  output: string
  isError: boolean
  exitCode?: number | undefined
  durationMs?: number | undefined
}

export interface ImportedOutcome {
  ok: boolean
  result?: string | undefined
  resultJson?: unknown
}

export interface ImportedAttempt {
  /** The name of the mission in the log. */
  mission: string
  /** 1 for the first try of a mission. */
  retry: number
  agent?: string | undefined
  /** What differs between attempts of one mission and agent, such as the prompt. */
  variant?: string | undefined
  /** The session, thread or sample in the log. */
  sourceId?: string | undefined
  startedAt?: string | undefined
  endedAt?: string | undefined
  prompt?: string | undefined
  messages: AgentMessage[]
  calls: ImportedCall[]
  /** Undefined if the log grades nothing. */
  outcome?: ImportedOutcome | undefined
  numbers: RunnerNumbers
  /** Records of the log that have no place in an attempt, by kind. */
  unmapped: Record<string, number>
}

export interface ImportedRun {
  /** The name of the suite in the log. */
  suite: string
  createdAt?: string | undefined
  attempts: ImportedAttempt[]
  unmapped: Record<string, number>
}

export function newAttempt(mission: string): ImportedAttempt {
  return { mission, retry: 1, messages: [], calls: [], numbers: {}, unmapped: {} }
}

/** Counts a record that has no place in an attempt. */
export function countUnmapped({ unmapped }: Pick<ImportedAttempt, 'unmapped'>, kind: string): void {
  const key = kind.slice(0, 100) || 'unknown'
  unmapped[key] = (unmapped[key] ?? 0) + 1
}

/** The members of a list, each as an object; none for another value. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as unknown[]).map(asObject) : []
}

/** Numbers the tries of each mission by the same agent, in the order of the log. */
export function numberTries(attempts: readonly ImportedAttempt[]): void {
  const tries = new Map<string, number>()
  for (const attempt of attempts) {
    const { mission, agent = '', variant = '' } = attempt
    const key = JSON.stringify([mission, agent, variant])
    attempt.retry = (tries.get(key) ?? 0) + 1
    tries.set(key, attempt.retry)
  }
}

/** Adds a message; empty texts are left out. */
export function say(
  attempt: ImportedAttempt,
  role: AgentMessage['role'],
  text: string,
  { ts = '', kind = 'text' }: { ts?: string; kind?: AgentMessage['kind'] } = {},
): void {
  if (text.trim() === '') return
  attempt.messages.push({ ts, role, kind, text, afterCalls: attempt.calls.length })
}

/** A score of another program as an outcome; undefined if it is neither a pass nor a failure. */
export function passOf(score: unknown): boolean | undefined {
  if (typeof score === 'boolean') return score
  if (typeof score === 'number') return score >= 1
  if (score === 'C' || score === 'correct' || score === 'pass') return true
  if (
    score === 'I' ||
    score === 'P' ||
    score === 'N' ||
    score === 'incorrect' ||
    score === 'fail'
  ) {
    return false
  }
  return undefined
}

/** An attempt that ended with an error before it was graded says nothing about the agent. */
export function failedOutcome(
  program: string,
  error: string,
  code = `${program}_ERROR`,
): ImportedOutcome {
  return { ok: false, resultJson: { kind: infraFailureKind, code, error } }
}
