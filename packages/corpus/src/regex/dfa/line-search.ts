// Finds matching lines with an automaton that is made while it runs. Time is linear in the text: a
// pattern whose states keep turning up anew is given up, and the caller takes another engine.
import { match } from './automaton.ts'
import type { ByteAutomaton } from './automaton.ts'
import { matchRow } from './rows.ts'
import type { Rows } from './rows.ts'

/** A line was found, there is none, or the automaton grew too fast to be of use. */
export type SearchOutcome = 'found' | 'none' | 'stuck'

/** The text at hand, by places in it. */
export interface StepText {
  /** As `stepRows` of the kernel. */
  run(row: number, from: number, to: number): number
  /** As `stepTwoRows`, where there is a kernel. */
  runTwo?(row: number, at: number, otherRow: number, otherAt: number, most: number): number
  byteAt(place: number): number
  /** The beginning of the line that holds a place, and the first line end from there on. */
  lineStart(start: number, at: number): number
  lineEnd(at: number, end: number): number
}

/** Where a search is: the row it is in and the byte to come. */
interface Place {
  row: number
  at: number
}

/** Texts from this size on are searched at two places at once, unless lines match too often. */
const worthHalving = 1024
const sparseBytes = 4096

/** Where a line begins in the middle of a text; its end when it is not worth it. */
function middleOf(text: StepText, from: number, to: number): number {
  if (text.runTwo === undefined || to - from < worthHalving) return to
  const start = text.lineStart(from, from + ((to - from) >> 1))
  const isInPair = text.byteAt(start) === lf && text.byteAt(start - 1) === cr
  if (start <= from) return to
  return isInPair ? start + 1 : start
}

/** Steps that may be looked at for nothing, and for each byte that was searched. */
const freeWork = 4_000_000
const workPerByte = 4

const lf = 0x0a
const cr = 0x0d

export class LineSearch {
  /** The line found last: its first byte and its end. */
  start = 0
  end = 0
  readonly #automaton: ByteAutomaton
  readonly #rows: Rows
  #searched = 0
  #stuck = false
  /** Matching lines were far apart so far. */
  #isSparse = true

  constructor(automaton: ByteAutomaton, rows: Rows) {
    this.#automaton = automaton
    this.#rows = rows
  }

  /** Finds the first line of a text that matches; `from` is where a line begins, `to` the end. */
  nextLine(text: StepText, from: number, to: number): SearchOutcome {
    if (from >= to) return 'none'
    if (this.#automaton.lineStart === match) return this.#found(text, from, from, to)
    const row = this.#startRow()
    if (row === undefined) return 'stuck'
    const middle = this.#isSparse && (row & 1) === 0 ? middleOf(text, from, to) : to
    const outcome =
      middle < to
        ? this.#inHalves(text, row, from, middle, to)
        : this.#run(text, { row, at: from }, from, to)
    this.#isSparse = outcome === 'none' || this.start - from > sparseBytes
    return outcome
  }

  /** Two places at once; what is found in the second half waits for the first to end. */
  #inHalves(
    text: StepText,
    start: number,
    from: number,
    middle: number,
    to: number,
  ): SearchOutcome {
    const first = { row: start, at: from }
    const second = { row: start, at: middle }
    const { cleared } = this.#rows
    const isMatch = this.#lockstep(text, first, second, { middle, to })
    const outcome = this.#run(text, first, from, middle)
    if (outcome !== 'none') return outcome
    if (this.#rows.cleared !== cleared) return this.nextLine(text, middle, to)
    return isMatch ? this.#found(text, middle, second.at, to) : this.#run(text, second, middle, to)
  }

  /** Goes on until a half ends or matches, or a state does not fit in; whether the second matches. */
  #lockstep(
    text: StepText,
    first: Place,
    second: Place,
    { middle, to }: { middle: number; to: number },
  ): boolean {
    for (;;) {
      const most = Math.min(middle - first.at, to - second.at)
      if (most === 0 || text.runTwo === undefined) return false
      const at = text.runTwo(first.row, first.at, second.row, second.at, most)
      this.#searched += (at - first.at) * 2
      second.at += at - first.at
      first.at = at
      first.row = this.#rows.stoppedIn
      second.row = this.#rows.otherStoppedIn
      const [reason, otherReason] = [this.#rows.reason, this.#rows.otherReason]
      if (otherReason === matchRow) return true
      if (reason === matchRow || this.#isTooMuch()) return false
      if (reason !== 0 && this.#rows.follow(first.row, text.byteAt(at)) === undefined) return false
      const byte = otherReason === 0 ? 0 : text.byteAt(second.at)
      if (otherReason !== 0 && this.#rows.follow(second.row, byte) === undefined) return false
    }
  }

  /** From a place on to the end; `from` is where the text begins. */
  #run(text: StepText, place: Place, from: number, to: number): SearchOutcome {
    let row: number | undefined = place.row
    let at = place.at
    let begun = at
    while (row !== undefined) {
      at = text.run(row, at, to)
      if (this.#rows.reason === matchRow) return this.#found(text, from, at, to)
      if (at >= to) return this.#atEnd(text, from, to, begun)
      row = this.#follow(text.byteAt(at), at - begun)
      begun = at
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

  /** A last line without a line end counts; nothing behind a final line end does. */
  #atEnd(text: StepText, from: number, to: number, begun: number): SearchOutcome {
    this.#searched += to - begun
    const last = text.byteAt(to - 1)
    if (last === lf || last === cr) return 'none'
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
    this.#stuck = this.#automaton.work > freeWork + workPerByte * this.#searched
    return this.#stuck
  }
}
