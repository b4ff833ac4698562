// Hierarchical bootstrap of the difference between two sides: draws missions with replacement, then
// attempts within each drawn mission and side. The statistic is the mean over missions of the
// difference of their means, so every mission has the same weight.
import { quantile } from './distribution.ts'
import type { Random } from './random.ts'
import type { Interval } from './rate.ts'

/** The attempts of one side of a mission, row by row, with `width` measures each. */
export type Attempts = Float64Array

export interface PairedMission {
  a: Attempts
  b: Attempts
}

export interface Resampling {
  /** Number of measures per attempt. */
  width: number
  resamples: number
}

const minResamples = 1000
/** Cap on the draws of attempts: large runs use fewer resamples, but at least 1,000. */
const maxDraws = 60_000_000

/** Number of resamples for `attempts` attempts: `requested`, or fewer for large runs. */
export function resamplesFor(attempts: number, requested: number): number {
  const affordable = Math.floor(maxDraws / Math.max(1, attempts))
  return Math.min(requested, Math.max(minResamples, affordable))
}

/** The resampled differences of each measure, sorted. */
export function bootstrapDifferences(
  missions: readonly PairedMission[],
  { width, resamples }: Resampling,
  random: Random,
): Float64Array[] {
  const results = Array.from({ length: width }, () => new Float64Array(resamples))
  const sums = new Float64Array(width)
  for (let resample = 0; resample < resamples; resample++) {
    sums.fill(0)
    for (let drawn = 0; drawn < missions.length; drawn++) {
      const mission = missions[random.below(missions.length)] as PairedMission
      addResampledMean(mission.b, 1, sums, random)
      addResampledMean(mission.a, -1, sums, random)
    }
    for (let measure = 0; measure < width; measure++) {
      const differences = results[measure] as Float64Array
      differences[resample] = (sums[measure] as number) / missions.length
    }
  }
  return results.map((each) => each.sort())
}

/** The percentile interval of sorted resamples. */
export function percentileInterval(sorted: Float64Array, confidence: number): Interval {
  const tail = (1 - confidence) / 2
  return { low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) }
}

function addResampledMean(
  attempts: Attempts,
  sign: number,
  sums: Float64Array,
  random: Random,
): void {
  const width = sums.length
  const count = attempts.length / width
  const weight = sign / count
  for (let drawn = 0; drawn < count; drawn++) {
    const from = random.below(count) * width
    for (let measure = 0; measure < width; measure++) {
      sums[measure] = (sums[measure] as number) + weight * (attempts[from + measure] as number)
    }
  }
}
