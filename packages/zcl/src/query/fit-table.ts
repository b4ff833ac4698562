// Fits the rows of a query result into the width of a terminal: narrow columns keep their width, wide ones
// are cut. If there are too many columns for that, each row becomes a list of names and values.
import { withoutControls } from '@zee/core/colour'
import { alignColumns, cutToWidth, fitColumns } from '@zee/core/columns'
import { oneLine } from '@zee/core/errors'

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
  const fitted = fitColumns(cells, width)
  if (fitted === undefined) {
    return { head: [], lines: rowLists(names, cells.slice(1), width, firstRow) }
  }
  const [head = '', ...lines] = fitted
  return { head: [head], lines }
}

function rowLists(names: Row, rows: readonly Row[], width: number, firstRow: number): string[] {
  return rows.flatMap((row, index) => {
    const pairs = alignColumns(names.map((name, at) => [name, row[at] ?? '']))
    return [`row ${firstRow + index}`, ...pairs.map((line) => cutToWidth(`  ${line}`, width))]
  })
}
