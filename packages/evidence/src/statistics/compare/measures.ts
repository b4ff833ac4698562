// Compares what attempts cost: calls, failed calls, bytes, time, tokens and money. Less is better.
// A measure is called better or worse only if its permutation p-value, adjusted by Holm's method
// over the measures shown, is below alpha. The verdicts do not depend on it.
import { meanOf, rounded } from '../distribution.ts'
import type { Pair } from './pairs.ts'
import { holm } from '../permutation.ts'
import type { Random } from '../random.ts'
import { basisOf, measureNames, type MeasureName } from '../statistics.ts'
import { arrangementsOf, drawsFor, shiftTests, type MeasuredMission } from './shuffles.ts'
import type { ShiftTest } from './shuffles.ts'

export type MeasureLevel = 'better' | 'worse' | 'undecided' | 'too few' | 'not measured'

export interface MeasureComparison {
  name: MeasureName
  unit: 'count' | 'bytes' | 'ms' | 'tokens' | 'USD'
  /** How the values were obtained: counted by the runner, or estimated from bytes. */
  source?: 'reported' | 'estimated'
  /** Means over missions of the means of their attempts; null if not measured in every attempt. */
  a: number | null
  b: number | null
  /** B to A, the ratio of geometric means by mission, with its interval. */
  ratio: number | null
  low: number | null
  high: number | null
  /** Of the permutation test within missions; `pAdjusted` by Holm's method. */
  p: number | null
  pAdjusted: number | null
  level: MeasureLevel
}

const units: Record<MeasureName, MeasureComparison['unit']> = {
  toolCalls: 'count',
  failures: 'count',
  bytes: 'bytes',
  wallTimeMs: 'ms',
  tokens: 'tokens',
  costUsd: 'USD',
}

export interface MeasureOptions {
  alpha: number
  resamples: number
}

export function compareMeasures(
  pairs: readonly Pair[],
  { alpha, resamples }: MeasureOptions,
  random: Random,
): MeasureComparison[] {
  const shown = measureNames.filter((name) => isComparable(name, pairs))
  const offsets = shown.map((name) => zeroOffset(name, pairs))
  const missions = pairs.map((pair) => measuredMission(pair, shown, offsets))
  const attempts = missions.reduce((sum, { inA, inB }) => sum + inA + inB, 0)
  const settings = { width: shown.length, draws: drawsFor(attempts, resamples), alpha }
  const tests = shiftTests(missions, settings, random)
  const adjusted = holm(tests.map(({ p }) => p))
  const isTooFew = 2 / arrangementsOf(missions) >= alpha
  return measureNames.map((name) => {
    const test = tests[shown.indexOf(name)]
    const pAdjusted = adjusted[shown.indexOf(name)] ?? 1
    if (test === undefined) return notMeasured(name)
    const level = isTooFew ? 'too few' : levelOf(test, pAdjusted, alpha)
    return { ...comparisonOf(name, pairs, test), pAdjusted: rounded(pAdjusted), level }
  })
}

function levelOf({ shift }: ShiftTest, pAdjusted: number, alpha: number): MeasureLevel {
  if (pAdjusted >= alpha || shift === 0) return 'undecided'
  return shift < 0 ? 'better' : 'worse'
}

function comparisonOf(name: MeasureName, pairs: readonly Pair[], test: ShiftTest) {
  const mean = (side: 'a' | 'b') =>
    rounded(meanOf(pairs.map(({ judged }) => meanOf(judged[side].map((each) => each[name] ?? 0)))))
  const source = name === 'tokens' || name === 'costUsd' ? sourceOf(pairs) : undefined
  // An interval without width says only that the values do not vary.
  const { interval } = test
  const limits =
    interval === undefined || interval.high - interval.low < 1e-9 ? undefined : interval
  return {
    name,
    unit: units[name],
    source,
    a: mean('a'),
    b: mean('b'),
    ratio: rounded(Math.exp(test.shift)),
    low: limits === undefined ? null : rounded(Math.exp(limits.low)),
    high: limits === undefined ? null : rounded(Math.exp(limits.high)),
    p: rounded(test.p),
  }
}

/** The logarithms of the shown measures. */
function measuredMission(
  { judged }: Pair,
  shown: readonly MeasureName[],
  offsets: readonly number[],
): MeasuredMission {
  const rows = new Float64Array((judged.a.length + judged.b.length) * shown.length)
  for (const [index, attempt] of [...judged.a, ...judged.b].entries()) {
    for (const [column, name] of shown.entries()) {
      const value = (attempt[name] ?? 0) + (offsets[column] as number)
      rows[index * shown.length + column] = Math.log(value)
    }
  }
  return { rows, inA: judged.a.length, inB: judged.b.length }
}

/**
 * What is added to every value of a measure before its logarithm: nothing, or one unit (a
 * millionth of a dollar) if a value is 0. It depends on both sides together, so exchanging attempts
 * does not change it.
 */
function zeroOffset(name: MeasureName, pairs: readonly Pair[]): number {
  const hasZero = pairs.some(({ judged }) =>
    [...judged.a, ...judged.b].some((attempt) => (attempt[name] ?? 0) === 0),
  )
  if (!hasZero) return 0
  return name === 'costUsd' ? 1e-6 : 1
}

/** A measure needs a value in every attempt; tokens and cost also need the same source. */
function isComparable(name: MeasureName, pairs: readonly Pair[]): boolean {
  const attempts = pairs.flatMap(({ judged }) => [...judged.a, ...judged.b])
  if (attempts.length === 0) return false
  if (name !== 'tokens' && name !== 'costUsd') return true
  const sources = attempts.map(({ tokenSource = 'trace-heuristic' }) => basisOf(tokenSource))
  return (
    attempts.every((each) => each[name] !== undefined) &&
    sources.every((source) => source === sources[0])
  )
}

function sourceOf(pairs: readonly Pair[]): 'reported' | 'estimated' {
  return basisOf(pairs[0]?.judged.a[0]?.tokenSource ?? 'trace-heuristic')
}

function notMeasured(name: MeasureName): MeasureComparison {
  const nothing = { a: null, b: null, ratio: null, low: null, high: null, p: null, pAdjusted: null }
  return { name, unit: units[name], ...nothing, level: 'not measured' }
}
