// Steps the transition table over bytes outside the kernel's memory: a port of the kernel's loop.
import { matchRow, offsetsStart, skipBytes, unknownRow } from './rows.ts'
import type { TableMemory } from './rows.ts'

export class TableSteps {
  /** Signed words are faster to read; addresses are small enough here. */
  readonly #words: Int32Array
  readonly #offsets: Uint8Array
  readonly #bytes: Uint8Array

  constructor(memory: TableMemory) {
    this.#words = new Int32Array(memory.buffer)
    const offsets = new Uint16Array(memory.buffer, offsetsStart, 256)
    this.#offsets = Uint8Array.from(offsets, (offset) => offset / 4)
    this.#bytes = new Uint8Array(memory.buffer)
  }

  /** Same contract as the kernel's `stepRows`, with the table at address 0. */
  run(text: Uint8Array, state: number, from: number, to: number): number {
    const words = this.#words
    let row = state
    let at = from
    while (at < to) {
      if ((row & 1) !== 0) {
        row -= 1
        at = skip(this.#bytes, row, text, at, to)
        if (at >= to) break
      }
      at = stepPlain(words, this.#offsets, text, row, at, to)
      row = words[0] as number
      if (words[1] !== 0) return at
    }
    words[0] = row & ~1
    words[1] = 0
    return at
  }
}

/** Steps to a row with skip tables, the end, or a byte without a transition. */
function stepPlain(
  words: Int32Array,
  offsets: Uint8Array,
  text: Uint8Array,
  state: number,
  from: number,
  to: number,
): number {
  let row = state
  let at = from
  while (at < to) {
    const next = words[(row >> 2) + (offsets[text[at] as number] as number)] as number
    if ((next & 3) !== 0) {
      const isRow = next !== unknownRow && next !== matchRow
      words[0] = isRow ? next : row
      words[1] = isRow ? 0 : next
      return isRow ? at + 1 : at
    }
    row = next
    at++
  }
  words[0] = row
  words[1] = 0
  return at
}

function skip(table: Uint8Array, row: number, text: Uint8Array, from: number, to: number): number {
  const low = row - skipBytes
  for (let at = from; at < to; at++) {
    const byte = text[at] as number
    if (((table[low + (byte & 15)] as number) & (table[low + 16 + (byte >> 4)] as number)) !== 0) {
      return at
    }
  }
  return to
}
