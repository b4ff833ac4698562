// The automaton's table in memory, as the kernel steps it (packages/corpus/kernel/dfa.ts says how it is laid
// out). Rows are added as states turn up; when there is no room left, all are given up.
import { match } from './automaton.ts'
import type { ByteAutomaton } from './automaton.ts'
import { skipTables } from './skip-tables.ts'

/** In place of a row. */
export const unknownRow = 2
export const matchRow = 6

export const offsetsAt = 16
const rowsAt = offsetsAt + 512
export const skipBytes = 32

/** Numbers that states may hold outside the table: some 20 MB. */
const mostNumbers = 5_000_000

/** Fewer bytes are of no use to any pattern. */
export const smallestTable = 64 << 10

export interface TableMemory {
  readonly buffer: ArrayBufferLike
}

export class Rows {
  /** How often all rows were given up. */
  cleared = 0
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
    this.#rowBytes = skipBytes + Math.ceil(automaton.bytes.count / 4) * 16
    this.#words = new Uint32Array(memory.buffer)
    this.#next = start + rowsAt
    const offsets = new Uint16Array(memory.buffer, start + offsetsAt, 256)
    automaton.bytes.of.forEach((byteClass, byte) => (offsets[byte] = byteClass * 4))
  }

  /** Where the last run stopped, and what came instead of a row. */
  get stoppedIn(): number {
    return this.#view()[this.#start / 4] as number
  }

  get reason(): number {
    return this.#view()[this.#start / 4 + 1] as number
  }

  /** The same of the second of two places. */
  get otherStoppedIn(): number {
    return this.#view()[this.#start / 4 + 2] as number
  }

  get otherReason(): number {
    return this.#view()[this.#start / 4 + 3] as number
  }

  stateOf(row: number): number {
    const index = Math.floor((row - this.#start - rowsAt) / this.#rowBytes)
    return this.#states[index] as number
  }

  /** The row of a state, made if need be; undefined when there is no room for it. */
  rowOf(state: number): number | undefined {
    const known = this.#byState.get(state)
    if (known !== undefined) return known
    const from = this.#next
    if (from + this.#rowBytes > this.#end || this.#automaton.size > mostNumbers) return undefined
    this.#next += this.#rowBytes
    this.#states.push(state)
    const words = this.#view()
    words.fill(unknownRow, (from + skipBytes) / 4, this.#next / 4)
    const tables = this.#maySkip(state) ? skipTables(this.#automaton, state) : undefined
    if (tables !== undefined) new Uint8Array(words.buffer).set(tables, from)
    const row = from + skipBytes + (tables === undefined ? 0 : 1)
    this.#byState.set(state, row)
    return row
  }

  /** Finds out what follows a row on a byte and remembers it; undefined when there is no room. */
  follow(row: number, byte: number): number | undefined {
    const next = this.#automaton.after(this.stateOf(row), byte)
    const to = next === match ? matchRow : this.rowOf(next)
    if (to === undefined) return undefined
    const byteClass = this.#automaton.bytes.of[byte] as number
    this.#view()[row / 4 + byteClass] = to
    return to
  }

  /** Gives up all rows; the state that is kept gets a new number. */
  clear(kept: number): number {
    this.cleared++
    this.#next = this.#start + rowsAt
    this.#byState = new Map()
    this.#states = []
    return this.#automaton.clear(kept)
  }

  /** Those states in which a search is most of the time. */
  #maySkip(state: number): boolean {
    const { lineStart } = this.#automaton
    if (state === lineStart || this.#automaton.isDead(state)) return true
    return lineStart !== match && this.#automaton.after(lineStart, unlikelyByte) === state
  }

  /** Memory that grows gets a new buffer. */
  #view(): Uint32Array {
    if (this.#words.buffer !== this.#memory.buffer) {
      this.#words = new Uint32Array(this.#memory.buffer)
    }
    return this.#words
  }
}

/** Leads from the beginning of a line to where nothing has been found so far. */
const unlikelyByte = 0x01
