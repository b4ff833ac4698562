// Formats rates, differences and measures as text.
import type {
  MeasureComparison,
  NotComparedReason,
  Verdict,
} from '@zee/evidence/statistics/compare'
import type { Rate } from '@zee/evidence/statistics'

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

/** A difference of rates in percentage points; positive values have a sign. */
export function formatPoints(share: number): string {
  return formatSigned(share * 100, 1)
}

export function formatSigned(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return value > 0 ? `+${text}` : text
}

export function formatRate({ rate, low, high }: Rate): string {
  return rate === undefined
    ? '-'
    : `${formatPercent(rate)} (${formatPercent(low)} to ${formatPercent(high)})`
}

/** `8/10`. */
export function formatCount({ passed, judged }: Rate): string {
  return `${passed}/${judged}`
}

export function formatP(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(p < 0.001 ? 4 : 3)
}

export const verdictLabels: Record<Verdict, string> = {
  better: 'better beyond noise',
  equal: 'equal',
  within_noise: 'within noise',
  worse: 'worse beyond noise',
}

export const reasonLabels: Record<NotComparedReason, string> = {
  only_in_a: 'only in A',
  only_in_b: 'only in B',
  content_differs: 'prompt or expectations differ',
  no_outcome: 'no outcome on one side',
}

const measureTitles: Record<MeasureComparison['name'], string> = {
  toolCalls: 'calls',
  failures: 'failed calls',
  bytes: 'output bytes',
  wallTimeMs: 'wall time ms',
  tokens: 'tokens',
}

/** A measure as cells: name, A, B, change with interval, relative change, level. */
export function measureCells(measure: MeasureComparison): string[] {
  const { a, b, difference, low, high, relative, level } = measure
  const title = measureTitles[measure.name]
  if (a === null || b === null || difference === null || low === null || high === null) {
    return [title, '-', '-', 'not measured the same way in all attempts', '', '']
  }
  const digits = Math.max(Math.abs(a), Math.abs(b)) >= 1000 ? 0 : 1
  const change = `${formatSigned(difference, digits)} (${formatSigned(low, digits)} to ${formatSigned(high, digits)})`
  const share = relative === null ? '' : `${formatSigned(relative * 100, 1)}%`
  return [title, a.toFixed(digits), b.toFixed(digits), change, share, level]
}
