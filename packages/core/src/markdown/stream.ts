// Renders Markdown for a terminal while it arrives: words wrapped at spaces, tables drawn, code coloured
// by language, fences left out. A line is final once it is complete, a table once it ends; the rest is
// shown as the tail.
import type { Colours } from '../cli/colour.ts'
import { withoutControls } from '../cli/colour.ts'
import { CodeBlock, openingFence } from './code-block.ts'
import { styleInline, type InlineStyle } from './inline.ts'
import { drawTable, isDelimiterRow, isTableRow } from './table.ts'
import { wrapStyled } from '../text/styled-text.ts'

export interface MarkdownOptions {
  /** Columns of the terminal, read for every line, because the terminal may be resized. */
  columns: () => number
  paint: Colours
  hasColour: boolean
}

/** A longer line is shown in pieces, so that the cost of a line stays bounded. */
const maxLineLength = 4096
const maxCodeLineLength = 64 * 1024
/** Longer lines are hard to read on wide terminals. */
const maxTextColumns = 120
/** Drawing a longer table would delay keys; its further rows are shown as text. */
const maxTableLines = 500
/** A longer table is shown in its raw form until it ends. */
const maxDrawnTail = 30

export class MarkdownStream {
  readonly #options: MarkdownOptions
  readonly #style: InlineStyle
  #line = ''
  #code: CodeBlock | undefined
  /** Lines of a table, or one line that may be the head of a table. */
  #table: string[] = []
  #isAfterBlank = true

  constructor(options: MarkdownOptions) {
    this.#options = options
    this.#style = { paint: options.paint, hasColour: options.hasColour }
  }

  /** Adds text and returns the rows that are final, each with a newline. */
  write(text: string): string {
    const rows: string[] = []
    const [first = '', ...rest] = withoutControls(text).split('\n')
    this.#line += first
    for (const next of rest) {
      this.#endLine(rows)
      this.#line = next
    }
    const limit = this.#code === undefined ? maxLineLength : maxCodeLineLength
    while (this.#line.length > limit) this.#endPiece(rows, limit)
    if (this.#code !== undefined) rows.push(...this.#code.takeRows())
    return joinRows(rows)
  }

  /** Ends the text and returns the remaining rows. */
  end(): string {
    const rows: string[] = []
    if (this.#line !== '') this.#endLine(rows)
    this.#endTable(rows)
    if (this.#code !== undefined) rows.push(...this.#code.takeRows())
    this.#code = undefined
    this.#isAfterBlank = true
    return joinRows(rows)
  }

  isEmpty(): boolean {
    return this.#line === '' && this.#table.length === 0
  }

  /** The last rows of the text that is not final. */
  tail(maxRows: number): string[] {
    const rows = this.#table.length > 1 ? this.#drawTail() : [...this.#table]
    if (this.#line !== '') rows.push(...this.#lineRows(this.#line.slice(-maxLineLength)))
    return rows.slice(-maxRows)
  }

  #drawTail(): string[] {
    if (this.#table.length > maxDrawnTail) return this.#table.slice(-maxDrawnTail)
    return drawTable(this.#table, this.#width(), this.#style) ?? [...this.#table]
  }

  #lineRows(line: string): string[] {
    if (this.#code !== undefined) return wrapStyled(`  ${line}`, this.#columns())
    return openingFence(line) === undefined ? this.#textRows(line) : []
  }

  #endPiece(rows: string[], limit: number): void {
    const space = this.#line.lastIndexOf(' ', limit)
    const end = space > limit / 2 ? space : limit
    const rest = this.#line.slice(end)
    this.#line = this.#line.slice(0, end)
    this.#endLine(rows)
    this.#line = rest.trimStart()
  }

  #endLine(rows: string[]): void {
    const line = this.#line
    this.#line = ''
    if (this.#code !== undefined) {
      if (!this.#code.add(line)) {
        rows.push(...this.#code.takeRows())
        this.#code = undefined
      }
      return
    }
    if (this.#continuesTable(line)) {
      this.#table.push(line)
      if (this.#table.length >= maxTableLines) this.#endTable(rows)
      return
    }
    this.#endTable(rows)
    const fence = openingFence(line)
    if (fence !== undefined) {
      this.#code = new CodeBlock(fence, this.#style)
      this.#isAfterBlank = false
    } else if (isTableRow(line)) {
      this.#table = [line]
    } else {
      this.#addText(line, rows)
    }
  }

  #continuesTable(line: string): boolean {
    if (this.#table.length === 0) return false
    return this.#table.length === 1 ? isDelimiterRow(line) : isTableRow(line)
  }

  #endTable(rows: string[]): void {
    const lines = this.#table
    this.#table = []
    if (lines.length === 0) return
    const drawn = lines.length > 1 ? drawTable(lines, this.#width(), this.#style) : undefined
    if (drawn !== undefined) rows.push(...drawn)
    else for (const line of lines) this.#addText(line, rows)
    this.#isAfterBlank = false
  }

  /** Adds a line outside code and tables; several blank lines become one. */
  #addText(line: string, rows: string[]): void {
    const isBlank = line.trim() === ''
    if (isBlank && this.#isAfterBlank) return
    this.#isAfterBlank = isBlank
    rows.push(...(isBlank ? [''] : this.#textRows(line)))
  }

  #textRows(line: string): string[] {
    const { paint, hasColour } = this.#options
    const width = this.#width()
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)
    if (heading !== null) {
      const text = hasColour ? paint.bold(styleInline(heading[1] ?? '', this.#style)) : line
      return wrapStyled(text, width)
    }
    if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      return [paint.dim('─'.repeat(Math.min(40, width)))]
    }
    const quote = /^\s{0,3}>\s?(.*)$/.exec(line)
    if (quote !== null) {
      const bar = `${paint.dim('│')} `
      const text = styleInline(quote[1] ?? '', this.#style)
      return wrapStyled(text, width, { first: bar, rest: bar })
    }
    const item = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(.*)$/.exec(line)
    if (item === null) {
      const indent = /^\s*/.exec(line)?.[0] ?? ''
      const text = styleInline(line.slice(indent.length), this.#style)
      return wrapStyled(text, width, { first: indent, rest: indent })
    }
    const [, indent = '', marker = '', gap = '', rest = ''] = item
    const bullet = /\d/.test(marker) ? marker : '•'
    return wrapStyled(styleInline(rest, this.#style), width, {
      first: `${indent}${paint.yellow(bullet)}${gap}`,
      rest: ' '.repeat(indent.length + bullet.length + gap.length),
    })
  }

  #columns(): number {
    return Math.max(20, this.#options.columns() - 1)
  }

  #width(): number {
    return Math.min(maxTextColumns, this.#columns())
  }
}

function joinRows(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `${rows.join('\n')}\n`
}
