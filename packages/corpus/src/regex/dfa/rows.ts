// The DFA's transition table in memory; packages/corpus/kernel/dfa.ts documents its layout. Rows
// are added as states appear; a full table is cleared.
import { matchState } from './automaton.ts'
import type { ByteAutomaton } from './automaton.ts'
import { skipTables } from './skip-tables.ts'

/** Table entries that are no row: not computed yet, or the line matches. */
export const unknownRow = 2
export const matchRow = 6

export const offsetsStart = 16
const rowsStart = offsetsStart + 512
export const skipBytes = 32

/** Limit on the numbers that states hold outside the table, about 20 MB. */
const maxStateNumbers = 5_000_000

/** Minimum useful table size in bytes. */
export const minTableBytes = 64 << 10

export interface TableMemory {
  readonly buffer: ArrayBufferLike
}

export class Rows {
  /** How often the table was cleared. */
  clearCount = 0
  readonly #memory: TableMemory
  readonly #start: number
  readonly #end: number
  readonly #automaton: ByteAutomaton
  readonly #rowBytes: number
  #words: Uint32Array
  #next: number
  #byState = new Map<number, number>()
  #states: number[] = []

  constructor(memory: TableMemory, start: number, bytes: number, automaton: ByteAutomaton) {
    this.#memory = memory
    this.#start = start
    this.#end = start + bytes
    this.#automaton = automaton
    this.#rowBytes = skipBytes + Math.ceil(automaton.byteClasses.count / 4) * 16
    this.#words = new Uint32Array(memory.buffer)
    this.#next = start + rowsStart
    const offsets = new Uint16Array(memory.buffer, start + offsetsStart, 256)
    automaton.byteClasses.classOf.forEach((byteClass, byte) => (offsets[byte] = byteClass * 4))
  }

  /** The row in which the last run stopped, and the value that stopped it. */
  get stopRow(): number {
    return this.#view()[this.#start / 4] as number
  }

  get stopReason(): number {
    return this.#view()[this.#start / 4 + 1] as number
  }

  /** The same for the second half of an interleaved run. */
  get secondStopRow(): number {
    return this.#view()[this.#start / 4 + 2] as number
  }

  get secondStopReason(): number {
    return this.#view()[this.#start / 4 + 3] as number
  }

  stateOf(row: number): number {
    const index = Math.floor((row - this.#start - rowsStart) / this.#rowBytes)
    return this.#states[index] as number
  }

  /** The row of a state, added if necessary; undefined when the table is full. */
  rowOf(state: number): number | undefined {
    const existing = this.#byState.get(state)
    if (existing !== undefined) return existing
    const from = this.#next
    if (from + this.#rowBytes > this.#end || this.#automaton.size > maxStateNumbers)
      return undefined
    this.#next += this.#rowBytes
    this.#states.push(state)
    const words = this.#view()
    words.fill(unknownRow, (from + skipBytes) / 4, this.#next / 4)
    const tables = this.#canSkip(state) ? skipTables(this.#automaton, state) : undefined
    if (tables !== undefined) new Uint8Array(words.buffer).set(tables, from)
    const row = from + skipBytes + (tables === undefined ? 0 : 1)
    this.#byState.set(state, row)
    return row
  }

  /** Computes and stores the transition of a row on a byte; undefined when the table is full. */
  follow(row: number, byte: number): number | undefined {
    const next = this.#automaton.after(this.stateOf(row), byte)
    const to = next === matchState ? matchRow : this.rowOf(next)
    if (to === undefined) return undefined
    const byteClass = this.#automaton.byteClasses.classOf[byte] as number
    this.#view()[row / 4 + byteClass] = to
    return to
  }

  /** Clears the table and returns the new number of the one state that is retained. */
  clear(state: number): number {
    this.clearCount++
    this.#next = this.#start + rowsStart
    this.#byState = new Map()
    this.#states = []
    return this.#automaton.clear(state)
  }

  /**
   * Whether the state gets skip tables: only the states in which a search spends most of its time.
   */
  #canSkip(state: number): boolean {
    const { lineStart } = this.#automaton
    if (state === lineStart || this.#automaton.isDead(state)) return true
    return lineStart !== matchState && this.#automaton.after(lineStart, neutralByte) === state
  }

  /** A memory that grows gets a new buffer. */
  #view(): Uint32Array {
    if (this.#words.buffer !== this.#memory.buffer) {
      this.#words = new Uint32Array(this.#memory.buffer)
    }
    return this.#words
  }
}

/** Leads from the line start to the state in which nothing of the pattern has matched yet. */
const neutralByte = 0x01
