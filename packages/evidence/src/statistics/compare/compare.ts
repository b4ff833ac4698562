// Compares two sides, paired by mission: is B better than A, worse, or within noise?
// docs/zcl-compare.md has the formulas. The same runs and the same seed give the same result.
import { bootstrapDifferences, percentileInterval, resamplesFor } from '../bootstrap.ts'
import { meanOf, rounded } from '../distribution.ts'
import { compareMeasures, measureRows, rowWidth, type MeasureComparison } from './measures.ts'
import { compareMissions, type MissionComparison } from './missions.ts'
import { pairMissions, type NotCompared, type Pair, type Side } from './pairs.ts'
import { signFlipTest, withinMissionsTest, type PermutationTest } from '../permutation.ts'
import { Random } from '../random.ts'
import type { Interval, Rate } from '../rate.ts'
import { requiredAttempts, type Plan } from './required-attempts.ts'
import { countOutcomes, passRateOf, roundedRate, type OutcomeCounts } from '../statistics.ts'

export { junitOfComparison } from './junit.ts'
export type { MeasureComparison } from './measures.ts'
export type { NotCompared, NotComparedReason } from './pairs.ts'

export interface CompareOptions {
  seed: number
  resamples: number
  alpha: number
  effect: number
  power: number
  /** Whether runs with different settings may be compared. */
  anyProfile: boolean
  /** Whether one mission that is worse beyond noise makes the verdict `worse`. */
  eachMission: boolean
}

export const compareDefaults = {
  seed: 1,
  resamples: 10_000,
  alpha: 0.05,
  effect: 0.1,
  power: 0.8,
} as const

export type Verdict = 'better' | 'equal' | 'within_noise' | 'worse'

export interface Comparison {
  schemaVersion: 1
  /** False if B is worse beyond noise. */
  ok: boolean
  verdict: Verdict
  suiteId: string
  a: ComparedSide
  b: ComparedSide
  passRate: PassRateComparison
  measures: MeasureComparison[]
  missions: MissionComparison[]
  notCompared: NotCompared[]
  plan: Plan
  settings: { seed: number; resamples: number; alpha: number }
  warnings: string[]
}

/** Counts cover all attempts; `rate` covers only the compared missions. */
export interface ComparedSide extends OutcomeCounts {
  runIds: string[]
  rate: Rate
}

/** Means over missions; the difference is B minus A. */
export interface PassRateComparison extends Interval {
  a: number
  b: number
  difference: number
  /** The smaller p-value of the two tests. */
  p: number
  /** Exchanges the sides of missions; generalises to similar missions. */
  signFlip: PermutationTest
  /** Exchanges attempts within their missions; holds for these missions only. */
  withinMissions: PermutationTest
}

/** Compares two sides; throws ZCL_E_NOT_COMPARABLE if no mission can be paired. */
export function compareRuns(a: Side, b: Side, options: CompareOptions): Comparison {
  const { suiteId, pairs, notCompared, warnings } = pairMissions(a, b, options)
  const random = new Random(options.seed)
  const rows = pairs.map(({ judged }) => ({ a: measureRows(judged.a), b: measureRows(judged.b) }))
  const draws = rows.reduce((sum, row) => sum + row.a.length + row.b.length, 0) / rowWidth
  const resamples = resamplesFor(draws + rows.length, options.resamples)
  const resampled = bootstrapDifferences(rows, { width: rowWidth, resamples }, random)
  const intervals = resampled.map((each) => percentileInterval(each, 1 - options.alpha))
  const passRate = comparePassRates(pairs, intervals[0] as Interval, options, random)
  const missions = compareMissions(pairs, options, random)
  const verdict = verdictOf(passRate, missions, options)
  return {
    schemaVersion: 1,
    ok: verdict !== 'worse',
    verdict,
    suiteId,
    a: sideOf(a, pairs, 'a', options.alpha),
    b: sideOf(b, pairs, 'b', options.alpha),
    passRate,
    measures: compareMeasures(pairs, intervals),
    missions,
    notCompared,
    plan: requiredAttempts(pairs.map(countsOf), options),
    settings: { seed: options.seed, resamples, alpha: options.alpha },
    warnings,
  }
}

function comparePassRates(
  pairs: readonly Pair[],
  interval: Interval,
  options: CompareOptions,
  random: Random,
): PassRateComparison {
  const counts = pairs.map(countsOf)
  const a = meanOf(counts.map((each) => each.a.passed / each.a.judged))
  const b = meanOf(counts.map((each) => each.b.passed / each.b.judged))
  const differences = counts.map(
    (each) => each.b.passed / each.b.judged - each.a.passed / each.a.judged,
  )
  const signFlip = roundedTest(signFlipTest(differences, options.resamples, random))
  const withinMissions = roundedTest(withinMissionsTest(counts, options.resamples, random))
  return {
    a: rounded(a),
    b: rounded(b),
    difference: rounded(b - a),
    low: rounded(interval.low),
    high: rounded(interval.high),
    p: Math.min(signFlip.p, withinMissions.p),
    signFlip,
    withinMissions,
  }
}

function roundedTest({ p, exact }: PermutationTest): PermutationTest {
  return { p: rounded(p), exact }
}

/**
 * A difference is beyond noise if both the interval and a test agree. With few missions, no sign
 * flip gets below alpha; with single attempts, the interval has no width. Each check covers the
 * other.
 */
function verdictOf(
  { difference, low, high, p }: PassRateComparison,
  missions: readonly MissionComparison[],
  { alpha, eachMission }: CompareOptions,
): Verdict {
  if (eachMission && missions.some(({ level }) => level === 'worse')) return 'worse'
  if (p < alpha && high < 0) return 'worse'
  if (p < alpha && low > 0) return 'better'
  const isSame = difference === 0 && missions.every((each) => each.difference === 0)
  return isSame ? 'equal' : 'within_noise'
}

function countsOf({ judged }: Pair) {
  const of = (attempts: Pair['a']) => ({
    passed: attempts.filter(({ outcome }) => outcome === 'passed').length,
    judged: attempts.length,
  })
  return { a: of(judged.a), b: of(judged.b) }
}

function sideOf(side: Side, pairs: readonly Pair[], which: 'a' | 'b', alpha: number): ComparedSide {
  const compared = pairs.flatMap(({ judged }) => judged[which])
  return {
    runIds: side.runs.map(({ runId }) => runId),
    ...countOutcomes(side.runs.flatMap(({ attempts }) => attempts)),
    rate: roundedRate(passRateOf(compared, 1 - alpha)),
  }
}
