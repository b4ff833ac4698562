// The stratified score interval of a difference of pass rates, Miettinen and Nurminen (1985). The
// difference is the mean over missions of B minus A. The variance is computed under each candidate
// difference, so the interval has width also if every attempt passed or every attempt failed.
import { zOf, type Interval } from './rate.ts'
import { differenceOf, type MissionCounts } from './permutation.ts'

const bisections = 60

/** The interval at this confidence; every mission has the same weight. */
export function scoreInterval(missions: readonly MissionCounts[], confidence: number): Interval {
  const difference = missions.reduce((sum, each) => sum + differenceOf(each), 0) / missions.length
  const z = zOf(confidence)
  // The score falls with the candidate, so each limit is found by bisection on its own side.
  const isInside = (candidate: number): boolean =>
    Math.abs(difference - candidate) <= z * Math.sqrt(varianceAt(missions, candidate))
  return {
    low: limit(difference, -1, isInside),
    high: limit(difference, 1, isInside),
  }
}

function limit(from: number, end: number, isInside: (candidate: number) => boolean): number {
  if (isInside(end)) return end
  let [inside, outside] = [from, end]
  for (let step = 0; step < bisections; step++) {
    const middle = (inside + outside) / 2
    if (isInside(middle)) inside = middle
    else outside = middle
  }
  return (inside + outside) / 2
}

/** Variance of the mean difference if every mission's true difference is `candidate`. */
function varianceAt(missions: readonly MissionCounts[], candidate: number): number {
  let sum = 0
  for (const mission of missions) {
    const { a, b } = mission
    const total = a.judged + b.judged
    const rateA = restrictedRate(mission, candidate)
    const rateB = Math.min(1, Math.max(0, rateA + candidate))
    const variance = (rateB * (1 - rateB)) / b.judged + (rateA * (1 - rateA)) / a.judged
    sum += (variance * total) / (total - 1)
  }
  return sum / missions.length ** 2
}

/** The most likely rate of A if B's rate is higher by `difference`: the root of a cubic. */
function restrictedRate({ a, b }: MissionCounts, difference: number): number {
  const total = a.judged + b.judged
  const passed = a.passed + b.passed
  const c2 = (b.judged + 2 * a.judged) * difference - total - passed
  const c1 = (a.judged * difference - total - 2 * a.passed) * difference + passed
  const c0 = a.passed * difference * (1 - difference)
  const q = c2 ** 3 / (27 * total ** 3) - (c1 * c2) / (6 * total ** 2) + c0 / (2 * total)
  const squared = c2 ** 2 / (9 * total ** 2) - c1 / (3 * total)
  const size = Math.sqrt(Math.max(0, squared)) * (q > 0 ? 1 : -1)
  const cosine = size === 0 ? 0 : Math.min(1, Math.max(-1, q / size ** 3))
  const rate = 2 * size * Math.cos((Math.PI + Math.acos(cosine)) / 3) - c2 / (3 * total)
  return Math.min(1, 1 - difference, Math.max(0, -difference, rate))
}
