// Compares the claims of an answer with the receipts of its session. Deterministic: asks no model.
import type { SessionEvent } from '../session/session.ts'
import { readSession } from '../session/session.ts'
import { checkClaim } from './checks.ts'
import { splitClauses } from './clauses.ts'
import type { Verdict } from './finding.ts'
import { rules } from './rules/rules.ts'
import { readTimeline } from './timeline.ts'

export type { Verdict } from './finding.ts'

export interface CheckedClaim {
  /** The sentence of the claim. */
  text: string
  verdict: Verdict
  /** The line of the tool call that decides; null without one. */
  event: number | null
  reason: string
}

export interface VerifyOptions {
  /** Checks the last answer of every turn instead of the last answer only. */
  allTurns?: boolean
}

/** Checks a stored session; empty if it does not exist or claims nothing. */
export async function verifySession(
  folder: string,
  id: string,
  options: VerifyOptions = {},
): Promise<CheckedClaim[]> {
  const events: SessionEvent[] = []
  for await (const event of readSession(folder, id)) events.push(event)
  return verifyEvents(events, options)
}

/** Each answer is checked against the events before it. */
export function verifyEvents(
  events: readonly SessionEvent[],
  { allTurns = false }: VerifyOptions = {},
): CheckedClaim[] {
  const answers = finalAnswers(events)
  return (allTurns ? answers : answers.slice(-1)).flatMap((index) => {
    const record = events[index]?.record
    if (record?.type !== 'message') return []
    return verifyAnswer(record.text, events.slice(0, index))
  })
}

/** Positions of the last answer of each turn. */
function finalAnswers(events: readonly SessionEvent[]): number[] {
  const answers: number[] = []
  let last: number | undefined
  for (const [index, { record }] of events.entries()) {
    if (record.type !== 'message') continue
    if (record.role === 'assistant') last = index
    else if (record.steered !== true && last !== undefined) {
      answers.push(last)
      last = undefined
    }
  }
  return last === undefined ? answers : [...answers, last]
}

const maxTextLength = 300

function verifyAnswer(answer: string, before: readonly SessionEvent[]): CheckedClaim[] {
  const timeline = readTimeline(before)
  const checked: CheckedClaim[] = []
  const seen = new Set<string>()
  for (const clause of splitClauses(answer)) {
    for (const rule of rules) {
      if (clause.isNegated && rule.allowsNegation !== true) continue
      for (const claim of rule.find(clause.text, clause)) {
        const key = JSON.stringify([claim, clause.sentence])
        if (seen.has(key)) continue
        seen.add(key)
        const text = clause.sentence.slice(0, maxTextLength)
        checked.push({ text, ...checkClaim(claim, timeline) })
      }
    }
  }
  return withoutRepetition(checked)
}

/** One line per sentence and verdict is enough for a reader. */
function withoutRepetition(claims: readonly CheckedClaim[]): CheckedClaim[] {
  const seen = new Set<string>()
  return claims.filter((claim) => {
    const key = JSON.stringify(claim)
    return seen.has(key) ? false : (seen.add(key), true)
  })
}
