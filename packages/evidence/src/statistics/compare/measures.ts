// What the attempts cost on both sides: calls, failures, bytes, time, tokens, each as the mean over
// missions of the missions' means. Less is better; none of it decides the verdict.
import type { Attempts } from '../bootstrap.ts'
import { meanOf, rounded } from '../distribution.ts'
import { levelOf, type Level } from './missions.ts'
import type { Pair } from './pairs.ts'
import type { Interval } from '../rate.ts'
import type { AttemptFacts } from '../read-run.ts'
import { measureNames, type MeasureName } from '../statistics.ts'

export interface MeasureComparison {
  name: MeasureName
  unit: 'count' | 'bytes' | 'ms' | 'tokens'
  /** Null when it is not known for every attempt, or was counted in different ways. */
  a: number | null
  b: number | null
  /** B minus A, with the interval of the bootstrap. */
  difference: number | null
  low: number | null
  high: number | null
  /** The difference as a share of A; null when A is 0. */
  relative: number | null
  level: Level
}

const units: Record<MeasureName, MeasureComparison['unit']> = {
  toolCalls: 'count',
  failures: 'count',
  bytes: 'bytes',
  wallTimeMs: 'ms',
  tokens: 'tokens',
}

/** A pass, then every measure: what is resampled together. */
export const rowWidth = 1 + measureNames.length

export function measureRows(attempts: readonly AttemptFacts[]): Attempts {
  const rows = new Float64Array(attempts.length * rowWidth)
  for (const [index, attempt] of attempts.entries()) {
    const from = index * rowWidth
    rows[from] = attempt.outcome === 'passed' ? 1 : 0
    for (const [place, name] of measureNames.entries()) rows[from + 1 + place] = attempt[name] ?? 0
  }
  return rows
}

/** `intervals` are in the order of the rows. */
export function compareMeasures(
  pairs: readonly Pair[],
  intervals: readonly Interval[],
): MeasureComparison[] {
  return measureNames.map((name, index) => {
    const interval = intervals[index + 1]
    if (interval === undefined || !isComparable(name, pairs)) return notCompared(name)
    const a = meanOf(pairs.map(({ judged }) => meanOf(judged.a.map((each) => each[name] ?? 0))))
    const b = meanOf(pairs.map(({ judged }) => meanOf(judged.b.map((each) => each[name] ?? 0))))
    const isBeyondNoise = interval.low > 0 || interval.high < 0
    return {
      name,
      unit: units[name],
      a: rounded(a),
      b: rounded(b),
      difference: rounded(b - a),
      low: rounded(interval.low),
      high: rounded(interval.high),
      relative: a === 0 ? null : rounded((b - a) / a),
      level: levelOf(a - b, isBeyondNoise),
    }
  })
}

/** Tokens that a runner counted and tokens that were guessed from bytes are different things. */
function isComparable(name: MeasureName, pairs: readonly Pair[]): boolean {
  if (name !== 'tokens') return true
  const attempts = pairs.flatMap(({ judged }) => [...judged.a, ...judged.b])
  const source = attempts[0]?.tokenSource
  return attempts.every(({ tokens, tokenSource }) => tokens !== undefined && tokenSource === source)
}

function notCompared(name: MeasureName): MeasureComparison {
  const nothing = { a: null, b: null, difference: null, low: null, high: null, relative: null }
  return { name, unit: units[name], ...nothing, level: 'even' }
}
