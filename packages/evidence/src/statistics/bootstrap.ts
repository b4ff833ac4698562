// Hierarchical bootstrap of a difference between two sides: missions are drawn with replacement, then
// attempts within each drawn mission, on each side. What is resampled is the mean over missions of the
// difference of the missions' means, so every mission counts the same however many attempts it has.
import { quantile } from './distribution.ts'
import type { Random } from './random.ts'
import type { Interval } from './rate.ts'

/** The attempts of one side of a mission: `width` measures each, one attempt after another. */
export type Attempts = Float64Array

export interface PairedMission {
  a: Attempts
  b: Attempts
}

export interface Resampling {
  /** Measures of an attempt. */
  width: number
  resamples: number
}

const minResamples = 1000
/** Draws of attempts in all: large runs are resampled less often, never fewer than 1,000 times. */
const maxDraws = 60_000_000

/** How often so many attempts are resampled. */
export function resamplesFor(attempts: number, wanted: number): number {
  const affordable = Math.floor(maxDraws / Math.max(1, attempts))
  return Math.min(wanted, Math.max(minResamples, affordable))
}

/** For each measure the resampled differences, sorted. */
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
      const of = results[measure] as Float64Array
      of[resample] = (sums[measure] as number) / missions.length
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
