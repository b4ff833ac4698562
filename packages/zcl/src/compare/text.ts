// Renders a comparison as text: the two verdicts first, then missions, measures, and the number of
// attempts that would detect a smaller change.
import type { Host } from '@zee/core/exit'
import { lostText, planText, pointsText, pValueText } from '@zee/evidence/statistics/compare'
import { reasonLabels, verdictText } from '@zee/evidence/statistics/compare'
import type { ComparedSide, Comparison, MissionComparison } from '@zee/evidence/statistics/compare'
import { aligned, colours } from '../output/output.ts'
import { formatCounts } from './stats/stats.ts'
import { formatCount, measureCells, measureHead } from './format-values.ts'

export function describeComparison(comparison: Comparison, host: Host): string[] {
  const paint = colours(host)
  const { a, b, onTheseMissions: these } = comparison
  const emphasis = { better: paint.green, worse: paint.red } as Record<string, typeof paint.bold>
  const [first = '', ...others] = verdictLines(comparison)
  return [
    ...aligned([sideCells('A', a), sideCells('B', b)]),
    '',
    (emphasis[these.verdict] ?? paint.bold)(first),
    ...others,
    '',
    ...missionTable(comparison),
    '',
    ...aligned([measureHead, ...comparison.measures.map(measureCells)]),
    '',
    ...footLines(comparison),
  ]
}

/** Both verdicts, the lost attempts, and the gate. */
export function verdictLines(comparison: Comparison): string[] {
  const { onTheseMissions, onMissionsLikeThese, settings, gate } = comparison
  const lost = lostText(comparison)
  return [
    verdictText(onTheseMissions, settings.alpha),
    verdictText(onMissionsLikeThese, settings.alpha),
    ...(lost === undefined ? [] : [lost]),
    ...(gate === null ? [] : [`gate: ${gate.failed ? gate.reasons.join('; ') : 'passed'}`]),
  ]
}

/** The closing notes of every output format. */
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

export const missionHead = ['mission', 'A', 'B', 'points', 'p (Holm)', ''] as const

/** A mission as cells: name, A, B, difference with interval, adjusted p, level. */
export function missionCells(mission: MissionComparison): string[] {
  const { missionId, a, b, difference, low, high, pAdjusted, level } = mission
  const interval =
    low === null || high === null ? '' : ` (${pointsText(low)} to ${pointsText(high)})`
  return [
    missionId,
    formatCount(a.rate),
    formatCount(b.rate),
    `${pointsText(difference)}${interval}`,
    pValueText(pAdjusted),
    level,
  ]
}

function sideCells(name: string, side: ComparedSide): string[] {
  const cost = side.costUsd === undefined ? '' : `, ${side.costUsd.toFixed(4)} USD`
  return [name, side.runIds.join(' '), `${side.attempts} attempts: ${formatCounts(side)}${cost}`]
}

function missionTable({ missions }: Comparison): string[] {
  return aligned([missionHead, ...missions.map(missionCells)])
}
