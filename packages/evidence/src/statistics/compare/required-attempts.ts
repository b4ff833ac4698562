// Computes the number of attempts needed to detect a difference: the standard formula for two
// means, with the variances within and between missions estimated from the observed attempts.
import type { MissionCounts } from '../permutation.ts'
import { normalQuantile } from '../normal.ts'

export interface Plan {
  /** The difference of pass rates to detect, such as 0.1. */
  effect: number
  power: number
  alpha: number
  missions: number
  /** Per mission and side; null if no number suffices with this number of missions. */
  attemptsPerMission: number | null
  /** Number of missions needed at the present number of attempts per mission. */
  missionsAtPresentAttempts: number
}

/**
 * With M missions, n attempts for each and side, within-mission variance w and between-mission
 * variance v of the difference, the variance of the mean difference is (v + 2w/n) / M. It must be
 * at most (effect / (z(1 - alpha/2) + z(power)))^2.
 */
export function requiredAttempts(
  missions: readonly MissionCounts[],
  { effect, power, alpha }: { effect: number; power: number; alpha: number },
): Plan {
  const count = missions.length
  const maxVariance = (effect / (normalQuantile(1 - alpha / 2) + normalQuantile(power))) ** 2
  const within = meanBy(missions, withinVariance)
  const between = betweenVariance(missions)
  const budget = count * maxVariance - between
  const present = meanBy(missions, ({ a, b }) => (1 / a.judged + 1 / b.judged) / 2)
  return {
    effect,
    power,
    alpha,
    missions: count,
    attemptsPerMission: budget > 0 ? Math.max(1, Math.ceil((2 * within) / budget - 1e-9)) : null,
    missionsAtPresentAttempts: Math.max(
      1,
      Math.ceil((between + 2 * within * present) / maxVariance - 1e-9),
    ),
  }
}

/** Adds half a pass and half a fail, so that the variance is never 0. */
function withinVariance({ a, b }: MissionCounts): number {
  const rate = (a.passed + b.passed + 0.5) / (a.judged + b.judged + 1)
  return rate * (1 - rate)
}

/** The variance of the differences that their attempts do not explain; never below 0. */
function betweenVariance(missions: readonly MissionCounts[]): number {
  if (missions.length < 2) return 0
  const differences = missions.map(({ a, b }) => b.passed / b.judged - a.passed / a.judged)
  const mean = meanBy(differences, (each) => each)
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  const explained = meanBy(
    missions,
    (each) => withinVariance(each) * (1 / each.a.judged + 1 / each.b.judged),
  )
  return Math.max(0, squares / (missions.length - 1) - explained)
}

function meanBy<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0) / items.length
}
