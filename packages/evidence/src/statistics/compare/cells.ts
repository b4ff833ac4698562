// The rows of a comparison as text: missions, measures, sides and closing notes. The command line,
// Markdown and the page show these cells, so that they state the same numbers.
import type { OutcomeCounts } from '../statistics.ts'
import type { Rate } from '../rate.ts'
import type { ComparedSide, Comparison } from './compare.ts'
import type { MeasureComparison } from './measures.ts'
import type { MissionComparison } from './missions.ts'
import { measureTitle, planText, pointsText, pValueText, reasonLabels } from './words.ts'

/** `8 passed, 2 failed, 1 infra`. */
export function countsText({ passed, failed, unproven, infra, missing }: OutcomeCounts): string {
  return [
    `${passed} passed`,
    `${failed} failed${unproven === 0 ? '' : ` (${unproven} unproven)`}`,
    ...(infra === 0 ? [] : [`${infra} infra`]),
    ...(missing === 0 ? [] : [`${missing} without outcome`]),
  ].join(', ')
}

/** The attempts of a side by outcome, with their cost. */
export function sideText(side: ComparedSide): string {
  const cost = side.costUsd === undefined ? '' : `, ${side.costUsd.toFixed(4)} USD`
  return `${side.attempts} attempts: ${countsText(side)}${cost}`
}

export const missionHead = ['mission', 'A', 'B', 'points', 'p (Holm)', ''] as const

/** A mission: name, A, B, difference with interval, adjusted p, level. */
export function missionCells(mission: MissionComparison): string[] {
  const { missionId, a, b, difference, low, high, pAdjusted, level } = mission
  const interval =
    low === null || high === null ? '' : ` (${pointsText(low)} to ${pointsText(high)})`
  return [
    missionId,
    passedOfJudged(a.rate),
    passedOfJudged(b.rate),
    `${pointsText(difference)}${interval}`,
    pValueText(pAdjusted),
    level,
  ]
}

/** `8/10`. */
function passedOfJudged({ passed, judged }: Rate): string {
  return `${passed}/${judged}`
}

export const measureHead = ['measure', 'A', 'B', 'B to A', 'p (Holm)', ''] as const

/** A measure: name, A, B, ratio with interval, adjusted p, level. */
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

/** The closing notes: missions left out, warnings, the plan and the settings. */
export function footLines({ notCompared, plan, settings, warnings }: Comparison): string[] {
  const left = notCompared.map(({ missionId, reason }) => `${missionId} (${reasonLabels[reason]})`)
  const { seed, resamples, alpha, margin } = settings
  return [
    ...(left.length === 0 ? [] : [`not compared: ${left.join(', ')}`]),
    ...warnings.map((warning) => `note: ${warning}`),
    planText(plan),
    `seed ${seed}, at most ${resamples} arrangements sampled, alpha ${alpha}, margin ${margin}`,
  ]
}
