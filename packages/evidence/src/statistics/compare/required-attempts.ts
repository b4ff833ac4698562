// How many attempts it takes to see a difference: the usual calculation for two means, with the spread
// of attempts within missions and of true differences between missions taken from what was seen.
import type { MissionCounts } from '../permutation.ts'
import { normalQuantile } from '../normal.ts'

export interface Plan {
  /** The difference of pass rates to be seen, such as 0.1. */
  effect: number
  power: number
  alpha: number
  missions: number
  /** For each mission and side; null when no number is enough with so few missions. */
  attemptsPerMission: number | null
  /** Missions needed with as many attempts for each as now. */
  missionsAtPresentAttempts: number
}

/**
 * With M missions, n attempts for each and side, within-mission variance w and between-mission
 * variance v of the difference, the variance of the mean difference is (v + 2w/n) / M. It is wanted
 * at most (effect / (z(1 - alpha/2) + z(power)))^2.
 */
export function requiredAttempts(
  missions: readonly MissionCounts[],
  { effect, power, alpha }: { effect: number; power: number; alpha: number },
): Plan {
  const count = missions.length
  const wanted = (effect / (normalQuantile(1 - alpha / 2) + normalQuantile(power))) ** 2
  const within = meanBy(missions, withinVariance)
  const between = betweenVariance(missions)
  const room = count * wanted - between
  const present = meanBy(missions, ({ a, b }) => (1 / a.judged + 1 / b.judged) / 2)
  return {
    effect,
    power,
    alpha,
    missions: count,
    attemptsPerMission: room > 0 ? Math.max(1, Math.ceil((2 * within) / room - 1e-9)) : null,
    missionsAtPresentAttempts: Math.max(
      1,
      Math.ceil((between + 2 * within * present) / wanted - 1e-9),
    ),
  }
}

/** Half a pass and half a fail are added, so that a mission which always passed is not taken for sure. */
function withinVariance({ a, b }: MissionCounts): number {
  const rate = (a.passed + b.passed + 0.5) / (a.judged + b.judged + 1)
  return rate * (1 - rate)
}

/** What the differences vary more than their attempts explain; never below 0. */
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
