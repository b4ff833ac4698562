// Renders a comparison as text: the verdict first, then missions, measures, and the number of attempts
// that would detect a smaller change.
import type { Host } from '@zee/core/exit'
import type { ComparedSide, Comparison } from '@zee/evidence/statistics/compare'
import { aligned, colours, pluralize } from '../output/output.ts'
import { formatCounts } from './stats/stats.ts'
import { formatCount, measureCells, formatPercent, formatP, formatPoints } from './format-values.ts'
import { reasonLabels, verdictLabels } from './format-values.ts'

export function describeComparison(comparison: Comparison, host: Host): string[] {
  const paint = colours(host)
  const colour = {
    better: paint.green,
    worse: paint.red,
    equal: paint.bold,
    within_noise: paint.bold,
  }
  const { a, b, verdict } = comparison
  return [
    ...aligned([sideCells('A', a), sideCells('B', b)]),
    '',
    `${colour[verdict](verdictLabels[verdict])}: ${changeLine(comparison)}`,
    '',
    ...missionTable(comparison),
    '',
    ...aligned([['measure', 'A', 'B', 'change', '', ''], ...comparison.measures.map(measureCells)]),
    '',
    ...footLines(comparison),
  ]
}

/** The verdict in one line, for CI logs. */
export function verdictLine(comparison: Comparison): string {
  const { verdict, missions } = comparison
  const worse = missions.filter(({ level }) => level === 'worse').map(({ missionId }) => missionId)
  const named = worse.slice(0, maxNamed).join(', ') + (worse.length > maxNamed ? ', ...' : '')
  const which = named === '' ? '' : `; worse on its own: ${named}`
  return `B is ${verdictLabels[verdict]}: ${changeLine(comparison)}${which}`
}

const maxNamed = 5

export function changeLine({ passRate, missions, settings }: Comparison): string {
  const { a, b, difference, low, high, signFlip, withinMissions } = passRate
  const interval = `${((1 - settings.alpha) * 100).toFixed(0)}% interval ${formatPoints(low)} to ${formatPoints(high)}`
  const tests = `p ${formatP(signFlip.p)} by missions, ${formatP(withinMissions.p)} by attempts`
  return (
    `pass rate ${formatPercent(a)} to ${formatPercent(b)}, ${formatPoints(difference)} points ` +
    `(${interval}; ${tests}) over ${pluralize(missions.length, 'mission')}`
  )
}

/** The closing notes of every output format. */
export function footLines({ notCompared, plan, settings, warnings }: Comparison): string[] {
  const left = notCompared.map(({ missionId, reason }) => `${missionId} (${reasonLabels[reason]})`)
  const change = `a change of ${(plan.effect * 100).toFixed(0)} points at power ${plan.power}`
  const needed =
    plan.attemptsPerMission === null
      ? `${change} needs about ${pluralize(plan.missionsAtPresentAttempts, 'mission')}; more attempts at these ${plan.missions} are not enough`
      : `${change} needs about ${pluralize(plan.attemptsPerMission, 'attempt')} on each side for each of ${pluralize(plan.missions, 'mission')}`
  return [
    ...(left.length === 0 ? [] : [`not compared: ${left.join(', ')}`]),
    ...warnings.map((warning) => `note: ${warning}`),
    needed,
    `seed ${settings.seed}, ${settings.resamples} resamples, alpha ${settings.alpha}`,
  ]
}

function sideCells(name: string, side: ComparedSide): string[] {
  return [name, side.runIds.join(' '), `${side.attempts} attempts: ${formatCounts(side)}`]
}

function missionTable({ missions }: Comparison): string[] {
  const rows = missions.map(({ missionId, a, b, difference, low, high, pAdjusted, level }) => [
    missionId,
    formatCount(a.rate),
    formatCount(b.rate),
    `${formatPoints(difference)} (${formatPoints(low)} to ${formatPoints(high)})`,
    formatP(pAdjusted),
    level === 'even' ? '' : level,
  ])
  return aligned([['mission', 'A', 'B', 'points', 'p (Holm)', ''], ...rows])
}
