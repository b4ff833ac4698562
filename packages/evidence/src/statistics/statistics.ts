// Statistics of attempts by mission (id and content hash) and by suite. Infrastructure failures and
// missing outcomes are counted separately, never as failures.
import { bootstrapDifferences, percentileInterval, resamplesFor } from './bootstrap.ts'
import { distributionOf, rounded, type Distribution } from './distribution.ts'
import { countOutcomes, isJudged, passRateOf, type OutcomeCounts } from './pass-rate.ts'
import { passAtK, passHatK } from './pass-at-k.ts'
import { Random } from './random.ts'
import { defaultConfidence, wilson, zOf, type Interval, type Rate } from './rate.ts'
import type { AttemptFacts } from './read-run.ts'

export { contentHash } from './content-hash.ts'
export type { Distribution } from './distribution.ts'
export { judgeAttempt } from '../judgement/judgement.ts'
export { countOutcomes, isJudged, passRateOf } from './pass-rate.ts'
export type { OutcomeCounts } from './pass-rate.ts'
export { differenceInterval, rateOf } from './rate.ts'
export type { Rate } from './rate.ts'
export { openRun, readRunFacts } from './read-run.ts'
export { countRun } from './run-counts.ts'
export type { RunCounts } from './run-counts.ts'
export { Random } from './random.ts'
export type { AttemptFacts, RunFacts } from './read-run.ts'

/** Estimates for k attempts; null if a mission has fewer than k judged attempts. */
export interface PassAt {
  k: number
  passAtK: number | null
  passHatK: number | null
}

/** Distributions over the judged attempts; null without any. */
export type Measures = Record<MeasureName, Distribution | null>
export type MeasureName = (typeof measureNames)[number]
export const measureNames = [
  'toolCalls',
  'failures',
  'bytes',
  'wallTimeMs',
  'tokens',
  'costUsd',
] as const

export interface MissionStatistics extends OutcomeCounts {
  missionId: string
  contentHash: string
  rate: Rate
  passAt: PassAt[]
  measures: Measures
}

export interface SuiteStatistics extends OutcomeCounts {
  suiteId: string
  /** Over all judged attempts; its interval assumes that they are independent. */
  rate: Rate
  /** The mean of the missions' rates, with the interval of the hierarchical bootstrap. */
  missionMean: { rate: number; low?: number; high?: number } | null
  passAt: PassAt[]
  measures: Measures
  /** Whether runners reported the tokens or zcl estimated them; absent without tokens. */
  tokenSource?: TokenSource
  /** Cost of all attempts; absent if the cost of one is unknown. */
  costUsd?: number
  missions: MissionStatistics[]
}

export interface StatisticsOptions {
  /** The values of k for pass@k and pass^k. */
  ks: readonly number[]
  seed: number
  resamples: number
}

/** Statistics by suite and mission, both sorted by name. */
export function statisticsOf(
  attempts: readonly AttemptFacts[],
  options: StatisticsOptions,
): SuiteStatistics[] {
  return [...groupedBy(attempts, ({ suiteId }) => suiteId)].map(([suiteId, ofSuite]) =>
    suiteStatistics(suiteId, ofSuite, options),
  )
}

/** Groups attempts by mission id and content hash. */
export function missionGroups(
  attempts: readonly AttemptFacts[],
): ReadonlyMap<string, AttemptFacts[]> {
  return groupedBy(attempts, ({ missionId, contentHash }) => `${missionId} ${contentHash}`)
}

/** The rate with six decimals, as in documents. */
export function roundedRate({ passed, judged, rate, low, high }: Rate): Rate {
  const share = (value: number | undefined) => (value === undefined ? undefined : rounded(value))
  return { passed, judged, rate: share(rate), low: share(low), high: share(high) }
}

export type TokenSource = 'reported' | 'estimated' | 'mixed'

/** The log of a runner and the answers of a model report the same numbers. */
export function basisOf(
  source: NonNullable<AttemptFacts['tokenSource']>,
): Exclude<TokenSource, 'mixed'> {
  return source === 'trace-heuristic' ? 'estimated' : 'reported'
}

/** Where the token counts come from; undefined without any. */
function tokenSourceOf(attempts: readonly AttemptFacts[]): TokenSource | undefined {
  const sources = new Set(
    attempts.flatMap(({ tokenSource }) => (tokenSource === undefined ? [] : basisOf(tokenSource))),
  )
  const [source] = sources
  return sources.size > 1 ? 'mixed' : source
}

/** The cost of all attempts in USD; undefined if the cost of one is unknown. */
export function totalCost(attempts: readonly AttemptFacts[]): number | undefined {
  let sum = 0
  for (const { costUsd } of attempts) {
    if (costUsd === undefined) return undefined
    sum += costUsd
  }
  return attempts.length === 0 ? undefined : rounded(sum)
}

