// Formats rates and measures as text.
import { measureTitle, percentText, pValueText } from '@zee/evidence/statistics/compare'
import type { MeasureComparison } from '@zee/evidence/statistics/compare'
import type { Rate } from '@zee/evidence/statistics'

export function formatRate({ rate, low, high }: Rate): string {
  if (rate === undefined) return '-'
  if (low === undefined || high === undefined) return percentText(rate)
  return `${percentText(rate)} (${percentText(low)} to ${percentText(high)})`
}

/** `8/10`. */
export function formatCount({ passed, judged }: Rate): string {
  return `${passed}/${judged}`
}

/** A measure as cells: name, A, B, ratio with interval, adjusted p, level. */
export function measureCells(measure: MeasureComparison): string[] {
  const { a, b, ratio, low, high, pAdjusted, level } = measure
  const title = measureTitle(measure)
  if (a === null || b === null || ratio === null || pAdjusted === null) {
    return [title, '-', '-', '-', '-', level]
  }
  const interval = low === null || high === null ? '' : ` (${low.toFixed(3)} to ${high.toFixed(3)})`
  const change = `x ${ratio.toFixed(3)}${interval}`
  const digits = measure.unit === 'USD' ? 4 : Math.max(a, b) >= 1000 ? 0 : 1
  return [title, a.toFixed(digits), b.toFixed(digits), change, pValueText(pAdjusted), level]
}

export const measureHead = ['measure', 'A', 'B', 'B to A', 'p (Holm)', ''] as const
