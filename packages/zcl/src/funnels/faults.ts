// Injected faults: latency, error statuses and connection resets. The trace event of a request lists the
// faults injected into it.
import { usageError } from '@zee/core/errors'

export type Fault =
  | { kind: 'latency'; ms: number }
  | { kind: 'status'; status: number }
  | { kind: 'reset' }

/** Latencies add up, and the sum must stay within the range of a timer (24.8 days). */
const maxLatencyMs = 3_600_000

export interface InjectRule {
  fault: Fault
  /** Probability per request, 0 to 1. */
  probability: number
}

/** Parses `latency=200ms,p=0.1`, `status=503,p=0.2` or `reset,p=0.05`. */
export function parseInject(text: string): InjectRule {
  let fault: Fault | undefined
  let probability = 1
  for (const part of text.split(',')) {
    const [, key = '', value = ''] = /^\s*(\w+)(?:=(.*?))?\s*$/.exec(part) ?? []
    if (key === 'p') probability = parseProbability(value)
    else if (fault === undefined) fault = parseFault(key, value)
    else throw usageError(`'${text}' names several faults; use one --inject for each`)
  }
  if (fault === undefined) throw usageError(`'${text}' names no fault`)
  return { fault, probability }
}

/** The faults for the next request; draws one random number per rule. */
export function faultsFor(rules: readonly InjectRule[], random: () => number): Fault[] {
  return rules.filter(({ probability }) => random() < probability).map(({ fault }) => fault)
}

/** A random generator (mulberry32) that repeats its numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function parseFault(key: string, value: string): Fault {
  if (key === 'latency') return { kind: 'latency', ms: parseMilliseconds(value) }
  if (key === 'status' && /^[1-5]\d\d$/.test(value) && Number(value) >= 200) {
    return { kind: 'status', status: Number(value) }
  }
  if (key === 'reset' && value === '') return { kind: 'reset' }
  throw usageError('a fault is latency=<time>, status=<200 to 599> or reset, with p=<0 to 1>')
}

function parseMilliseconds(text: string): number {
  const found = /^(\d{1,7}(?:\.\d+)?)(ms|s)?$/.exec(text)
  const ms = Number(found?.[1]) * (found?.[2] === 's' ? 1000 : 1)
  if (ms <= maxLatencyMs) return ms
  throw usageError(`'${text}' is not a time like 200ms or 1.5s, of at most an hour`)
}

function parseProbability(text: string): number {
  const value = /^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw usageError(`p='${text}' is not a number from 0 to 1`)
}
