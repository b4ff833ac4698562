// Skip tables for states that most bytes do not leave, such as the state before any partial match.
// Two nibble tables find the next leaving byte sixteen bytes at a time.
import type { ByteAutomaton } from './automaton.ts'

/** Occurrences of a byte per 1000 bytes of source text. */
export function byteFrequency(byte: number): number {
  if (byte === 0x20) return 150
  if (byte >= 0x61 && byte <= 0x7a) return 22
  if (byte === 0x0a || byte === 0x09 || byte === 0x5f) return 25
  if (byte >= 0x30 && byte <= 0x39) return 5
  if (byte >= 0x80 || byte < 0x20) return 0
  return 4
}

/** With more leaving bytes per 1000 than this, skipping is slower than stepping. */
const maxLeaving = 110

/** Tables for the low and the high nibble of a byte; undefined when they would not pay. */
export function skipTables(automaton: ByteAutomaton, state: number): Uint8Array | undefined {
  const { classOf, samples } = automaton.byteClasses
  const leaves = samples.map((byte) => automaton.after(state, byte) !== state)
  let total = 0
  const rows = Array.from({ length: 16 }, () => 0)
  for (let byte = 0; byte < 256; byte++) {
    if (leaves[classOf[byte] as number] !== true) continue
    total += byteFrequency(byte)
    rows[byte >> 4] = (rows[byte >> 4] as number) | (1 << (byte & 15))
  }
  return total > maxLeaving ? undefined : nibbleTables(rows)
}

/**
 * Assigns one bit to each distinct row, at most eight. `rows` has a set of low nibbles per high
 * nibble.
 */
function nibbleTables(rows: number[]): Uint8Array | undefined {
  const distinctRows = [...new Set(rows)].filter((row) => row !== 0)
  if (distinctRows.length > 8) return undefined
  const tables = new Uint8Array(32)
  for (const [high, row] of rows.entries()) {
    if (row !== 0) tables[16 + high] = 1 << distinctRows.indexOf(row)
  }
  for (const [bit, row] of distinctRows.entries()) {
    for (let low = 0; low < 16; low++) {
      if ((row & (1 << low)) !== 0) tables[low] = (tables[low] as number) | (1 << bit)
    }
  }
  return tables
}
