// Compares single missions: rates, the interval of their difference, and a test that treats all
// missions as one family.
import { rounded } from '../distribution.ts'
import type { Pair } from './pairs.ts'
import { holm, stratifiedTest } from '../permutation.ts'
import type { Random } from '../random.ts'
import { differenceInterval, type Rate } from '../rate.ts'
import { countOutcomes, passRateOf, roundedRate } from '../statistics.ts'

export interface MissionComparison {
  missionId: string
  contentHash: string
  a: MissionSide
  b: MissionSide
  /** B minus A, with Newcombe's interval; no interval if a side has fewer than two attempts. */
  difference: number
  low: number | null
  high: number | null
  /** Of the permutation test of this mission. */
  p: number
  /** Adjusted by Holm's method over the missions. */
  pAdjusted: number
  /** Based on `pAdjusted`. */
  level: 'better' | 'worse' | 'undecided'
}

export interface MissionSide {
  rate: Rate
  infra: number
  missing: number
}

export function compareMissions(
  pairs: readonly Pair[],
  { alpha, resamples }: { alpha: number; resamples: number },
  random: Random,
): MissionComparison[] {
  const compared = pairs.map((pair) => {
    const a = sideOf(pair.a, alpha)
    const b = sideOf(pair.b, alpha)
    const test = stratifiedTest([{ a: a.rate, b: b.rate }], resamples, random)
    return { pair, a, b, p: test.p }
  })
  const adjusted = holm(compared.map(({ p }) => p))
  return compared.map(({ pair, a, b, p }, index) => {
    const difference = (b.rate.rate ?? 0) - (a.rate.rate ?? 0)
    const interval = differenceInterval(a.rate, b.rate)
    const pAdjusted = adjusted[index] ?? 1
    return {
      missionId: pair.missionId,
      contentHash: pair.contentHash,
      a: { ...a, rate: roundedRate(a.rate) },
      b: { ...b, rate: roundedRate(b.rate) },
      difference: rounded(difference),
      low: interval === undefined ? null : rounded(interval.low),
      high: interval === undefined ? null : rounded(interval.high),
      p: rounded(p),
      pAdjusted: rounded(pAdjusted),
      level: levelOf(difference, pAdjusted < alpha),
    }
  })
}

function levelOf(difference: number, isDecided: boolean): MissionComparison['level'] {
  if (!isDecided) return 'undecided'
  return difference > 0 ? 'better' : 'worse'
}

function sideOf(attempts: Pair['a'], alpha: number): MissionSide {
  const { infra, missing } = countOutcomes(attempts)
  return { rate: passRateOf(attempts, 1 - alpha), infra, missing }
}
