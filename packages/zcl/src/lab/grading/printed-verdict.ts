// Reads the JSON that a verifier prints: the whole output, or its last lines.
import { isObject } from '@zee/core/json'

export interface PrintedVerdict {
  ok?: boolean
  score?: number
  message?: string
}

/** How many lines that start with a brace are tried, from the end. */
const maxStarts = 100

/** Undefined if the verifier printed no JSON object at its end. */
export function printedVerdict(stdout: string): PrintedVerdict | undefined {
  const text = stdout.trim()
  const found = lastObject(text)
  if (found === undefined) return brokenReward.test(text) ? noNumber : undefined
  if (found.rewards !== undefined) return rewardVerdict(found.rewards)
  const unclear = unclearVerdict(found)
  if (unclear !== undefined) return { ok: false, message: unclear }
  const ok = [found.ok, found.pass, found.passed].find((each) => typeof each === 'boolean')
  const score = [found.score, found.reward].find((each) => typeof each === 'number')
  const message = [found.message, found.reason].find((each) => typeof each === 'string')
  return {
    ...(ok === undefined ? {} : { ok }),
    ...(score === undefined ? {} : { score }),
    ...(message === undefined ? {} : { message }),
  }
}

/** A verdict of the wrong type, which must not count as acceptance. */
function unclearVerdict({ ok, score }: Record<string, unknown>): string | undefined {
  if (ok !== undefined && typeof ok !== 'boolean') return 'it printed "ok" without true or false'
  if (score === undefined || typeof score === 'number') return undefined
  return 'it printed a "score" that is no number'
}

const noNumber: PrintedVerdict = { ok: false, message: 'the reward is not a number' }

/** A last line with the rewards of a Harbor task, whose tests wrote no valid JSON. */
const brokenReward = /^\{"rewards":.*$(?![^])/m

/** The rewards of a Harbor task: the lowest one is the score. */
function rewardVerdict(rewards: unknown): PrintedVerdict {
  const values = (isObject(rewards) ? Object.values(rewards) : [rewards]).map(asNumber)
  if (values.length === 0 || values.some(Number.isNaN)) return noNumber
  return { score: Math.min(...values) }
}

/** NaN for a value that is no number. The tests of a task write numbers as text, such as `.5`. */
function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** The longest end of the text that is a JSON object and starts at the start of a line. */
function lastObject(text: string): Record<string, unknown> | undefined {
  const starts = [...text.matchAll(/^\{/gm)].map(({ index }) => index)
  for (const start of [...starts.slice(0, 1), ...starts.slice(-maxStarts)]) {
    const value = parseObject(text.slice(start))
    if (value !== undefined) return value
  }
  return undefined
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
