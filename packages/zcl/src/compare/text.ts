// Renders a comparison as text: the two verdicts first, then missions, measures, and the number of
// attempts that would detect a smaller change.
import { cutToWidth } from '@zee/core/columns'
import type { Host } from '@zee/core/exit'
import { displayWidth } from '@zee/core/styled-text'
import { footLines, lostText, measureCells, measureHead } from '@zee/evidence/statistics/compare'
import { missionCells, missionHead, sideText, verdictText } from '@zee/evidence/statistics/compare'
import type { ComparedSide, Comparison, MeasureComparison } from '@zee/evidence/statistics/compare'
import { aligned, alignedFor, colours } from '../output/output.ts'

const minNameColumns = 12

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
    ...missionTable(comparison, host),
    '',
    ...alignedFor(host, [measureHead, ...comparison.measures.map(shortMeasureCells)]),
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

function sideCells(name: string, side: ComparedSide): string[] {
  return [name, side.runIds.join(' '), sideText(side)]
}

function missionTable({ missions }: Comparison, host: Host): string[] {
  const rows = [missionHead, ...missions.map(missionCells)]
  const { isTTY, columns } = host.stdout
  const excess = Math.max(...aligned(rows).map(displayWidth)) - (isTTY ? columns || 80 : Infinity)
  if (excess <= 0) return aligned(rows)
  // Names are cut, figures never.
  const room = Math.max(...rows.map(([name]) => displayWidth(name ?? ''))) - excess
  const limit = Math.max(minNameColumns, room)
  return aligned(rows.map(([name = '', ...cells]) => [cutToWidth(name, limit), ...cells]))
}

/** `not measured` stands in the wide column of ratios, so that the rows fit into 80 columns. */
function shortMeasureCells(measure: MeasureComparison): string[] {
  const cells = measureCells(measure)
  return measure.ratio === null ? [...cells.slice(0, 3), measure.level, '-', ''] : cells
}
