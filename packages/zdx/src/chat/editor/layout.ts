// Arranges the text of the editor in rows of the terminal and finds the cursor.
import { displayWidth } from '@zee/core/styled-text'
import type { RegionPart } from '../../terminal/terminal.ts'

export interface LayoutOptions {
  prompt: string
  /** The prompt of the second and later lines. */
  continuation: string
  columns: number
  maxRows: number
  /** The text as it is shown; a paste becomes a word. */
  shown: (text: string) => string
}

/** Rows of at most `columns - 1` characters; only those around the cursor if there are too many. */
export function layoutText(text: string, cursor: number, options: LayoutOptions): RegionPart {
  const width = Math.max(8, options.columns - 1)
  const before = options.shown(text.slice(0, cursor))
  const after = options.shown(text.slice(cursor))
  const rows: string[] = []
  let at = { row: 0, column: 0 }
  let passed = 0
  for (const [index, line] of (before + after).split('\n').entries()) {
    const prompt = index === 0 ? options.prompt : options.continuation
    const cursorIn = before.length - passed
    passed += line.length + 1
    let row = prompt
    let used = displayWidth(prompt)
    let position = 0
    for (const character of line) {
      const size = character === '\t' ? 1 : displayWidth(character)
      if (used + size > width) {
        rows.push(row)
        row = ''
        used = 0
      }
      if (position === cursorIn) at = { row: rows.length, column: used }
      row += character === '\t' ? ' ' : character
      used += size
      position += character.length
    }
    if (position === cursorIn) at = { row: rows.length, column: used }
    rows.push(row)
  }
  return cutAround(rows, at, Math.max(1, options.maxRows))
}

function cutAround(
  rows: readonly string[],
  cursor: { row: number; column: number },
  maxRows: number,
): RegionPart {
  if (rows.length <= maxRows) return { rows, cursor }
  const start = Math.max(0, Math.min(cursor.row - Math.floor(maxRows / 2), rows.length - maxRows))
  return {
    rows: rows.slice(start, start + maxRows),
    cursor: { row: cursor.row - start, column: cursor.column },
  }
}
