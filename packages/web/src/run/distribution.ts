// The cumulative distribution of a measure over the attempts of a run, per outcome.
import type { AttemptFacts } from '../data/data.ts'

/** Undefined if the attempt lacks the value. */
export type Measure = (attempt: AttemptFacts) => number | undefined

export interface Distribution {
  /** Values in ascending order, with a margin at both ends. */
  x: number[]
  /** Per outcome: the share of its attempts at or below each x. */
  series: { label: string; colour: string; shape: 'steps'; values: number[] }[]
  /** Over the judged attempts; absent if none of them has the value. */
  summary?: { median: number; min: number; max: number }
}

const groups: readonly { outcome: AttemptFacts['outcome']; label: string; colour: string }[] = [
  { outcome: 'passed', label: 'passed', colour: 'var(--good)' },
  { outcome: 'failed', label: 'failed', colour: 'var(--bad)' },
  { outcome: 'infra', label: 'infrastructure', colour: 'var(--warn)' },
  { outcome: 'missing', label: 'no outcome', colour: 'var(--ink-3)' },
]

/** Undefined if no attempt has the value. */
export function computeDistribution(
  attempts: readonly AttemptFacts[],
  measure: Measure,
): Distribution | undefined {
  const all = sortedValues(attempts, measure)
  const [min, max] = [all[0], all.at(-1)]
  if (min === undefined || max === undefined) return undefined
  const margin = Math.max((max - min) * 0.06, max * 0.02, 0.5)
  const x = [...(min > 0 ? [Math.max(0, min - margin)] : []), ...new Set(all), max + margin]
  const series = groups.flatMap(({ outcome, label, colour }) => {
    const group = attempts.filter((attempt) => attempt.outcome === outcome)
    const values = sortedValues(group, measure)
    if (values.length === 0) return []
    return [{ label, colour, shape: 'steps' as const, values: cumulativeShares(x, values) }]
  })
  return { x, series, ...summarize(attempts, measure) }
}

function summarize(
  attempts: readonly AttemptFacts[],
  measure: Measure,
): Pick<Distribution, 'summary'> {
  const values = sortedValues(
    attempts.filter(({ isJudged }) => isJudged),
    measure,
  )
  const [min, median, max] = [values[0], values[Math.floor((values.length - 1) / 2)], values.at(-1)]
  if (min === undefined || median === undefined || max === undefined) return {}
  return { summary: { median, min, max } }
}

function sortedValues(attempts: readonly AttemptFacts[], measure: Measure): number[] {
  return attempts.flatMap((attempt) => measure(attempt) ?? []).sort((a, b) => a - b)
}

/** The share of `values` at or below each x, in one pass: both are in ascending order. */
function cumulativeShares(x: readonly number[], values: readonly number[]): number[] {
  let below = 0
  return x.map((bound) => {
    while (below < values.length && (values[below] ?? bound) <= bound) below++
    return below / values.length
  })
}
