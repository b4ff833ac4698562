// Reads the JSON that a verifier prints: the whole output, or its last line.
import { isObject } from '@zee/core/json'

export interface PrintedVerdict {
  ok?: boolean
  score?: number
  message?: string
}

/** Undefined if the verifier printed no JSON object. */
export function printedVerdict(stdout: string): PrintedVerdict | undefined {
  const text = stdout.trim()
  const found = parseObject(text) ?? parseObject(text.slice(text.lastIndexOf('\n') + 1))
  if (found === undefined) return undefined
  const ok = [found.ok, found.pass, found.passed].find((each) => typeof each === 'boolean')
  const score = [found.score, found.reward].find((each) => typeof each === 'number')
  const message = [found.message, found.reason].find((each) => typeof each === 'string')
  return {
    ...(ok === undefined ? {} : { ok: ok as boolean }),
    ...(score === undefined ? {} : { score: score as number }),
    ...(message === undefined ? {} : { message: message as string }),
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
