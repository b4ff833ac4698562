// The words of a comparison. The command line, Markdown, JUnit and the page all use these, so that
// they state the same numbers.
import type { Comparison } from './compare.ts'
import type { MeasureComparison } from './measures.ts'
import type { NotComparedReason } from './pairs.ts'
import { minMissionsToGeneralise, tooFewMissions, type Verdict } from './verdict.ts'

export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

/** A difference of rates in percentage points; positive values have a sign. */
export function pointsText(share: number): string {
  const text = (share * 100).toFixed(1)
  if (Number(text) === 0) return '0.0'
  return Number(text) > 0 ? `+${text}` : text
}

/** Three digits, and never `0.000`. */
export function pValueText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

/** A verdict in one line: `on these missions: worse, B minus A ...`. */
export function verdictText(verdict: Verdict, alpha: number): string {
  return `${verdict.name}: ${verdict.verdict}${reasonText(verdict)}${evidenceText(verdict, alpha)}`
}

function reasonText({ verdict, reason, missions, equivalence, low }: Verdict): string {
  if (reason === tooFewMissions) {
    return `, ${reason} (${missions} of at least ${minMissionsToGeneralise})`
  }
  if (reason !== undefined) return `, ${reason}`
  if (verdict !== 'equal' || low === null) return ''
  return ` within ${(equivalence.margin * 100).toFixed(1)} points`
}

function evidenceText(verdict: Verdict, alpha: number): string {
  const { difference, low, high, p, test, exact, missions } = verdict
  if (difference === null) return ''
  const interval =
    low === null || high === null
      ? 'no interval from one attempt'
      : `${confidenceText(alpha)} interval ${pointsText(low)} to ${pointsText(high)}`
  if (p === null) return `; B minus A ${pointsText(difference)} points`
  const how = `${test} test, ${exact ? 'exact' : 'sampled'}, ${count(missions, 'mission')}`
  return `; B minus A ${pointsText(difference)} points (${interval}), p ${pValueText(p)} (${how})`
}

function confidenceText(alpha: number): string {
  return `${Number(((1 - alpha) * 100).toFixed(4))}%`
}

/** What the lost attempts could change; undefined if no attempt was lost. */
export function lostText({ lost }: Comparison): string | undefined {
  const { a, b, bounds, onTheseMissions: verdicts, pMoreInB } = lost
  if (bounds === null || verdicts === null) return undefined
  const side = (name: string, each: typeof a) =>
    `${name} ${count(each.infra, 'infra failure')}, ${each.missing} without outcome (${percentText(each.share)})`
  return (
    `lost attempts: ${side('A', a)}; ${side('B', b)}; B minus A lies between ` +
    `${pointsText(bounds.worst)} and ${pointsText(bounds.best)} points; all failed: ` +
    `${verdicts.allFailed}, all passed: ${verdicts.allPassed}; more in B: p ${pValueText(pMoreInB)}`
  )
}

/** The number of attempts that a planned difference needs. */
export function planText({
  effect,
  power,
  missions,
  attemptsPerMission,
}: Comparison['plan']): string {
  const change = `a difference of ${Number((effect * 100).toFixed(4))} points at power ${power}`
  if (attemptsPerMission === null) return `${change} needs more than 100,000 attempts per mission`
  const each = `${count(attemptsPerMission, 'attempt')} on each side`
  return `${change} needs ${each} for each of ${count(missions, 'mission')}`
}

/** Why a mission was not compared. */
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
  costUsd: 'cost USD',
}

/** The name of a measure; tokens and cost say whether they were reported or estimated. */
export function measureTitle({ name, source }: MeasureComparison): string {
  return source === undefined ? measureTitles[name] : `${measureTitles[name]} (${source})`
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`
}
