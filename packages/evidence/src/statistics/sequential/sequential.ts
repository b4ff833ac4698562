// A sequential test of B against a finished run A that may be looked at after every round. It
// multiplies bets on the difference of pass rates (e-values); by Ville's inequality, a product above
// 1 / alpha has probability at most alpha under the null hypothesis, however often it is looked at.
// docs/zcl-compare.md has the derivation.

export type SequentialOutcome = 'passed' | 'failed' | 'lost'

/** Outcomes of one mission in the order in which the attempts ran. */
export interface SequentialMission {
  a: readonly SequentialOutcome[]
  b: readonly SequentialOutcome[]
}

export interface SequentialDesign {
  /** The most attempts of B per mission. */
  maxRounds: number
  alpha: number
  /** Pass rates that differ by less are equal in practice. */
  margin: number
}

export type Decision = 'better' | 'worse' | 'equal' | 'undecided'

export interface SequentialTest {
  decision: Decision
  /** Attempts of B per mission at the decision, or so far. */
  rounds: number
  /** Evidence for each claim; it decides at the threshold of the claim. */
  eValues: { better: number; worse: number; equal: number }
  thresholds: { better: number; worse: number; equal: number }
}

/** Evaluates every completed step until a claim is decided. */
export function sequentialTest(
  missions: readonly SequentialMission[],
  design: SequentialDesign,
): SequentialTest {
  const { alpha, margin, maxRounds } = design
  const bets = {
    better: new Bets(0),
    worse: new Bets(0),
    aboveLower: new Bets(margin),
    belowUpper: new Bets(margin),
  }
  // Better and worse share alpha. Equal needs both of its bets at alpha, as in two one-sided tests.
  const thresholds = { better: 2 / alpha, worse: 2 / alpha, equal: 1 / alpha }
  const eValues = () => ({
    better: bets.better.eValue(),
    worse: bets.worse.eValue(),
    equal: Math.min(bets.aboveLower.eValue(), bets.belowUpper.eValue()),
  })
  let rounds = 0
  for (const step of stepsOf(missions, maxRounds)) {
    if (missions.some(({ b }) => b.length < step.b.to)) break
    rounds = step.b.to
    for (const mission of missions) {
      const { highest, lowest } = differencesAt(mission, step)
      bets.better.add(lowest)
      bets.worse.add(-highest)
      bets.aboveLower.add(lowest)
      bets.belowUpper.add(-highest)
    }
    const current = eValues()
    const decision = (['better', 'worse', 'equal'] as const).find(
      (claim) => current[claim] >= thresholds[claim],
    )
    if (decision !== undefined) return { decision, rounds, eValues: current, thresholds }
  }
  const seen = Math.min(...missions.map(({ b }) => b.length))
  return {
    decision: 'undecided',
    rounds: Number.isFinite(seen) ? Math.max(rounds, seen) : 0,
    eValues: eValues(),
    thresholds,
  }
}

interface Step {
  /** By mission. */
  a: (attempts: number) => { from: number; to: number }
  b: { from: number; to: number }
}

/**
 * Spreads the attempts of A and the rounds of B over the same number of steps, so that every step
 * has new attempts of both sides in every mission. The spread is fixed before the first look.
 */
function* stepsOf(missions: readonly SequentialMission[], maxRounds: number): Generator<Step> {
  const steps = Math.min(maxRounds, ...missions.map(({ a }) => a.length))
  const part = (total: number, index: number) => ({
    from: Math.floor((total * index) / steps),
    to: Math.floor((total * (index + 1)) / steps),
  })
  for (let index = 0; index < steps; index++) {
    yield { a: (attempts) => part(attempts, index), b: part(maxRounds, index) }
  }
}

/** B minus A of one step; lost attempts count in favour of the highest or the lowest difference. */
function differencesAt({ a, b }: SequentialMission, step: Step) {
  const inA = step.a(a.length)
  const [ofA, ofB] = [a.slice(inA.from, inA.to), b.slice(step.b.from, step.b.to)]
  return {
    highest: rate(ofB, 1) - rate(ofA, 0),
    lowest: rate(ofB, 0) - rate(ofA, 1),
  }
}

function rate(outcomes: readonly SequentialOutcome[], lost: 0 | 1): number {
  const passes = outcomes.reduce(
    (sum, outcome) => sum + (outcome === 'lost' ? lost : Number(outcome === 'passed')),
    0,
  )
  return passes / outcomes.length
}

/** Stakes as shares of the largest stake that cannot lose more than everything. */
const stakes = [0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.65, 0.9]

/**
 * Bets against "the mean difference over missions is at most -margin". Each stake keeps its own
 * product and stays the same for all missions of a step. The product of a step has mean
 * prod(1 + stake * (difference + margin)), at most 1 under the null by the inequality of arithmetic
 * and geometric means, also if missions differ. The average over stakes is an e-value, too.
 */
class Bets {
  readonly #margin: number
  readonly #logs = stakes.map(() => 0)

  constructor(margin: number) {
    this.#margin = margin
  }

  add(difference: number): void {
    for (const [index, stake] of stakes.entries()) {
      const gain = (stake / (1 - this.#margin)) * (difference + this.#margin)
      this.#logs[index] = (this.#logs[index] as number) + Math.log1p(gain)
    }
  }

  eValue(): number {
    return this.#logs.reduce((sum, log) => sum + Math.exp(log), 0) / stakes.length
  }
}
