// Renders a comparison as Markdown for a pull request: the verdicts and two tables.
import { withoutControls } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import { footLines, measureCells, measureHead } from '@zee/evidence/statistics/compare'
import { missionCells, missionHead, sideText } from '@zee/evidence/statistics/compare'
import type { ComparedSide, Comparison } from '@zee/evidence/statistics/compare'
import { verdictLines } from './text.ts'

export function comparisonMarkdown(comparison: Comparison): string {
  const { a, b, missions, measures, onTheseMissions } = comparison
  const lines = [
    `### zcl: ${onTheseMissions.verdict} on these missions`,
    '',
    ...verdictLines(comparison).map((line) => `- ${escapeMarkdown(line)}`),
    '',
    `- A: ${describeSide(a)}`,
    `- B: ${describeSide(b)}`,
    '',
    ...table(missionHead, missions.map(missionCells).map(withBoldLevel)),
    '',
    ...table(measureHead, measures.map(measureCells).map(withBoldLevel)),
    '',
    ...footLines(comparison).map((line) => `- ${escapeMarkdown(line)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** The last cell is the level; only differences are set in bold. */
function withBoldLevel(cells: readonly string[]): string[] {
  const level = cells.at(-1) ?? ''
  const isDifference = level === 'better' || level === 'worse'
  return [...cells.slice(0, -1), isDifference ? `**${level}**` : level]
}

function describeSide(side: ComparedSide): string {
  const runs = side.runIds.map((runId) => escapeMarkdown(runId)).join(', ')
  return `${runs}, ${sideText(side)}`
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
