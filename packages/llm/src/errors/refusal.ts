// Recognises which part of a request a provider refused, from the words of its 400. Gateways pass the
// words of another vendor on, sometimes as a JSON text inside their own JSON.
import { asRecord } from '../json/json.ts'
import type { ModelError } from './errors.ts'

export type Refusal =
  /** The model does not take this sampling parameter, or no value of it but its default. */
  | { kind: 'parameter'; name: SamplingParameter }
  /** The model takes `temperature` or `top_p`, not both. */
  | { kind: 'sampling_pair' }
  /** The endpoint wants `max_completion_tokens` instead of `max_tokens`. */
  | { kind: 'max_tokens_field' }
  /** The conversation must not end with a message of the assistant. */
  | { kind: 'trailing_assistant' }

export type SamplingParameter = 'temperature' | 'top_p'

const parameters: readonly SamplingParameter[] = ['temperature', 'top_p']
const unsupported =
  /unsupported|not support|deprecated|not permitted|not allowed|unknown|unrecognized|unexpected|only the default|cannot be (?:set|specified|used)|not available/i
const bothNamed = /\bboth\b|only one|together|at the same time|mutually exclusive/i
const trailingAssistant =
  /prefill|(?:must|should) end with a user|expected last role|last message (?:is|must|cannot|role)|last (?:message|role|turn)[^.]*\bassistant\b/i
const maxNestedJson = 4

/** Undefined when the error says nothing of the kind. */
export function refusalOf(error: ModelError): Refusal | undefined {
  if (error.status !== 400 && error.status !== 422) return undefined
  const texts = wordsOf(error.details ?? '')
  return [...texts, error.message].map(refusalIn).find((refusal) => refusal !== undefined)
}

function refusalIn(text: string): Refusal | undefined {
  const [first, second] = parameters.filter((name) => text.includes(name))
  if (first !== undefined && second !== undefined && bothNamed.test(text)) {
    return { kind: 'sampling_pair' }
  }
  if (first !== undefined && unsupported.test(text)) return { kind: 'parameter', name: first }
  if (text.includes('max_completion_tokens') && unsupported.test(text)) {
    return { kind: 'max_tokens_field' }
  }
  return trailingAssistant.test(text) ? { kind: 'trailing_assistant' } : undefined
}

/** Every text in a JSON document, those of JSON inside a text included; else the body itself. */
function wordsOf(body: string, depth = 0): string[] {
  const value = parsed(body)
  if (value === undefined || depth >= maxNestedJson) return body === '' ? [] : [body]
  const texts: string[] = []
  const visit = (part: unknown): void => {
    if (typeof part === 'string') texts.push(...wordsOf(part, depth + 1))
    else if (Array.isArray(part)) part.forEach(visit)
    else Object.values(asRecord(part) ?? {}).forEach(visit)
  }
  visit(value)
  return texts
}

/** The object or list in a text; undefined for any other text. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
