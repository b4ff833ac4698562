// Simulations of `zcl compare`, `zcl plan` and `zcl suite run --until-decided`: how often a verdict
// is wrong without a difference, and how often it is right with one. Each function returns counts
// over a number of rounds; the same seed gives the same counts.
import type { AttemptFacts, RunFacts } from '@zee/evidence/statistics'
import { compareDefaults, compareRuns, planAttempts } from '@zee/evidence/statistics/compare'
import { sequentialTest, type SequentialOutcome } from '@zee/evidence/statistics/sequential'

export interface Design {
  missions: number
  attempts: number
}

/** A generator of numbers from 0 to 1 (mulberry32), independent of the product's own. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Missions whose pass rates differ by +0.4 or -0.4 between the sides, with mean 0: how many rounds
 * call that a difference on missions like these.
 */
export function heterogeneousNull(design: Design, rounds: number, seed = 1): number {
  const random = randomNumbers(seed)
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const rates = Array.from({ length: design.missions }, () => {
      const effect = random() < 0.5 ? 0.4 : -0.4
      return { a: 0.5 - effect / 2, b: 0.5 + effect / 2 }
    })
    const { onMissionsLikeThese } = compared(rates, design.attempts, random)
    if (isDifference(onMissionsLikeThese.verdict)) wrong++
  }
  return wrong
}

/** Equal pass rates: how many rounds call that a difference on these missions. */
export function homogeneousNull(design: Design, rounds: number, seed = 2): number {
  const random = randomNumbers(seed)
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const rates = Array.from({ length: design.missions }, () => {
      const rate = 0.1 + 0.8 * random()
      return { a: rate, b: rate }
    })
    if (isDifference(compared(rates, design.attempts, random).onTheseMissions.verdict)) wrong++
  }
  return wrong
}

/** A true difference of exactly the margin: how many rounds call the runs equal. */
export function falselyEqual(design: Design, margin: number, rounds: number, seed = 7): number {
  const random = randomNumbers(seed)
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const rates = Array.from({ length: design.missions }, () => {
      const rate = 0.2 + 0.4 * random()
      return { a: rate, b: rate + margin }
    })
    const settings = { resamples: 100, margin }
    const { onTheseMissions } = compared(rates, design.attempts, random, settings)
    if (onTheseMissions.verdict === 'equal') wrong++
  }
  return wrong
}

/** Equally distributed measures: how many rounds call any of them better or worse. */
export function measuresNull(design: Design, rounds: number, seed = 3): number {
  const random = randomNumbers(seed)
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const rates = Array.from({ length: design.missions }, () => ({ a: 0.5, b: 0.5 }))
    const { measures } = compared(rates, design.attempts, random, { resamples: 2000 })
    if (measures.some(({ level }) => isDifference(level))) wrong++
  }
  return wrong
}

/** A difference of ten points at the number of attempts that `zcl plan` gives: rounds that see it. */
export function plannedPower(
  missions: number,
  rounds: number,
  seed = 4,
): { attempts: number; seen: number } {
  const random = randomNumbers(seed)
  const rates = Array.from({ length: missions }, () => 0.5)
  const plan = planAttempts(rates, { effect: 0.1, power: 0.8, alpha: 0.05 })
  const attempts = plan.attemptsPerMission ?? 0
  let seen = 0
  for (let round = 0; round < rounds; round++) {
    const sides = rates.map((rate) => ({ a: rate, b: rate + 0.1 }))
    if (compared(sides, attempts, random, { resamples: 100 }).onTheseMissions.verdict === 'better')
      seen++
  }
  return { attempts, seen }
}

/** Equal or different pass rates, looked at after every round: what the sequential test decides. */
export function sequentialRuns(
  design: Design,
  shift: number,
  rounds: number,
  seed = 5,
): { wrong: number; right: number; attempts: number } {
  const random = randomNumbers(seed)
  const count = { wrong: 0, right: 0, attempts: 0 }
  const truth = shift === 0 ? 'equal' : shift > 0 ? 'better' : 'worse'
  for (let round = 0; round < rounds; round++) {
    const draw = (rate: number): SequentialOutcome[] =>
      Array.from({ length: design.attempts }, () => (random() < rate ? 'passed' : 'failed'))
    const missions = Array.from({ length: design.missions }, () => {
      const rate = 0.2 + 0.5 * random()
      return { a: draw(rate), b: draw(rate + shift) }
    })
    const settings = { maxRounds: design.attempts, alpha: 0.05, margin: 0.05 }
    const { decision, rounds: used } = sequentialTest(missions, settings)
    count.attempts += used * design.missions
    if (decision === truth) count.right++
    else if (decision !== 'undecided') count.wrong++
  }
  return count
}

/** How many 95 % intervals on these missions contain the true difference. */
export function coverage(design: Design, shift: number, rounds: number, seed = 6): number {
  const random = randomNumbers(seed)
  let covered = 0
  for (let round = 0; round < rounds; round++) {
    const rates = Array.from({ length: design.missions }, () => {
      const rate = 0.1 + 0.6 * random()
      return { a: rate, b: rate + shift }
    })
    const { low, high } = compared(rates, design.attempts, random, {
      resamples: 100,
    }).onTheseMissions
    if (low !== null && high !== null && low <= shift && shift <= high) covered++
  }
  return covered
}

function isDifference(word: string): boolean {
  return word === 'better' || word === 'worse'
}

function compared(
  rates: readonly { a: number; b: number }[],
  attempts: number,
  random: () => number,
  settings: { resamples?: number; margin?: number } = {},
) {
  const side = (which: 'a' | 'b'): RunFacts => ({
    runId: which,
    suiteId: 'simulated',
    pinned: false,
    attempts: rates.flatMap((rate, mission) =>
      Array.from({ length: attempts }, () => drawnAttempt(mission, rate[which], random)),
    ),
  })
  const options = { ...compareDefaults, resamples: 200, anyProfile: false, ...settings }
  return compareRuns({ runs: [side('a')] }, { runs: [side('b')] }, options)
}

/** Calls, time, bytes and tokens are skewed and correlated, as in real attempts. */
function drawnAttempt(mission: number, rate: number, random: () => number): AttemptFacts {
  const size = Math.exp(gaussian(random)) * (1 + mission / 3)
  const calls = 1 + Math.floor(5 * size)
  return {
    runId: 'r',
    suiteId: 'simulated',
    missionId: `m${mission}`,
    contentHash: `h${mission}`,
    attemptId: '001-m-r1',
    outcome: random() < rate ? 'passed' : 'failed',
    toolCalls: calls,
    failures: Math.floor(random() * 3),
    wallTimeMs: Math.round(1000 * size * Math.exp(0.3 * gaussian(random))),
    bytes: Math.round(200 * calls * Math.exp(0.5 * gaussian(random))),
    tokens: Math.round(300 * calls * Math.exp(0.2 * gaussian(random))),
    tokenSource: 'runner.metrics',
    costUsd: 0.01 * size,
  }
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
