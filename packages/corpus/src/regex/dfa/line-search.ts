// Finds matching lines with a lazily built DFA, in time linear in the text. If building states
// costs too much, the search gives up and the caller uses another engine.
import { matchState } from './automaton.ts'
import type { ByteAutomaton } from './automaton.ts'
import { matchRow } from './rows.ts'
import type { Rows } from './rows.ts'

/** A line was found, no line matches, or building the automaton cost too much. */
export type SearchOutcome = 'found' | 'none' | 'stuck'

/** Access to the searched text by offset. */
export interface StepText {
  /** Same contract as the kernel's `stepRows`. */
  run(row: number, from: number, to: number): number
  /** Same contract as the kernel's `stepTwoRows`; absent outside the kernel's memory. */
  runInterleaved?(
    row: number,
    at: number,
    otherRow: number,
    otherAt: number,
    maxBytes: number,
  ): number
  byteAt(offset: number): number
  /** The start of the line that contains an offset, and the first line end from an offset on. */
  lineStart(start: number, at: number): number
  lineEnd(at: number, end: number): number
}

/** Position of a search: the current row and the offset of the next byte. */
interface Cursor {
  row: number
  at: number
}

/**
 * Minimum text size for searching two halves at once, and the distance between matching lines from
 * which it pays.
 */
const minInterleavedBytes = 1024
const sparseBytes = 4096

/** The line start nearest to the middle of a text, or `to` when halving does not pay. */
function splitPoint(text: StepText, from: number, to: number): number {
  if (text.runInterleaved === undefined || to - from < minInterleavedBytes) return to
  const start = text.lineStart(from, from + ((to - from) >> 1))
  const isInPair = text.byteAt(start) === lf && text.byteAt(start - 1) === cr
  if (start <= from) return to
  return isInPair ? start + 1 : start
}

/** Budget of NFA steps for building states: a fixed part and a part per byte searched. */
const freeWork = 4_000_000
const workPerByte = 4

const lf = 0x0a
const cr = 0x0d

export class LineSearch {
  /** Start and end of the line found last. */
  start = 0
  end = 0
  readonly #automaton: ByteAutomaton
  readonly #rows: Rows
  #searched = 0
  #isStuck = false
  /** The last search went far before it found a line. */
  #isSparse = true

  constructor(automaton: ByteAutomaton, rows: Rows) {
    this.#automaton = automaton
    this.#rows = rows
  }

  /** Finds the first matching line between `from`, a line start, and `to`. */
  nextLine(text: StepText, from: number, to: number): SearchOutcome {
    if (from >= to) return 'none'
    if (this.#automaton.lineStart === matchState) return this.#found(text, from, from, to)
    const row = this.#startRow()
    if (row === undefined) return 'stuck'
    const middle = this.#isSparse && (row & 1) === 0 ? splitPoint(text, from, to) : to
    const outcome =
      middle < to
        ? this.#searchHalves(text, row, from, middle, to)
        : this.#run(text, { row, at: from }, from, to)
    this.#isSparse = outcome === 'none' || this.start - from > sparseBytes
    return outcome
  }

  /**
   * Searches both halves at once. A match in the second half counts only if the first half has
   * none.
   */
  #searchHalves(
    text: StepText,
    start: number,
    from: number,
    middle: number,
    to: number,
  ): SearchOutcome {
    const first = { row: start, at: from }
    const second = { row: start, at: middle }
    const { clearCount } = this.#rows
    const isMatch = this.#lockstep(text, first, second, { middle, to })
    const outcome = this.#run(text, first, from, middle)
    if (outcome !== 'none') return outcome
    if (this.#rows.clearCount !== clearCount) return this.nextLine(text, middle, to)
    return isMatch ? this.#found(text, middle, second.at, to) : this.#run(text, second, middle, to)
  }

  /**
   * Steps both halves until one ends or matches, or a row does not fit; whether the second matched.
   */
  #lockstep(
    text: StepText,
    first: Cursor,
    second: Cursor,
    { middle, to }: { middle: number; to: number },
  ): boolean {
    for (;;) {
      const maxBytes = Math.min(middle - first.at, to - second.at)
      if (maxBytes === 0 || text.runInterleaved === undefined) return false
      const at = text.runInterleaved(first.row, first.at, second.row, second.at, maxBytes)
      this.#searched += (at - first.at) * 2
      second.at += at - first.at
      first.at = at
      first.row = this.#rows.stopRow
      second.row = this.#rows.secondStopRow
      const [firstReason, secondReason] = [this.#rows.stopReason, this.#rows.secondStopReason]
      if (secondReason === matchRow) return true
      if (firstReason === matchRow || this.#exceedsWorkLimit()) return false
      if (firstReason !== 0 && this.#rows.follow(first.row, text.byteAt(at)) === undefined)
        return false
      const byte = secondReason === 0 ? 0 : text.byteAt(second.at)
      if (secondReason !== 0 && this.#rows.follow(second.row, byte) === undefined) return false
    }
  }

  /** Steps from the cursor to `to`; `from` is the start of the text. */
  #run(text: StepText, cursor: Cursor, from: number, to: number): SearchOutcome {
    let row: number | undefined = cursor.row
    let at = cursor.at
    let runStart = at
    while (row !== undefined) {
      at = text.run(row, at, to)
      if (this.#rows.stopReason === matchRow) return this.#found(text, from, at, to)
      if (at >= to) return this.#atEnd(text, from, to, runStart)
      row = this.#follow(text.byteAt(at), at - runStart)
      runStart = at
      if (row === matchRow) return this.#found(text, from, at, to)
      at++
    }
    return 'stuck'
  }

  #found(text: StepText, from: number, at: number, to: number): SearchOutcome {
    this.start = text.lineStart(from, at)
    this.end = text.lineEnd(at, to)
    return 'found'
  }

  /** A last line without a line end counts; nothing after a final line end does. */
  #atEnd(text: StepText, from: number, to: number, runStart: number): SearchOutcome {
    this.#searched += to - runStart
    const last = text.byteAt(to - 1)
    if (last === lf || last === cr) return 'none'
    const state = this.#rows.stateOf(this.#rows.stopRow)
    return this.#automaton.matchesAtEnd(state) ? this.#found(text, from, to, to) : 'none'
  }

  /** Computes the row after a byte without a transition; undefined when stuck. */
  #follow(byte: number, searched: number): number | undefined {
    this.#searched += searched
    if (this.#isStuck || this.#exceedsWorkLimit()) return undefined
    const row = this.#rows.stopRow
    const next = this.#rows.follow(row, byte)
    if (next !== undefined) return next
    const state = this.#rows.clear(this.#rows.stateOf(row))
    const newRow = this.#rows.rowOf(state)
    return newRow === undefined ? undefined : this.#rows.follow(newRow & ~1, byte)
  }

  #startRow(): number | undefined {
    if (this.#isStuck) return undefined
    const row = this.#rows.rowOf(this.#automaton.lineStart)
    if (row !== undefined) return row
    return this.#rows.rowOf(this.#rows.clear(this.#automaton.lineStart))
  }

  #exceedsWorkLimit(): boolean {
    this.#isStuck = this.#automaton.work > freeWork + workPerByte * this.#searched
    return this.#isStuck
  }
}
