// Output above a live region. Printed text scrolls as usual; the region below it (the unfinished answer,
// running tools, the editor) is redrawn in place. Draws at most 60 times a second, except for keys.
import type { Clock } from '@zee/core/clock'
import { styledWidth } from '@zee/core/styled-text'

export interface RegionPart {
  rows: readonly string[]
  /** The position of the cursor within the rows. */
  cursor?: { row: number; column: number }
}

/** The parts of the region from top to bottom. */
const partNames = ['answer', 'status', 'queue', 'editor'] as const
export type PartName = (typeof partNames)[number]

const frameMs = 16

interface Drawn {
  rows: readonly string[]
  cursor: { row: number; column: number }
}

export class Screen {
  readonly #out: NodeJS.WriteStream
  readonly #clock: Clock
  readonly #reflows: boolean
  readonly #parts = new Map<PartName, () => RegionPart>()
  #pending = ''
  #drawn: Drawn | undefined
  #timer: NodeJS.Timeout | undefined
  #lastDrawMs = 0
  #isPaused = false
  readonly #onResize = () => this.#redrawAfterResize()

  constructor(out: NodeJS.WriteStream, clock: Clock, reflows: boolean) {
    this.#out = out
    this.#clock = clock
    this.#reflows = reflows
    out.on('resize', this.#onResize)
  }

  get columns(): number {
    return Math.max(1, this.#out.columns || 80)
  }

  get rows(): number {
    return Math.max(1, this.#out.rows || 24)
  }

  /** Prints complete lines above the region. */
  print(text: string): void {
    this.#pending += text
    this.request()
  }

  /** Sets or removes a part of the region. The content is computed for every drawing. */
  setPart(name: PartName, content: (() => RegionPart) | undefined): void {
    if (content === undefined) this.#parts.delete(name)
    else this.#parts.set(name, content)
    this.request()
  }

  /** Draws with the next frame. */
  request(): void {
    if (this.#timer !== undefined || this.#isPaused) return
    const wait = this.#lastDrawMs + frameMs - this.#clock.monotonicMs()
    this.#timer = setTimeout(() => this.draw(), Math.max(0, Math.min(frameMs, wait)))
  }

  /** Draws at once. */
  draw(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isPaused) return
    this.#lastDrawMs = this.#clock.monotonicMs()
    const next = this.#layout()
    const text = this.#pending
    this.#pending = ''
    if (text === '' && isSame(this.#drawn, next)) return
    this.#out.write(this.#toRegionStart() + text + drawRegion(next))
    this.#drawn = next.rows.length === 0 ? undefined : next
  }

  /** Prints what is pending and removes the region until the next drawing. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#toRegionStart() + this.#pending
    this.#pending = ''
    this.#drawn = undefined
    if (text !== '') this.#out.write(text)
  }

  /** Removes the region and draws nothing until `resume`, while another program uses the terminal. */
  pause(): void {
    this.clear()
    this.#isPaused = true
  }

  /** The other program may have left the cursor anywhere: the region starts where it is. */
  resume(): void {
    this.#isPaused = false
    this.#drawn = undefined
    this.draw()
  }

  close(): void {
    this.#parts.clear()
    this.clear()
    this.#isPaused = true
    this.#out.removeListener('resize', this.#onResize)
  }

  /** The rows of all parts, cut to the height of the terminal from the top. */
  #layout(): Drawn {
    const rows: string[] = []
    let cursor: Drawn['cursor'] | undefined
    for (const name of partNames) {
      const part = this.#parts.get(name)?.()
      if (part === undefined) continue
      if (part.cursor !== undefined) {
        cursor = { row: rows.length + part.cursor.row, column: part.cursor.column }
      }
      rows.push(...part.rows)
    }
    const lastRow = rows.at(-1) ?? ''
    const end = cursor ?? {
      row: Math.max(0, rows.length - 1),
      column: Math.min(styledWidth(lastRow), this.columns - 1),
    }
    const hidden = Math.max(0, rows.length - Math.max(1, this.rows - 1))
    return {
      rows: rows.slice(hidden),
      cursor: { row: Math.max(0, end.row - hidden), column: end.column },
    }
  }

  #toRegionStart(): string {
    if (this.#drawn === undefined) return ''
    const up = this.#drawn.cursor.row
    return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`
  }

  /** A terminal that wraps lines anew has moved the cursor down by the rows that wrapped. */
  #redrawAfterResize(): void {
    const drawn = this.#drawn
    if (drawn !== undefined && this.#reflows) {
      const columns = this.columns
      const rowsOf = (width: number) => Math.max(1, Math.ceil(width / columns))
      const above = drawn.rows
        .slice(0, drawn.cursor.row)
        .reduce((sum, row) => sum + rowsOf(styledWidth(row)), 0)
      const row = above + Math.floor(drawn.cursor.column / columns)
      this.#drawn = { rows: drawn.rows, cursor: { row, column: drawn.cursor.column % columns } }
    }
    // Forces a drawing even if the rows are the same.
    if (this.#drawn !== undefined) this.#drawn = { ...this.#drawn, rows: [] }
    this.draw()
  }
}

function isSame(before: Drawn | undefined, next: Drawn): boolean {
  if (before === undefined) return next.rows.length === 0
  return (
    before.rows.length === next.rows.length &&
    before.cursor.row === next.cursor.row &&
    before.cursor.column === next.cursor.column &&
    before.rows.every((row, index) => row === next.rows[index])
  )
}

function drawRegion({ rows, cursor }: Drawn): string {
  if (rows.length === 0) return ''
  const up = rows.length - 1 - cursor.row
  return (
    rows.join('\r\n') +
    (up > 0 ? `\u001b[${up}A` : '') +
    `\r${cursor.column > 0 ? `\u001b[${cursor.column}C` : ''}`
  )
}
