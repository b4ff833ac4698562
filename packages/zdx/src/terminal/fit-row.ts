// Cuts text to a number of terminal columns.
import { displayWidth } from '@zee/core/styled-text'

/** The start of `text` that fits into `width` columns, with `…` if it is cut. */
export function fitRow(text: string, width: number): string {
  const line = text.replaceAll('\t', '  ')
  if (line.length <= width / 2 || displayWidth(line) <= width) return line
  let shown = ''
  let used = 0
  for (const character of line) {
    used += displayWidth(character)
    if (used > width - 1) break
    shown += character
  }
  return `${shown}…`
}
