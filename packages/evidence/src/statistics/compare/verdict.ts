// The two verdicts of a comparison of pass rates. Each has one test that was chosen in advance, one
// p-value and one interval. A difference needs p below alpha, `equal` needs an equivalence test, and
// everything else is undecided.
import { meanOf, rounded } from '../distribution.ts'
import { differenceOf, signFlipTest, stratifiedTest, type MissionCounts } from '../permutation.ts'
import type { PermutationTest } from '../permutation.ts'
import { Random } from '../random.ts'
import type { Interval } from '../rate.ts'
import { scoreInterval } from '../score-interval.ts'
import { tQuantile } from '../student-t.ts'

export type VerdictWord = 'better' | 'worse' | 'equal' | 'undecided' | 'undecided: infra'

export interface Verdict {
  name: 'on these missions' | 'on missions like these'
  verdict: VerdictWord
  /** Why there is no verdict. */
  reason?: string
  test: 'stratified permutation' | 'sign flip by mission'
  /** Two-sided; null if the test cannot be made. */
  p: number | null
  /** Whether every arrangement was counted. */
  exact: boolean
  missions: number
  /** B minus A, the mean over missions; the interval is absent with too few attempts. */
  difference: number | null
  low: number | null
  high: number | null
  /** The interval at 1 - 2 alpha, which must lie inside the margin for `equal`. */
  equivalence: { margin: number; low: number | null; high: number | null }
}

export interface VerdictOptions {
  alpha: number
  margin: number
  seed: number
  resamples: number
}

/** Fewer missions cannot be below 0.05 in a sign-flip test. */
export const minMissionsToGeneralise = 6
export const tooFewMissions = 'too few missions to generalise'

/** Missions are fixed; attempts vary. */
export function verdictOnThese(
  missions: readonly MissionCounts[],
  options: VerdictOptions,
): Verdict {
  const name = 'on these missions' as const
  const test = 'stratified permutation' as const
  if (missions.length === 0) return noVerdict(name, test, options.margin, 'no judged attempts')
  const permutation = stratifiedTest(missions, options.resamples, new Random(options.seed))
  // One attempt has no spread.
  const hasInterval = (['a', 'b'] as const).every(
    (side) => missions.reduce((sum, mission) => sum + mission[side].judged, 0) > 1,
  )
  const intervalAt = (confidence: number) =>
    hasInterval ? scoreInterval(missions, confidence) : undefined
  return decided({ name, test, missions, permutation, intervalAt }, options)
}

/** Missions are a sample of missions like these. */
export function verdictOnLikeThese(
  missions: readonly MissionCounts[],
  options: VerdictOptions,
): Verdict {
  const name = 'on missions like these' as const
  const test = 'sign flip by mission' as const
  if (missions.length < minMissionsToGeneralise) {
    const refusal = noVerdict(name, test, options.margin, tooFewMissions)
    const difference = missions.length === 0 ? null : rounded(meanOf(missions.map(differenceOf)))
    return { ...refusal, missions: missions.length, difference }
  }
  const permutation = signFlipTest(missions, options.resamples, new Random(options.seed))
  const differences = missions.map(differenceOf)
  const intervalAt = (confidence: number) => clusterInterval(differences, confidence)
  return decided({ name, test, missions, permutation, intervalAt }, options)
}

interface Evaluation {
  name: Verdict['name']
  test: Verdict['test']
  missions: readonly MissionCounts[]
  permutation: PermutationTest
  intervalAt: (confidence: number) => Interval | undefined
}

function decided(evaluation: Evaluation, { alpha, margin }: VerdictOptions): Verdict {
  const { name, test, missions, permutation, intervalAt } = evaluation
  const difference = meanOf(missions.map(differenceOf))
  const interval = intervalAt(1 - alpha)
  const narrow = intervalAt(1 - 2 * alpha)
  return {
    name,
    verdict: wordOf(difference, permutation.p, narrow, { alpha, margin }),
    test,
    p: rounded(permutation.p),
    exact: permutation.exact,
    missions: missions.length,
    difference: rounded(difference),
    ...limitsOf(interval),
    equivalence: { margin, ...limitsOf(narrow) },
  }
}

/** `narrow` is the interval of two one-sided tests at alpha. */
function wordOf(
  difference: number,
  p: number,
  narrow: Interval | undefined,
  { alpha, margin }: { alpha: number; margin: number },
): VerdictWord {
  if (p < alpha) return difference > 0 ? 'better' : 'worse'
  const isEqual = narrow !== undefined && narrow.low > -margin && narrow.high < margin
  return isEqual ? 'equal' : 'undecided'
}

/** Student's t interval of the missions' differences. */
function clusterInterval(differences: readonly number[], confidence: number): Interval {
  const count = differences.length
  const mean = meanOf(differences)
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  if (squares < 1e-12) return unvariedInterval(mean, count, confidence)
  const t = tQuantile(1 - (1 - confidence) / 2, count - 1)
  const half = t * Math.sqrt(squares / (count - 1) / count)
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) }
}

/**
 * All missions have the same difference. Other missions may differ with a probability of at most
 * the exact upper limit for 0 of `count` (Clopper and Pearson 1934), and then by anything.
 */
function unvariedInterval(mean: number, count: number, confidence: number): Interval {
  const other = 1 - ((1 - confidence) / 2) ** (1 / count)
  return { low: (1 - other) * mean - other, high: (1 - other) * mean + other }
}

function limitsOf(interval: Interval | undefined): { low: number | null; high: number | null } {
  if (interval === undefined) return { low: null, high: null }
  return { low: rounded(interval.low), high: rounded(interval.high) }
}

function noVerdict(
  name: Verdict['name'],
  test: Verdict['test'],
  margin: number,
  reason: string,
): Verdict {
  const nothing = { difference: null, low: null, high: null }
  const equivalence = { margin, low: null, high: null }
  const word = { verdict: 'undecided' as const, reason, test, p: null, exact: false }
  return { name, ...word, missions: 0, ...nothing, equivalence }
}