function suiteStatistics(
  suiteId: string,
  attempts: readonly AttemptFacts[],
  options: StatisticsOptions,
): SuiteStatistics {
  const groups = [...missionGroups(attempts).values()]
  const missions = groups.map((each) => missionStatistics(each, options))
  const counts = countOutcomes(attempts)
  const tokenSource = tokenSourceOf(attempts)
  const costUsd = totalCost(attempts)
  return {
    suiteId,
    ...counts,
    rate: roundedRate(passRateOf(attempts)),
    missionMean: missionMean(groups, options),
    passAt: options.ks.map((k, index) => ({
      k,
      passAtK: meanOrNull(missions.map(({ passAt }) => passAt[index]?.passAtK ?? null)),
      passHatK: meanOrNull(missions.map(({ passAt }) => passAt[index]?.passHatK ?? null)),
    })),
    measures: measuresOf(attempts),
    ...(tokenSource === undefined ? {} : { tokenSource }),
    ...(costUsd === undefined ? {} : { costUsd }),
    missions,
  }
}

function missionStatistics(
  attempts: readonly AttemptFacts[],
  { ks }: StatisticsOptions,
): MissionStatistics {
  const counts = countOutcomes(attempts)
  const rate = passRateOf(attempts)
  const { passed, judged } = rate
  return {
    missionId: attempts[0]?.missionId ?? '',
    contentHash: attempts[0]?.contentHash ?? '',
    ...counts,
    rate: roundedRate(rate),
    passAt: ks.map((k) => ({
      k,
      passAtK: roundedOrNull(passAtK(judged, passed, k)),
      passHatK: roundedOrNull(passHatK(judged, passed, k)),
    })),
    measures: measuresOf(attempts),
  }
}

/** The mean of the missions' rates; missions without judged attempts are left out. */
function missionMean(
  groups: readonly (readonly AttemptFacts[])[],
  { seed, resamples }: StatisticsOptions,
): SuiteStatistics['missionMean'] {
  const judged = groups
    .map((attempts) => attempts.filter(isJudged))
    .filter((each) => each.length > 0)
  if (judged.length === 0) return null
  const passes = judged.map((each) =>
    Float64Array.from(each, ({ outcome }) => +(outcome === 'passed')),
  )
  const draws = passes.reduce((sum, each) => sum + each.length + 1, 0)
  const missions = passes.map((b) => ({ a: new Float64Array(1), b }))
  const [means = new Float64Array(1)] = bootstrapDifferences(
    missions,
    { width: 1, resamples: resamplesFor(draws, resamples) },
    new Random(seed),
  )
  const shares = passes.map((each) => each.reduce((sum, pass) => sum + pass, 0) / each.length)
  const rate = rounded(shares.reduce((sum, share) => sum + share, 0) / shares.length)
  const interval = meanInterval(means, shares)
  if (interval === undefined) return { rate }
  return { rate, low: rounded(interval.low), high: rounded(interval.high) }
}

/** If no resample differs, Wilson's interval with one observation per mission. */
function meanInterval(means: Float64Array, shares: readonly number[]): Interval | undefined {
  if (shares.length < 2) return undefined
  const interval = percentileInterval(means, defaultConfidence)
  if (interval.high - interval.low > 1e-9) return interval
  const passed = Math.round((shares[0] ?? 0) * shares.length)
  return wilson(passed, shares.length, zOf(defaultConfidence))
}

function measuresOf(attempts: readonly AttemptFacts[]): Measures {
  const judged = attempts.filter(isJudged)
  const of = (name: MeasureName) =>
    distributionOf(judged.flatMap((each) => each[name] ?? [])) ?? null
  return {
    toolCalls: of('toolCalls'),
    failures: of('failures'),
    bytes: of('bytes'),
    wallTimeMs: of('wallTimeMs'),
    tokens: of('tokens'),
    costUsd: of('costUsd'),
  }
}

/** The mean, or null if any value is null: a mean over some missions is not that of the suite. */
function meanOrNull(values: readonly (number | null)[]): number | null {
  let sum = 0
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return values.length === 0 ? null : rounded(sum / values.length)
}

function roundedOrNull(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value)
}

function groupedBy(
  attempts: readonly AttemptFacts[],
  keyOf: (attempt: AttemptFacts) => string,
): Map<string, AttemptFacts[]> {
  const groups = new Map<string, AttemptFacts[]>()
  for (const attempt of attempts) {
    const group = groups.get(keyOf(attempt))
    if (group === undefined) groups.set(keyOf(attempt), [attempt])
    else group.push(attempt)
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}
