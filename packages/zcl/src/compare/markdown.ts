// A comparison as Markdown, for a pull request: a heading with the verdict and two tables.
import { withoutControls } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { ComparedSide, Comparison } from '@zee/evidence/statistics/compare'
import { changeLine, footLines } from './text.ts'
import { countsInWords } from './stats/stats.ts'
import { countInWords, measureCells, pInWords, points, verdictWords } from './words.ts'

export function comparisonMarkdown(comparison: Comparison): string {
  const { a, b, missions, measures, verdict } = comparison
  const missionRows = missions.map((each) => [
    each.missionId,
    countInWords(each.a.rate),
    countInWords(each.b.rate),
    `${points(each.difference)} (${points(each.low)} to ${points(each.high)})`,
    pInWords(each.pAdjusted),
    each.level === 'even' ? '' : `**${each.level}**`,
  ])
  const lines = [
    `### zcl: ${verdictWords[verdict]}`,
    '',
    `${sentence(changeLine(comparison))}`,
    '',
    `- A: ${sideWords(a)}`,
    `- B: ${sideWords(b)}`,
    '',
    ...table(['mission', 'A', 'B', 'points', 'p (Holm)', ''], missionRows),
    '',
    ...table(['measure', 'A', 'B', 'change', 'relative', ''], measures.map(measureCells)),
    '',
    ...footLines(comparison).map((line) => `- ${escaped(line)}`),
  ]
  return `${lines.join('\n')}\n`
}

function sideWords(side: ComparedSide): string {
  const runs = side.runIds.map((runId) => escaped(runId)).join(', ')
  return `${runs}, ${side.attempts} attempts: ${countsInWords(side)}`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const alignment = head.map((_, column) => (column === 0 ? '---' : '---:'))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(alignment), ...rows.map((row) => line(row.map(escaped)))]
}

/** What evidence says is shown as it is: it makes no cells, links, mentions or tags. */
function escaped(text: string): string {
  const isOurs = /^\*\*(?:better|worse)\*\*$/.test(text)
  if (isOurs) return text
  return oneLine(withoutControls(text)).replace(/[\\|`*_<>[\]@#!]/g, (mark) => `\\${mark}`)
}
