// The output limit of requests. A server that refuses the limit and names a smaller one gets a second
// request with that, and the process remembers it for the model.
import { asNumber, asRecord } from '../json/json.ts'
import type { ModelError } from '../errors/errors.ts'

/** Limits that servers have named, by base URL and model. */
const namedLimits = new Map<string, number>()

export function rememberedLimit(base: URL, model: string): number | undefined {
  return namedLimits.get(limitKey(base, model))
}

export function rememberLimit(base: URL, model: string, limit: number): void {
  namedLimits.set(limitKey(base, model), limit)
}

function limitKey(base: URL, model: string): string {
  return `${base.href} ${model}`
}

/** The output limit in an encoded request, in the field of its wire format. */
export function sentLimit(body: object): number | undefined {
  const fields = asRecord(body)
  const config = asRecord(fields?.generationConfig)
  return (
    asNumber(fields?.max_tokens) ??
    asNumber(fields?.max_completion_tokens) ??
    asNumber(fields?.max_output_tokens) ??
    asNumber(config?.maxOutputTokens)
  )
}

export interface NamedLimit {
  limit: number
  /** Whether it depends on the length of this request, so that it is not remembered. */
  isForThisRequest: boolean
}

const refusals = new Set([400, 402, 413, 422])

/** The smaller limit that an error response names; undefined if it is about something else. */
export function findNamedLimit(error: ModelError, sent: number): NamedLimit | undefined {
  if (error.status === undefined || !refusals.has(error.status)) return undefined
  const message = error.message.replace(/^HTTP \d+: /, '')
  if (!isAboutOutputLimit(message)) return undefined
  const isForThisRequest = error.status === 402 || isAboutContext(message)
  const limit = roomInContext(message) ?? largestBelow(message, sent)
  return limit === undefined || limit >= sent || limit < 1 ? undefined : { limit, isForThisRequest }
}

function isAboutOutputLimit(message: string): boolean {
  return /max[_ ]?(completion[_ ]|output[_ ]?)?tokens|(output|completion) tokens/i.test(message)
}

function isAboutContext(message: string): boolean {
  return /context/i.test(message)
}

/** For `length + limit > window` and `limit > window - length`: the window without the length. */
function roomInContext(message: string): number | undefined {
  const sum = /(\d+) \+ \d+ > (\d+)/.exec(message)
  if (sum !== null) return Number(sum[2]) - Number(sum[1])
  const difference = /\d+ > (\d+) - (\d+)/.exec(message)
  return difference === null ? undefined : Number(difference[1]) - Number(difference[2])
}

/** The largest number below `sent`: other numbers are the sent one, versions and lower bounds. */
function largestBelow(message: string, sent: number): number | undefined {
  const numbers = [...message.matchAll(/(?<![\w.-])\d[\d,]*(?![\w.-]*\w)( \(exclusive\))?/g)].map(
    ([text, isExclusive]) => Number.parseInt(text.replaceAll(',', ''), 10) - (isExclusive ? 1 : 0),
  )
  const below = numbers.filter((number) => number < sent)
  return below.length === 0 ? undefined : Math.max(...below)
}
