// One vote of a judge: what its text says, and the majority of several.
import { isObject } from '@zee/core/json'
import { oneLine } from '@zee/core/errors'

export interface ParsedVote {
  ok: boolean
  score?: number
  reason?: string
}

/** Undefined if the text holds no JSON object with a boolean `ok`. */
export function parseVote(text: string): ParsedVote | undefined {
  for (const candidate of candidates(text)) {
    try {
      const value: unknown = JSON.parse(candidate)
      if (!isObject(value) || typeof value.ok !== 'boolean') continue
      const { ok, score, reason } = value
      return {
        ok,
        ...(typeof score === 'number' && score >= 0 && score <= 1 ? { score } : {}),
        ...(typeof reason === 'string' ? { reason: oneLine(reason).slice(0, 500) } : {}),
      }
    } catch {
      continue
    }
  }
  return undefined
}

/** The whole text, a code block, and everything between the first and the last brace. */
function candidates(text: string): string[] {
  const block = /```(?:json)?\s*\n([\s\S]*?)```/.exec(text)?.[1]
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')]
  return [
    text,
    ...(block === undefined ? [] : [block]),
    first < 0 ? '' : text.slice(first, last + 1),
  ]
}

export interface Tally {
  yes: number
  no: number
  /** Refusals, broken answers and failed requests. */
  invalid: number
  /** Undefined if half of the votes or more are invalid. */
  ok: boolean | undefined
}

/** A tie is a no. */
export function tally(votes: readonly (ParsedVote | undefined)[]): Tally {
  const yes = votes.filter((vote) => vote?.ok === true).length
  const no = votes.filter((vote) => vote?.ok === false).length
  const invalid = votes.length - yes - no
  return { yes, no, invalid, ok: invalid * 2 >= votes.length ? undefined : yes > no }
}
