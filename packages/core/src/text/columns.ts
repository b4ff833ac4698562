// Tables for terminals: aligns the cells of rows by their width on screen.
import { withoutControls } from '../cli/colour.ts'
import { displayWidth } from './display-width.ts'

const columnGap = 2

/**
 * One line per row, with two spaces between columns. Columns listed in `right` are aligned to the right.
 * Control characters are removed from cells.
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const clean = rows.map((row) => row.map((cell) => withoutControls(cell).replaceAll('\n', ' ')))
  const widths: number[] = []
  for (const row of clean) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
    })
  }
  return clean.map((row) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - displayWidth(cell))
        return right.includes(column) ? padding + cell : cell + padding
      })
      .join(' '.repeat(columnGap))
      .trimEnd(),
  )
}

/** A column is not cut below this width. */
const minColumnWidth = 6

/**
 * The same rows in lines of at most `width` columns: the widest cells are cut first, short ones never for
 * long ones, and columns listed in `whole` never. Undefined if not even the narrowest columns fit.
 */
export function fitColumns(
  rows: readonly (readonly string[])[],
  width: number,
  right: readonly number[] = [],
  whole: readonly number[] = [],
): string[] | undefined {
  const limits = columnLimits(rows, width, whole)
  if (limits === undefined) return undefined
  const cut = (cell: string, at: number) => cutToWidth(withoutControls(cell), limits[at] ?? 0)
  return alignColumns(
    rows.map((row) => row.map(cut)),
    right,
  )
}

function columnLimits(
  rows: readonly (readonly string[])[],
  width: number,
  whole: readonly number[],
): number[] | undefined {
  const wanted: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => {
      wanted[at] = Math.max(wanted[at] ?? 0, displayWidth(withoutControls(cell)))
    })
  }
  if (width === Number.POSITIVE_INFINITY) return wanted
  const room = width - columnGap * (wanted.length - 1)
  const limitedTo = (limit: number) =>
    wanted.map((each, at) =>
      whole.includes(at) ? each : Math.min(each, Math.max(limit, minColumnWidth)),
    )
  let limit = Math.min(width, Math.max(0, ...wanted))
  while (limit > minColumnWidth && sum(limitedTo(limit)) > room) limit--
  const limits = limitedTo(limit)
  return sum(limits) > room ? undefined : limits
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

/** The text in at most `width` columns; a cut text ends with an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let cut = ''
  let used = 1
  for (const character of text) {
    used += displayWidth(character)
    if (used > width) break
    cut += character
  }
  return width < 1 ? '' : `${cut}…`
}
