// Formats rates as text.
import { percentText } from '@zee/evidence/statistics/compare'
import type { Rate } from '@zee/evidence/statistics'

export function formatRate({ rate, low, high }: Rate): string {
  if (rate === undefined) return '-'
  if (low === undefined || high === undefined) return percentText(rate)
  return `${percentText(rate)} (${percentText(low)} to ${percentText(high)})`
}
