// Confidence intervals of pass rates: Wilson's score interval for one rate, Newcombe's for the
// difference of two.
import { normalQuantile } from './normal.ts'

/** A pass rate with its interval, all between 0 and 1. */
export interface Rate {
  passed: number
  /** Attempts that passed or failed; pass-rate.ts has the rule. */
  judged: number
  /** Absent without judged attempts. */
  rate?: number | undefined
  /** Absent with fewer than two judged attempts: one attempt says nothing about a rate. */
  low?: number | undefined
  high?: number | undefined
}

export interface Interval {
  low: number
  high: number
}

export const defaultConfidence = 0.95

/** Wilson (1927), without continuity correction. */
export function rateOf(passed: number, judged: number, confidence = defaultConfidence): Rate {
  if (judged === 0) return { passed, judged }
  if (judged === 1) return { passed, judged, rate: passed }
  return { passed, judged, rate: passed / judged, ...wilson(passed, judged, zOf(confidence)) }
}

/**
 * Newcombe (1998), his method 10: the interval of b - a from the Wilson intervals of both.
 * Undefined unless both rates have an interval.
 */
export function differenceInterval(a: Rate, b: Rate): Interval | undefined {
  if (a.low === undefined || a.high === undefined || a.rate === undefined) return undefined
  if (b.low === undefined || b.high === undefined || b.rate === undefined) return undefined
  const difference = b.rate - a.rate
  return {
    low: difference - Math.hypot(b.rate - b.low, a.high - a.rate),
    high: difference + Math.hypot(b.high - b.rate, a.rate - a.low),
  }
}

/** The z of a two-sided interval. */
export function zOf(confidence: number): number {
  return normalQuantile(1 - (1 - confidence) / 2)
}

/** Wilson's interval for at least one attempt. */
export function wilson(passed: number, judged: number, z: number): Interval {
  const rate = passed / judged
  const z2 = z * z
  const middle = rate + z2 / (2 * judged)
  const half = z * Math.sqrt((rate * (1 - rate) + z2 / (4 * judged)) / judged)
  const scale = 1 + z2 / judged
  // The formula gives exactly 0 and 1 at the ends; floating point may not.
  return {
    low: passed === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: passed === judged ? 1 : Math.min(1, (middle + half) / scale),
  }
}
