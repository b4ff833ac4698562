// The number of attempts that detects a difference of pass rates with a given probability, for the
// stratified permutation test of `zcl compare`. The power comes from a normal approximation that
// includes the discreteness of the test; bench/statistics checks it by simulation.
import { normalCdf, normalQuantile } from '../normal.ts'

export interface PlanOptions {
  /** The difference of pass rates to detect, such as 0.1. */
  effect: number
  power: number
  alpha: number
}

export interface Plan extends PlanOptions {
  missions: number
  /** Per mission and side; null if the limit of 100,000 does not suffice. */
  attemptsPerMission: number | null
  /** The power at that number, for the harder of the two directions. */
  expectedPower: number | null
}

const maxAttempts = 100_000
/** A number of attempts within one point of the promised power is enough. */
const powerTolerance = 0.01

/** `rates`: the pass rate of A in each mission. */
export function planAttempts(rates: readonly number[], options: PlanOptions): Plan {
  const power = (attempts: number) => powerOf(rates, attempts, options)
  const target = options.power - powerTolerance
  let high = 1
  while (high <= maxAttempts && power(high) < target) high *= 2
  const attemptsPerMission = high > maxAttempts ? null : smallest(high, (n) => power(n) >= target)
  return {
    ...options,
    missions: rates.length,
    attemptsPerMission,
    expectedPower:
      attemptsPerMission === null ? null : Number(power(attemptsPerMission).toFixed(3)),
  }
}

/** The smallest number up to `high` that suffices; the power rises with the number. */
function smallest(high: number, suffices: (attempts: number) => boolean): number {
  let [low, top] = [Math.floor(high / 2), high]
  while (top - low > 1) {
    const middle = Math.floor((low + top) / 2)
    if (suffices(middle)) top = middle
    else low = middle
  }
  return top
}

/** The smaller power of the directions that every mission has room for. */
function powerOf(rates: readonly number[], attempts: number, options: PlanOptions): number {
  const { effect, alpha } = options
  const powers = [effect, -effect]
    .map((shift) => rates.map((rate) => Math.min(1, Math.max(0, rate + shift))))
    .filter((shifted) => meanShift(rates, shifted) > 0.999 * effect)
    .map((shifted) => powerAgainst(rates, shifted, attempts, alpha))
  if (powers.length > 0) return Math.min(...powers)
  // No direction has room in every mission: use the larger of the clipped shifts.
  return Math.max(
    ...[effect, -effect].map((shift) => {
      const shifted = rates.map((rate) => Math.min(1, Math.max(0, rate + shift)))
      return powerAgainst(rates, shifted, attempts, alpha)
    }),
  )
}

function meanShift(from: readonly number[], to: readonly number[]): number {
  const sum = from.reduce((total, rate, index) => total + (to[index] as number) - rate, 0)
  return Math.abs(sum) / from.length
}

/**
 * The statistic is the number of passes in B minus that in A. Given the passes t of a mission's 2n
 * attempts, its variance under the null is t(2n - t) / (2n - 1). Given the total, the statistic
 * moves in steps of 2, so it must exceed the normal critical value by 1.
 */
function powerAgainst(
  from: readonly number[],
  to: readonly number[],
  n: number,
  alpha: number,
): number {
  let mean = 0
  let variance = 0
  let nullVariance = 0
  for (const [index, a] of from.entries()) {
    const b = to[index] as number
    const spread = n * (a * (1 - a) + b * (1 - b))
    const passes = n * (a + b)
    mean += n * (b - a)
    variance += spread
    nullVariance += (passes * (2 * n - passes) - spread) / (2 * n - 1)
  }
  const critical = Math.floor(normalQuantile(1 - alpha / 2) * Math.sqrt(nullVariance) + 1) + 0.5
  if (variance === 0) return Math.abs(mean) > critical ? 1 : 0
  return normalCdf((Math.abs(mean) - critical) / Math.sqrt(variance))
}
