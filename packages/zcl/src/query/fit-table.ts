// Fits the rows of a query result into the width of a terminal: narrow columns keep their width, wide ones
// are cut. If there are too many columns for that, each row becomes a list of names and values.
import { withoutControls } from '@zee/core/colour'
import { alignColumns, cutToWidth } from '@zee/core/columns'
import { oneLine } from '@zee/core/errors'
import { displayWidth } from '@zee/core/styled-text'

const gap = 2
/** A column is not cut below this width. */
const minColumn = 6

type Row = readonly string[]

export interface FittedTable {
  /** The line with the names; empty if each row is a list. */
  head: string[]
  lines: string[]
}

/** Fits one block of rows into `width` columns. `firstRow` numbers the rows of a list. */
export function fitTable(
  names: Row,
  rows: readonly Row[],
  width: number,
  firstRow = 1,
): FittedTable {
  const cells = [names, ...rows].map((row) => row.map((cell) => oneLine(withoutControls(cell))))
  const widths = fittingWidths(cells, width)
  if (widths === undefined) {
    return { head: [], lines: rowLists(names, cells.slice(1), width, firstRow) }
  }
  const [head = '', ...lines] = alignColumns(
    cells.map((row) => row.map((cell, at) => cutToWidth(cell, widths[at] ?? 0))),
  )
  return { head: [head], lines }
}

/** Undefined if not even the narrowest columns fit. */
function fittingWidths(cells: readonly Row[], width: number): number[] | undefined {
  const [names = []] = cells
  const wanted = names.map((_, at) => widest(cells.map((row) => row[at] ?? '')))
  if (width === Number.POSITIVE_INFINITY) return wanted
  const room = width - gap * (names.length - 1)
  const narrowest = wanted.map((each) => Math.min(each, minColumn))
  if (sum(narrowest) > room) return undefined
  // Lowers the limit of all columns until they fit: short columns are never cut for long ones.
  let limit = Math.min(
    width,
    wanted.reduce((most, each) => Math.max(most, each), 0),
  )
  const cut = () => wanted.map((each) => Math.min(each, Math.max(limit, minColumn)))
  while (sum(cut()) > room) limit--
  return cut()
}

function rowLists(names: Row, rows: readonly Row[], width: number, firstRow: number): string[] {
  return rows.flatMap((row, index) => {
    const pairs = alignColumns(names.map((name, at) => [name, row[at] ?? '']))
    return [`row ${firstRow + index}`, ...pairs.map((line) => cutToWidth(`  ${line}`, width))]
  })
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}
