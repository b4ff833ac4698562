// Two-sided permutation tests of "there is no difference". The sign-flip test exchanges the sides of
// whole missions; the test within missions exchanges single attempts, for when there are too few
// missions to flip. Small cases are enumerated; large ones are drawn, and then (1 + hits) / (1 + draws)
// is the p-value, so that it is never 0.
import type { Random } from './random.ts'

export interface PermutationTest {
  p: number
  /** Every arrangement was looked at. */
  exact: boolean
}

/** Passes and attempts of one mission on both sides. */
export interface MissionCounts {
  a: { passed: number; judged: number }
  b: { passed: number; judged: number }
}

const maxExactFlips = 16
const maxExactArrangements = 200_000
/** Sums of the same numbers in another order differ by less. */
const tolerance = 1e-9

/** Over the differences of paired missions; those that are 0 are the same either way. */
export function signFlipTest(
  differences: readonly number[],
  draws: number,
  random: Random,
): PermutationTest {
  const moved = differences.filter((each) => each !== 0)
  const least = Math.abs(moved.reduce((sum, each) => sum + each, 0)) - tolerance
  if (moved.length <= maxExactFlips) return { p: exactFlips(moved, least), exact: true }
  let hits = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (const each of moved) sum += random.next() < 0x80000000 ? each : -each
    if (Math.abs(sum) >= least) hits++
  }
  return { p: (1 + hits) / (1 + draws), exact: false }
}

/** Over the attempts of each mission; the statistic is the sum of the missions' differences. */
export function withinMissionsTest(
  missions: readonly MissionCounts[],
  draws: number,
  random: Random,
): PermutationTest {
  const laws = missions.map(nullDistribution)
  const least = Math.abs(laws.reduce((sum, law) => sum + law.observed, 0)) - tolerance
  const arrangements = laws.reduce((product, law) => product * law.differences.length, 1)
  if (arrangements <= maxExactArrangements) return { p: exactShare(laws, least), exact: true }
  let hits = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (const mission of missions) sum += drawnDifference(mission, random)
    if (Math.abs(sum) >= least) hits++
  }
  return { p: (1 + hits) / (1 + draws), exact: false }
}

/** Holm (1979): p-values as they are when the whole family may err only so often. */
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

/** Each step flips one sign (a Gray code), so that a sum costs one addition. */
function exactFlips(values: readonly number[], least: number): number {
  const total = 2 ** values.length
  const isFlipped = values.map(() => false)
  let sum = values.reduce((all, each) => all + each, 0)
  let hits = Math.abs(sum) >= least ? 1 : 0
  for (let step = 1; step < total; step++) {
    const at = 31 - Math.clz32(step & -step)
    const change = 2 * (values[at] as number)
    sum += isFlipped[at] === true ? change : -change
    isFlipped[at] = isFlipped[at] !== true
    if (Math.abs(sum) >= least) hits++
  }
  return hits / total
}

/** The differences that a mission can show when its passes fall to either side by chance. */
interface NullDistribution {
  observed: number
  differences: number[]
  shares: number[]
}

function nullDistribution({ a, b }: MissionCounts): NullDistribution {
  const passes = a.passed + b.passed
  const fewest = Math.max(0, passes - b.judged)
  const most = Math.min(a.judged, passes)
  const law: NullDistribution = {
    observed: differenceOf(a.passed, passes, a, b),
    differences: [],
    shares: [],
  }
  const all = logChoose(a.judged + b.judged, passes)
  for (let inA = fewest; inA <= most; inA++) {
    law.differences.push(differenceOf(inA, passes, a, b))
    const ways = logChoose(a.judged, inA) + logChoose(b.judged, passes - inA)
    law.shares.push(Math.exp(ways - all))
  }
  return law
}

function differenceOf(
  inA: number,
  passes: number,
  a: MissionCounts['a'],
  b: MissionCounts['b'],
): number {
  return (passes - inA) / b.judged - inA / a.judged
}

function exactShare(laws: readonly NullDistribution[], least: number): number {
  const shareFrom = (index: number, sum: number): number => {
    const law = laws[index]
    if (law === undefined) return Math.abs(sum) >= least ? 1 : 0
    let share = 0
    for (const [at, difference] of law.differences.entries()) {
      share += (law.shares[at] as number) * shareFrom(index + 1, sum + difference)
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
