// Wraps styled text at spaces. Styles are SGR sequences; each row closes the styles that are open at
// its end, and the next row opens them again, so that a row can be drawn alone.
import { displayWidth } from './display-width.ts'

export { displayWidth } from './display-width.ts'

const styleCode = /\u001b\[([0-9;]*)m/g

/** The number of columns of styled text. */
export function styledWidth(text: string): number {
  return displayWidth(text.replace(styleCode, ''))
}

export interface Indents {
  first: string
  rest: string
}

const noIndents: Indents = { first: '', rest: '' }

/** The rows of `text`, none wider than `width` unless the indent leaves no room for a character. */
export function wrapStyled(text: string, width: number, indents: Indents = noIndents): string[] {
  const rows: string[] = []
  const styles = new OpenStyles()
  let row = indents.first
  let used = styledWidth(indents.first)
  let isRowEmpty = true
  const endRow = (): void => {
    rows.push(row.trimEnd() + styles.closing())
    row = indents.rest + styles.opening()
    used = styledWidth(indents.rest)
    isRowEmpty = true
  }
  for (const piece of text.split(/(\u001b\[[0-9;]*m|[ \t]+)/)) {
    if (piece === '') continue
    if (piece.startsWith('\u001b[')) {
      styles.apply(piece)
      row += piece
      continue
    }
    const size = displayWidth(piece)
    const isSpace = piece.trim() === ''
    if (used + size <= width) {
      if (isSpace && isRowEmpty && rows.length > 0) continue
      row += piece
      used += size
      if (!isSpace) isRowEmpty = false
      continue
    }
    if (!isRowEmpty) endRow()
    if (isSpace) continue
    for (const part of splitByWidth(piece, Math.max(1, width - used))) {
      if (used + part.width > width && !isRowEmpty) endRow()
      row += part.text
      used += part.width
      isRowEmpty = false
    }
  }
  rows.push(row.trimEnd() + styles.closing())
  return rows
}

/** Splits a word that is longer than a row. */
function splitByWidth(word: string, width: number): { text: string; width: number }[] {
  const parts: { text: string; width: number }[] = []
  let text = ''
  let used = 0
  for (const character of word) {
    const size = displayWidth(character)
    if (used + size > width && text !== '') {
      parts.push({ text, width: used })
      text = ''
      used = 0
    }
    text += character
    used += size
  }
  parts.push({ text, width: used })
  return parts
}

/** Closing codes by the attribute that they end. */
const closedBy: Readonly<Record<string, string>> = { 1: '22', 2: '22', 3: '23', 4: '24' }

class OpenStyles {
  readonly #open: { sequence: string; close: string }[] = []

  apply(sequence: string): void {
    const code = sequence.slice(2, -1)
    const isClosing = ['22', '23', '24', '39', '0', ''].includes(code)
    if (!isClosing) {
      this.#open.push({ sequence, close: closedBy[code] ?? '39' })
      return
    }
    const last = this.#open.findLastIndex(({ close }) => close === code)
    if (code === '0' || code === '') this.#open.length = 0
    else if (last !== -1) this.#open.splice(last, 1)
  }

  opening(): string {
    return this.#open.map(({ sequence }) => sequence).join('')
  }

  closing(): string {
    return this.#open
      .toReversed()
      .map(({ close }) => `\u001b[${close}m`)
      .join('')
  }
}
