// How a measure is spread over the attempts of a run, apart for each way to end.
import type { AttemptFacts } from '../data/data.ts'

/** Undefined where an attempt does not say. */
export type Measure = (attempt: AttemptFacts) => number | undefined

export interface Distribution {
  /** Values in ascending order, with some room at both ends. */
  x: number[]
  /** For each way to end: the share of its attempts that needed so much or less. */
  series: { label: string; colour: string; shape: 'steps'; values: number[] }[]
  median: number
  least: number
  most: number
}

const groups: readonly { outcome: AttemptFacts['outcome']; label: string; colour: string }[] = [
  { outcome: 'passed', label: 'passed', colour: 'var(--good)' },
  { outcome: 'failed', label: 'failed', colour: 'var(--bad)' },
  { outcome: 'infra', label: 'infrastructure', colour: 'var(--warn)' },
  { outcome: 'missing', label: 'no outcome', colour: 'var(--ink-3)' },
]

/** Undefined when no attempt says anything. */
export function distributionOf(
  attempts: readonly AttemptFacts[],
  measure: Measure,
): Distribution | undefined {
  const all = sortedValues(attempts, measure)
  const [least, most] = [all[0], all.at(-1)]
  if (least === undefined || most === undefined) return undefined
  const margin = Math.max((most - least) * 0.06, most * 0.02, 0.5)
  const x = [...(least > 0 ? [Math.max(0, least - margin)] : []), ...new Set(all), most + margin]
  const series = groups.flatMap(({ outcome, label, colour }) => {
    const own = attempts.filter((attempt) => attempt.outcome === outcome)
    const values = sortedValues(own, measure)
    if (values.length === 0) return []
    return [{ label, colour, shape: 'steps' as const, values: sharesUpTo(x, values) }]
  })
  return { x, series, median: all[Math.floor((all.length - 1) / 2)] ?? least, least, most }
}

function sortedValues(attempts: readonly AttemptFacts[], measure: Measure): number[] {
  return attempts.flatMap((attempt) => measure(attempt) ?? []).sort((a, b) => a - b)
}

/** Both in ascending order, so that once through is enough. */
function sharesUpTo(x: readonly number[], values: readonly number[]): number[] {
  let below = 0
  return x.map((at) => {
    while (below < values.length && (values[below] ?? at) <= at) below++
    return below / values.length
  })
}
