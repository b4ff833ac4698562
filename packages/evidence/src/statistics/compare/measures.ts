// Compares the cost of attempts: calls, failures, bytes, time and tokens, each as the mean over
// missions of their means. Less is better. The verdict does not depend on it.
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
  /** Null if some attempts have no value, or if the sources differ. */
  a: number | null
  b: number | null
  /** B minus A, with the interval of the bootstrap. */
  difference: number | null
  low: number | null
  high: number | null
  /** The difference as a fraction of A; null if A is 0. */
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

/** Values per attempt that are resampled together: pass or fail, then every measure. */
export const rowWidth = 1 + measureNames.length

export function measureRows(attempts: readonly AttemptFacts[]): Attempts {
  const rows = new Float64Array(attempts.length * rowWidth)
  for (const [index, attempt] of attempts.entries()) {
    const from = index * rowWidth
    rows[from] = attempt.outcome === 'passed' ? 1 : 0
    for (const [column, name] of measureNames.entries())
      rows[from + 1 + column] = attempt[name] ?? 0
  }
  return rows
}

/** Compares every measure; `intervals` are in the column order of the rows. */
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

/** Tokens are comparable only if all attempts have the same source. */
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
