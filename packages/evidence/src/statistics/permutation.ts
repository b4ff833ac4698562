// Two-sided permutation tests of pass rates. The stratified test exchanges attempts within missions
// and holds for these missions. The sign-flip test exchanges the sides of whole missions and holds
// for missions like these. Both are exact if the differences fit on a lattice of moderate size.
// Otherwise arrangements are sampled, with p = (1 + hits) / (1 + draws), which is never 0.
import { exactTails, leastCommonMultiple, type Term } from './lattice.ts'
import type { Random } from './random.ts'

export interface PermutationTest {
  /** Two-sided. */
  p: number
  /** One-sided: the difference is at least as large as observed. */
  greater: number
  /** Whether every arrangement was counted. */
  exact: boolean
}

/** Passes and attempts of one mission on both sides. */
export interface MissionCounts {
  a: { passed: number; judged: number }
  b: { passed: number; judged: number }
}

/** Upper bound on the floating-point error between sums in different order. */
const tolerance = 1e-9

/** Exchanges attempts within missions; the statistic is the sum of the missions' differences. */
export function stratifiedTest(
  missions: readonly MissionCounts[],
  draws: number,
  random: Random,
): PermutationTest {
  const scale = leastCommonMultiple(missions.flatMap(({ a, b }) => [a.judged, b.judged]))
  const terms = missions.map(({ a, b }) => hypergeometricTerm(a, b, scale))
  const observed = missions.reduce((sum, each) => sum + Math.round(differenceOf(each) * scale), 0)
  const tails = Number.isFinite(scale) ? exactTails(terms, observed) : undefined
  if (tails !== undefined) return { p: tails.twoSided, greater: tails.greater, exact: true }
  return sampledStratified(missions, draws, random)
}

/** Flips the signs of the missions' differences. */
export function signFlipTest(
  missions: readonly MissionCounts[],
  draws: number,
  random: Random,
): PermutationTest {
  const scale = leastCommonMultiple(missions.flatMap(({ a, b }) => [a.judged, b.judged]))
  const differences = missions.map(differenceOf)
  const scaled = differences.map((each) => Math.round(each * scale)).filter((each) => each !== 0)
  const terms = scaled.map((each) => ({
    first: -Math.abs(each),
    step: 2 * Math.abs(each),
    shares: [0.5, 0.5],
  }))
  const observed = scaled.reduce((sum, each) => sum + each, 0)
  const tails = Number.isFinite(scale) ? exactTails(terms, observed) : undefined
  if (tails !== undefined) return { p: tails.twoSided, greater: tails.greater, exact: true }
  const threshold = differences.reduce((sum, each) => sum + each, 0)
  return sampled(draws, threshold, () => {
    let sum = 0
    for (const each of differences) sum += random.next() < 0x80000000 ? each : -each
    return sum
  })
}

/** P-values adjusted for the family-wise error rate, Holm (1979). */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, index) => index)
  order.sort((a, b) => (values[a] as number) - (values[b] as number))
  const adjusted = values.map(() => 1)
  let highest = 0
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (values.length - rank) * (values[index] as number)))
    adjusted[index] = highest
  }
  return adjusted
}

/** B minus A of one mission. */
export function differenceOf({ a, b }: MissionCounts): number {
  return b.passed / b.judged - a.passed / a.judged
}

/** The scaled difference of a mission whose passes fall on either side by chance. */
function hypergeometricTerm(a: MissionCounts['a'], b: MissionCounts['b'], scale: number): Term {
  const { min, shares } = passesInB(a, b)
  const [perA, perB] = [scale / a.judged, scale / b.judged]
  const first = min * perB - (a.passed + b.passed - min) * perA
  return { first: Math.round(first), step: Math.round(perA + perB), shares }
}

/** The hypergeometric distribution of the passes in B, from `min` on. */
function passesInB(
  a: MissionCounts['a'],
  b: MissionCounts['b'],
): { min: number; shares: number[] } {
  const passes = a.passed + b.passed
  const min = Math.max(0, passes - a.judged)
  const max = Math.min(b.judged, passes)
  const all = logChoose(a.judged + b.judged, passes)
  const shares: number[] = []
  for (let inB = min; inB <= max; inB++) {
    const ways = logChoose(b.judged, inB) + logChoose(a.judged, passes - inB)
    shares.push(Math.exp(ways - all))
  }
  return { min, shares }
}

function sampledStratified(
  missions: readonly MissionCounts[],
  draws: number,
  random: Random,
): PermutationTest {
  const samplers = missions.map(({ a, b }) => {
    const { min, shares } = passesInB(a, b)
    const passes = a.passed + b.passed
    let total = 0
    const cumulative = Float64Array.from(shares, (share) => (total += share))
    return () => {
      const inB = min + firstAtLeast(cumulative, random.share() * total)
      return inB / b.judged - (passes - inB) / a.judged
    }
  })
  const observed = missions.reduce((sum, each) => sum + differenceOf(each), 0)
  return sampled(draws, observed, () => {
    let sum = 0
    for (const draw of samplers) sum += draw()
    return sum
  })
}

/** Index of the first element at or above `value`. */
function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

function sampled(draws: number, observed: number, draw: () => number): PermutationTest {
  const threshold = Math.abs(observed) - tolerance
  let hits = 0
  let above = 0
  for (let index = 0; index < draws; index++) {
    const sum = draw()
    if (Math.abs(sum) >= threshold) hits++
    if (sum >= observed - tolerance) above++
  }
  return { p: (1 + hits) / (1 + draws), greater: (1 + above) / (1 + draws), exact: false }
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
