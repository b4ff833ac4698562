// Draws a Markdown table with box characters, no wider than the terminal: wide cells are wrapped, and a
// table with too many columns becomes one block of `name: value` lines per row.
import { Lexer, type Tokens } from 'marked'
import type { InlineStyle } from './inline.ts'
import { styleInline } from './inline.ts'
import { styledWidth, wrapStyled } from '../text/styled-text.ts'

/** A narrower column is not readable. */
const minColumnWidth = 4

export function isTableRow(line: string): boolean {
  return line.includes('|')
}

export function isDelimiterRow(line: string): boolean {
  return /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('|')
}

/** The rows of the drawn table, or undefined if the lines are not a table. */
export function drawTable(
  lines: readonly string[],
  columns: number,
  style: InlineStyle,
): string[] | undefined {
  const table = parseTable(lines)
  if (table === undefined) return undefined
  const cells = [table.header, ...table.rows].map((row) =>
    row.map(({ text }) => styleInline(text.replace(/<br\s*\/?>/g, ' '), style)),
  )
  const widths = fitWidths(naturalWidths(cells), columns)
  if (widths === undefined) return drawRecords(cells, columns, style)
  const rule = (left: string, middle: string, right: string) =>
    style.paint.dim(left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right)
  const rows = cells.map((row) => drawRow(row, widths, table.align, style))
  const [head = [], ...body] = rows
  return [rule('┌', '┬', '┐'), ...head, rule('├', '┼', '┤'), ...body.flat(), rule('└', '┴', '┘')]
}

function parseTable(lines: readonly string[]): Tokens.Table | undefined {
  const indented = lines.map((line) => line.trimStart()).join('\n')
  const [token] = Lexer.lex(indented)
  return token?.type === 'table' ? (token as Tokens.Table) : undefined
}

function naturalWidths(cells: readonly (readonly string[])[]): number[] {
  const [header = []] = cells
  return header.map((_cell, column) =>
    Math.max(1, ...cells.map((row) => styledWidth(row[column] ?? ''))),
  )
}

/** Shrinks the widest columns until the table fits; undefined if it cannot. */
function fitWidths(natural: readonly number[], columns: number): number[] | undefined {
  const widths = [...natural]
  const room = columns - 3 * widths.length - 1
  let total = widths.reduce((sum, width) => sum + width, 0)
  while (total > room) {
    const widest = Math.max(...widths)
    if (widest <= minColumnWidth) return undefined
    // Lowers all widest columns to the next width at once: a cell may hold megabytes.
    const second = Math.max(minColumnWidth, ...widths.filter((width) => width < widest))
    const count = widths.filter((width) => width === widest).length
    const step = Math.max(1, Math.min(widest - second, Math.ceil((total - room) / count)))
    widths.forEach((width, index) => {
      if (width === widest) widths[index] = width - step
    })
    total -= step * count
  }
  return widths
}

function drawRow(
  row: readonly string[],
  widths: readonly number[],
  align: Tokens.Table['align'],
  { paint }: InlineStyle,
): string[] {
  const wrapped = widths.map((width, column) => wrapStyled(row[column] ?? '', width))
  const height = Math.max(1, ...wrapped.map((rows) => rows.length))
  const bar = paint.dim('│')
  return Array.from({ length: height }, (_none, index) => {
    const cells = widths.map((width, column) =>
      alignCell(wrapped[column]?.[index] ?? '', width, align[column] ?? null),
    )
    return `${bar} ${cells.join(` ${bar} `)} ${bar}`
  })
}

function alignCell(text: string, width: number, align: Tokens.Table['align'][number]): string {
  const free = Math.max(0, width - styledWidth(text))
  if (align === 'right') return ' '.repeat(free) + text
  if (align !== 'center') return text + ' '.repeat(free)
  const left = Math.floor(free / 2)
  return ' '.repeat(left) + text + ' '.repeat(free - left)
}

function drawRecords(
  cells: readonly (readonly string[])[],
  columns: number,
  { paint }: InlineStyle,
): string[] {
  const [header = [], ...rows] = cells
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...row.flatMap((cell, column) =>
      wrapStyled(`${paint.bold(`${header[column] ?? ''}:`)} ${cell}`, columns, {
        first: '',
        rest: '  ',
      }),
    ),
  ])
}
