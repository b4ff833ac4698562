// Attempts without a verdict about the agent: infrastructure failures and missing outcomes. They are
// never dropped as if at random. The comparison is repeated with all of them failed and with all of
// them passed, and a verdict stands only if it survives both.
import { meanOf, rounded } from '../distribution.ts'
import type { Pair } from './pairs.ts'
import { stratifiedTest, type MissionCounts } from '../permutation.ts'
import { Random } from '../random.ts'
import { countOutcomes, type OutcomeCounts } from '../statistics.ts'
import type { Verdict, VerdictOptions, VerdictWord } from './verdict.ts'

export interface LostAttempts {
  a: LostSide
  b: LostSide
  /** One-sided p-value of "B loses more attempts than A", attempts exchanged within missions. */
  pMoreInB: number
  /** B minus A in the worst case (A's lost attempts passed, B's failed) and in the best case. */
  bounds: { worst: number; best: number } | null
  /** The verdicts with all lost attempts failed and with all passed. */
  onTheseMissions: { allFailed: VerdictWord; allPassed: VerdictWord } | null
}

export interface LostSide {
  infra: number
  missing: number
  /** Share of the attempts of the common missions. */
  share: number
  /** Mean pass rate over missions if all lost attempts failed, or all passed. */
  rate: { allFailed: number; allPassed: number }
}

/** `pairs` includes missions of which no attempt was judged. */
export function lostAttempts(
  pairs: readonly Pair[],
  options: VerdictOptions,
  judge: (missions: readonly MissionCounts[], options: VerdictOptions) => Verdict,
): LostAttempts {
  const counts = pairs.map(({ a, b }) => ({ a: countOutcomes(a), b: countOutcomes(b) }))
  const lost = counts.map(({ a, b }) => ({ a: lostOf(a), b: lostOf(b) }))
  const sides = { a: sideOf(counts.map(({ a }) => a)), b: sideOf(counts.map(({ b }) => b)) }
  const hasLost = sides.a.share > 0 || sides.b.share > 0
  const test = stratifiedTest(lost, options.resamples, new Random(options.seed))
  return {
    ...sides,
    pMoreInB: rounded(hasLost ? test.greater : 1),
    bounds: hasLost
      ? {
          worst: rounded(sides.b.rate.allFailed - sides.a.rate.allPassed),
          best: rounded(sides.b.rate.allPassed - sides.a.rate.allFailed),
        }
      : null,
    onTheseMissions: hasLost
      ? {
          allFailed: judge(withLost(counts, false), options).verdict,
          allPassed: judge(withLost(counts, true), options).verdict,
        }
      : null,
  }
}

/** The verdict, or `undecided: infra` if lost attempts could change it. */
export function survivingVerdict(
  verdict: Verdict,
  pairs: readonly Pair[],
  options: VerdictOptions,
  judge: (missions: readonly MissionCounts[], options: VerdictOptions) => Verdict,
): Verdict {
  const counts = pairs.map(({ a, b }) => ({ a: countOutcomes(a), b: countOutcomes(b) }))
  if (counts.every(({ a, b }) => lostOf(a).passed + lostOf(b).passed === 0)) return verdict
  const words = [false, true].map((passed) => judge(withLost(counts, passed), options).verdict)
  const survives = words.every((word) => word === verdict.verdict)
  return survives ? verdict : { ...verdict, verdict: 'undecided: infra' }
}

type Counted = { a: OutcomeCounts; b: OutcomeCounts }

function withLost(counts: readonly Counted[], passed: boolean): MissionCounts[] {
  const side = (each: OutcomeCounts) => ({
    passed: each.passed + (passed ? each.infra + each.missing : 0),
    judged: each.attempts,
  })
  return counts.map(({ a, b }) => ({ a: side(a), b: side(b) }))
}

/** Lost attempts as the "passes" of a test about losing attempts. */
function lostOf({ infra, missing, attempts }: OutcomeCounts): MissionCounts['a'] {
  return { passed: infra + missing, judged: attempts }
}

function sideOf(counts: readonly OutcomeCounts[]): LostSide {
  const total = (key: 'infra' | 'missing' | 'attempts') =>
    counts.reduce((sum, each) => sum + each[key], 0)
  const [infra, missing, attempts] = [total('infra'), total('missing'), total('attempts')]
  const mean = (extra: (each: OutcomeCounts) => number) =>
    rounded(meanOf(counts.map((each) => (each.passed + extra(each)) / each.attempts)))
  return {
    infra,
    missing,
    share: rounded((infra + missing) / attempts),
    rate: { allFailed: mean(() => 0), allPassed: mean((each) => each.infra + each.missing) },
  }
}
