// Two-sided permutation tests of the null hypothesis of no difference. The sign-flip test exchanges
// the sides of missions; the within-missions test exchanges attempts, for suites with too few
// missions. Small cases are enumerated. Large cases are sampled, with p = (1 + hits) / (1 + draws),
// which is never 0.
import type { Random } from './random.ts'

export interface PermutationTest {
  p: number
  /** Whether every arrangement was enumerated. */
  exact: boolean
}

/** Passes and attempts of one mission on both sides. */
export interface MissionCounts {
  a: { passed: number; judged: number }
  b: { passed: number; judged: number }
}

const maxExactFlips = 16
const maxExactArrangements = 200_000
/** Upper bound on the floating-point error between sums in different order. */
const tolerance = 1e-9

/** Flips the signs of the differences of paired missions; differences of 0 have no effect. */
export function signFlipTest(
  differences: readonly number[],
  draws: number,
  random: Random,
): PermutationTest {
  const nonzero = differences.filter((each) => each !== 0)
  const threshold = Math.abs(nonzero.reduce((sum, each) => sum + each, 0)) - tolerance
  if (nonzero.length <= maxExactFlips) return { p: exactFlips(nonzero, threshold), exact: true }
  let hits = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (const each of nonzero) sum += random.next() < 0x80000000 ? each : -each
    if (Math.abs(sum) >= threshold) hits++
  }
  return { p: (1 + hits) / (1 + draws), exact: false }
}

/** Exchanges attempts within missions; the statistic is the sum of their differences. */
export function withinMissionsTest(
  missions: readonly MissionCounts[],
  draws: number,
  random: Random,
): PermutationTest {
  const distributions = missions.map(nullDistribution)
  const threshold =
    Math.abs(distributions.reduce((sum, distribution) => sum + distribution.observed, 0)) -
    tolerance
  const arrangements = distributions.reduce(
    (product, distribution) => product * distribution.differences.length,
    1,
  )
  if (arrangements <= maxExactArrangements)
    return { p: exactShare(distributions, threshold), exact: true }
  let hits = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (const mission of missions) sum += drawnDifference(mission, random)
    if (Math.abs(sum) >= threshold) hits++
  }
  return { p: (1 + hits) / (1 + draws), exact: false }
}

/** P-values adjusted for the family-wise error rate, Holm (1979). */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, index) => index)
  order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
  const adjusted = values.map(() => 1)
  let highest = 0
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (values.length - rank) * (values[index] ?? 1)))
    adjusted[index] = highest
  }
  return adjusted
}

/** Enumerates all sign flips in Gray code order, where each step costs one addition. */
function exactFlips(values: readonly number[], threshold: number): number {
  const total = 2 ** values.length
  const isFlipped = values.map(() => false)
  let sum = values.reduce((all, each) => all + each, 0)
  let hits = Math.abs(sum) >= threshold ? 1 : 0
  for (let step = 1; step < total; step++) {
    const index = 31 - Math.clz32(step & -step)
    const change = 2 * (values[index] as number)
    sum += isFlipped[index] === true ? change : -change
    isFlipped[index] = isFlipped[index] !== true
    if (Math.abs(sum) >= threshold) hits++
  }
  return hits / total
}

/** The distribution of a mission's difference if its passes fall on either side by chance. */
interface NullDistribution {
  observed: number
  differences: number[]
  shares: number[]
}

function nullDistribution({ a, b }: MissionCounts): NullDistribution {
  const passes = a.passed + b.passed
  const min = Math.max(0, passes - b.judged)
  const max = Math.min(a.judged, passes)
  const distribution: NullDistribution = {
    observed: differenceOf(a.passed, passes, a, b),
    differences: [],
    shares: [],
  }
  const all = logChoose(a.judged + b.judged, passes)
  for (let inA = min; inA <= max; inA++) {
    distribution.differences.push(differenceOf(inA, passes, a, b))
    const ways = logChoose(a.judged, inA) + logChoose(b.judged, passes - inA)
    distribution.shares.push(Math.exp(ways - all))
  }
  return distribution
}

function differenceOf(
  inA: number,
  passes: number,
  a: MissionCounts['a'],
  b: MissionCounts['b'],
): number {
  return (passes - inA) / b.judged - inA / a.judged
}

function exactShare(distributions: readonly NullDistribution[], threshold: number): number {
  const shareFrom = (index: number, sum: number): number => {
    const distribution = distributions[index]
    if (distribution === undefined) return Math.abs(sum) >= threshold ? 1 : 0
    let share = 0
    for (const [position, difference] of distribution.differences.entries()) {
      share += (distribution.shares[position] as number) * shareFrom(index + 1, sum + difference)
    }
    return share
  }
  return Math.min(1, shareFrom(0, 0))
}

function drawnDifference({ a, b }: MissionCounts, random: Random): number {
  const passes = a.passed + b.passed
  let left = a.judged + b.judged
  let inA = 0
  for (let drawn = 0; drawn < a.judged; drawn++, left--) {
    if (random.share() * left < passes - inA) inA++
  }
  return differenceOf(inA, passes, a, b)
}

const logFactorials = [0]

function logFactorial(n: number): number {
  for (let i = logFactorials.length; i <= n; i++) {
    logFactorials.push((logFactorials[i - 1] as number) + Math.log(i))
  }
  return logFactorials[n] as number
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k)
}
