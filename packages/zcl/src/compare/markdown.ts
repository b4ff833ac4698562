// Renders a comparison as Markdown for a pull request: a heading with the verdict and two tables.
import { withoutControls } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { ComparedSide, Comparison } from '@zee/evidence/statistics/compare'
import { changeLine, footLines } from './text.ts'
import { formatCounts } from './stats/stats.ts'
import { formatCount, measureCells, formatP, formatPoints, verdictLabels } from './format-values.ts'

export function comparisonMarkdown(comparison: Comparison): string {
  const { a, b, missions, measures, verdict } = comparison
  const missionRows = missions.map((each) => [
    each.missionId,
    formatCount(each.a.rate),
    formatCount(each.b.rate),
    `${formatPoints(each.difference)} (${formatPoints(each.low)} to ${formatPoints(each.high)})`,
    formatP(each.pAdjusted),
    each.level === 'even' ? '' : `**${each.level}**`,
  ])
  const lines = [
    `### zcl: ${verdictLabels[verdict]}`,
    '',
    `${sentence(changeLine(comparison))}`,
    '',
    `- A: ${describeSide(a)}`,
    `- B: ${describeSide(b)}`,
    '',
    ...table(['mission', 'A', 'B', 'points', 'p (Holm)', ''], missionRows),
    '',
    ...table(['measure', 'A', 'B', 'change', 'relative', ''], measures.map(measureCells)),
    '',
    ...footLines(comparison).map((line) => `- ${escapeMarkdown(line)}`),
  ]
  return `${lines.join('\n')}\n`
}

function describeSide(side: ComparedSide): string {
  const runs = side.runIds.map((runId) => escapeMarkdown(runId)).join(', ')
  return `${runs}, ${side.attempts} attempts: ${formatCounts(side)}`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const alignment = head.map((_, column) => (column === 0 ? '---' : '---:'))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(alignment), ...rows.map((row) => line(row.map(escapeMarkdown)))]
}

/** Escapes text from evidence, so that it cannot create cells, links, mentions or tags. */
function escapeMarkdown(text: string): string {
  const isOurs = /^\*\*(?:better|worse)\*\*$/.test(text)
  if (isOurs) return text
  return oneLine(withoutControls(text)).replace(/[\\|`*_<>[\]@#!]/g, (mark) => `\\${mark}`)
}
