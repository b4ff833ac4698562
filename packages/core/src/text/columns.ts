// Tables for terminals: aligns the cells of rows by their width on screen.
import { withoutControls } from '../cli/colour.ts'
import { displayWidth } from './display-width.ts'

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
      .join('  ')
      .trimEnd(),
  )
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
