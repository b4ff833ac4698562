// Compares two sides, paired by mission: is B better than A, worse, equal, or undecided?
// docs/zcl-compare.md has the tests, their assumptions and limits. The same runs and the same seed
// give the same result.
import { gateOf, type Gate, type GateOptions } from './gate.ts'
import { lostAttempts, survivingVerdict, type LostAttempts } from './lost.ts'
import { compareMeasures, type MeasureComparison } from './measures.ts'
import { compareMissions, type MissionComparison } from './missions.ts'
import { pairMissions, type NotCompared, type Pair, type Side } from './pairs.ts'
import type { MissionCounts } from '../permutation.ts'
import { planAttempts, type Plan } from './plan.ts'
import { Random } from '../random.ts'
import type { Rate } from '../rate.ts'
import { countOutcomes, passRateOf, roundedRate, totalCost } from '../statistics.ts'
import type { OutcomeCounts } from '../statistics.ts'
import { verdictOnLikeThese, verdictOnThese, type Verdict } from './verdict.ts'

export type { Gate } from './gate.ts'
export { junitOfComparison } from './junit.ts'
export type { LostAttempts } from './lost.ts'
export type { MeasureComparison } from './measures.ts'
export type { MissionComparison } from './missions.ts'
export type { NotCompared, NotComparedReason } from './pairs.ts'
export { planAttempts, type Plan } from './plan.ts'
export type { Verdict, VerdictWord } from './verdict.ts'
export { countsText, footLines, measureCells, measureHead } from './cells.ts'
export { missionCells, missionHead, sideText } from './cells.ts'
export { lostText, measureTitle, percentText, planText, pointsText } from './words.ts'
export { pValueText, reasonLabels, verdictText } from './words.ts'

export interface CompareOptions extends GateOptions {
  seed: number
  resamples: number
  alpha: number
  /** Pass rates that differ by less are equal in practice. */
  margin: number
  effect: number
  power: number
  /** Whether runs with different settings may be compared. */
  anyProfile: boolean
}

export const compareDefaults = {
  seed: 1,
  resamples: 10_000,
  alpha: 0.05,
  margin: 0.05,
  effect: 0.1,
  power: 0.8,
  failOn: undefined,
  maxInfra: 0.1,
  eachMission: false,
} as const

export interface Comparison {
  schemaVersion: 2
  /** False if the gate stops the pipeline. */
  ok: boolean
  suiteId: string
  a: ComparedSide
  b: ComparedSide
  onTheseMissions: Verdict
  onMissionsLikeThese: Verdict
  lost: LostAttempts
  measures: MeasureComparison[]
  missions: MissionComparison[]
  notCompared: NotCompared[]
  plan: Plan
  gate: Gate | null
  settings: { seed: number; resamples: number; alpha: number; margin: number }
  warnings: string[]
}

/** Counts cover all attempts; `rate` covers only the compared missions. */
export interface ComparedSide extends OutcomeCounts {
  runIds: string[]
  rate: Rate
  /** Cost of all attempts; absent if the cost of one is unknown. */
  costUsd?: number
}

/** Compares two sides; throws ZCL_E_NOT_COMPARABLE if no mission can be paired. */
export function compareRuns(a: Side, b: Side, options: CompareOptions): Comparison {
  const { suiteId, pairs, unjudged, notCompared, warnings } = pairMissions(a, b, options)
  const all = [...pairs, ...unjudged]
  const counts = pairs.map(countsOf)
  const random = new Random(options.seed)
  const { seed, resamples, alpha, margin } = options
  const comparison = {
    schemaVersion: 2 as const,
    suiteId,
    a: sideOf(a, pairs, 'a', alpha),
    b: sideOf(b, pairs, 'b', alpha),
    onTheseMissions: survivingVerdict(
      verdictOnThese(counts, options),
      all,
      options,
      verdictOnThese,
    ),
    onMissionsLikeThese: survivingVerdict(
      verdictOnLikeThese(counts, options),
      all,
      options,
      verdictOnLikeThese,
    ),
    lost: lostAttempts(all, options, verdictOnThese),
    measures: compareMeasures(pairs, options, random),
    missions: compareMissions(pairs, options, random),
    notCompared,
    plan: planAttempts(all.map(smoothedRate), options),
    settings: { seed, resamples, alpha, margin },
    warnings,
  }
  const gate = gateOf(comparison, options, alpha)
  return { ...ordered(comparison, gate) }
}

/** The keys in the order of the interface. */
function ordered(
  { schemaVersion, plan, settings, warnings, ...rest }: Omit<Comparison, 'gate' | 'ok'>,
  gate: Gate | null,
): Comparison {
  return { schemaVersion, ok: gate?.failed !== true, ...rest, plan, gate, settings, warnings }
}

function countsOf({ judged }: Pair): MissionCounts {
  const of = (attempts: Pair['a']) => ({
    passed: attempts.filter(({ outcome }) => outcome === 'passed').length,
    judged: attempts.length,
  })
  return { a: of(judged.a), b: of(judged.b) }
}

/** The rate of both sides together, with half a pass and half a fail added: never 0 or 1. */
function smoothedRate({ judged }: Pair): number {
  const attempts = [...judged.a, ...judged.b]
  const passed = attempts.filter(({ outcome }) => outcome === 'passed').length
  return (passed + 0.5) / (attempts.length + 1)
}

function sideOf(side: Side, pairs: readonly Pair[], which: 'a' | 'b', alpha: number): ComparedSide {
  const compared = pairs.flatMap(({ judged }) => judged[which])
  const attempts = side.runs.flatMap((run) => run.attempts)
  const costUsd = totalCost(attempts)
  return {
    runIds: side.runs.map(({ runId }) => runId),
    ...countOutcomes(attempts),
    rate: roundedRate(passRateOf(compared, 1 - alpha)),
    ...(costUsd === undefined ? {} : { costUsd }),
  }
}
