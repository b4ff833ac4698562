// Finds matching lines with an automaton that is made while it runs. Time is linear in the text: a
// pattern whose states keep turning up anew is given up, and the caller takes another engine.
import { MATCH } from './automaton.ts'
import type { ByteAutomaton } from './automaton.ts'
import { MATCH_ROW } from './rows.ts'
import type { Rows } from './rows.ts'

/** A line was found, there is none, or the automaton grew too fast to be of use. */
export type SearchOutcome = 'found' | 'none' | 'stuck'

/** The text at hand, by places in it. */
export interface StepText {
  /** As `stepRows` of the kernel. */
  run(row: number, from: number, to: number): number
  byteAt(place: number): number
  /** The beginning of the line that holds a place, and the first line end from there on. */
  lineStart(start: number, at: number): number
  lineEnd(at: number, end: number): number
}

/** Steps that may be looked at for nothing, and for each byte that was searched. */
const FREE_WORK = 4_000_000
const WORK_PER_BYTE = 4

const LF = 0x0a
const CR = 0x0d

export class LineSearch {
  /** The line found last: its first byte and its end. */
  start = 0
  end = 0
  readonly #automaton: ByteAutomaton
  readonly #rows: Rows
  #searched = 0
  #stuck = false

  constructor(automaton: ByteAutomaton, rows: Rows) {
    this.#automaton = automaton
    this.#rows = rows
  }

  /** Finds the first line of a text that matches; `from` is where a line begins, `to` the end. */
  nextLine(text: StepText, from: number, to: number): SearchOutcome {
    if (from >= to) return 'none'
    if (this.#automaton.lineStart === MATCH) return this.#found(text, from, from, to)
    let row = this.#startRow()
    let begun = from
    let at = from
    while (row !== undefined) {
      at = text.run(row, at, to)
      if (this.#rows.reason === MATCH_ROW) return this.#found(text, from, at, to)
      if (at >= to) return this.#atEnd(text, from, to, begun)
      row = this.#follow(text.byteAt(at), at - begun)
      begun = at
      if (row === MATCH_ROW) return this.#found(text, from, at, to)
      at++
    }
    return 'stuck'
  }

  #found(text: StepText, from: number, at: number, to: number): SearchOutcome {
    this.start = text.lineStart(from, at)
    this.end = text.lineEnd(at, to)
    return 'found'
  }

  /** A last line without a line end counts; nothing behind a final line end does. */
  #atEnd(text: StepText, from: number, to: number, begun: number): SearchOutcome {
    this.#searched += to - begun
    const last = text.byteAt(to - 1)
    if (last === LF || last === CR) return 'none'
    const state = this.#rows.stateOf(this.#rows.stoppedIn)
    return this.#automaton.matchesAtEnd(state) ? this.#found(text, from, to, to) : 'none'
  }

  /** The row to go on with after a byte that was not met in this row; undefined when stuck. */
  #follow(byte: number, searched: number): number | undefined {
    this.#searched += searched
    if (this.#stuck || this.#isTooMuch()) return undefined
    const row = this.#rows.stoppedIn
    const next = this.#rows.follow(row, byte)
    if (next !== undefined) return next
    const kept = this.#rows.clear(this.#rows.stateOf(row))
    const again = this.#rows.rowOf(kept)
    return again === undefined ? undefined : this.#rows.follow(again & ~1, byte)
  }

  #startRow(): number | undefined {
    if (this.#stuck) return undefined
    const row = this.#rows.rowOf(this.#automaton.lineStart)
    if (row !== undefined) return row
    return this.#rows.rowOf(this.#rows.clear(this.#automaton.lineStart))
  }

  #isTooMuch(): boolean {
    this.#stuck = this.#automaton.work > FREE_WORK + WORK_PER_BYTE * this.#searched
    return this.#stuck
  }
}
