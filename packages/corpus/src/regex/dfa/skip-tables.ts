// States in which most bytes change nothing, such as before anything of a pattern was seen: bytes that do
// change something are looked for sixteen at a time, by two tables of what their halves have in common.
import type { ByteAutomaton } from './automaton.ts'

/** How often bytes occur among 1000 of source text. */
export function frequency(byte: number): number {
  if (byte === 0x20) return 150
  if (byte >= 0x61 && byte <= 0x7a) return 22
  if (byte === 0x0a || byte === 0x09 || byte === 0x5f) return 25
  if (byte >= 0x30 && byte <= 0x39) return 5
  if (byte >= 0x80 || byte < 0x20) return 0
  return 4
}

/** More bytes than this among 1000 that leave the state make skipping slower than stepping. */
const mostLeaving = 110

/** The tables for the lower and the upper half of a byte; undefined when they would not help. */
export function skipTables(automaton: ByteAutomaton, state: number): Uint8Array | undefined {
  const { of, sample } = automaton.bytes
  const leaves = sample.map((byte) => automaton.after(state, byte) !== state)
  let often = 0
  const rows = Array.from({ length: 16 }, () => 0)
  for (let byte = 0; byte < 256; byte++) {
    if (leaves[of[byte] as number] !== true) continue
    often += frequency(byte)
    rows[byte >> 4] = (rows[byte >> 4] as number) | (1 << (byte & 15))
  }
  return often > mostLeaving ? undefined : tablesOf(rows)
}

/** One bit per kind of row, at most eight. `rows` has the lower halves for each upper half. */
function tablesOf(rows: number[]): Uint8Array | undefined {
  const kinds = [...new Set(rows)].filter((row) => row !== 0)
  if (kinds.length > 8) return undefined
  const tables = new Uint8Array(32)
  for (const [high, row] of rows.entries()) {
    if (row !== 0) tables[16 + high] = 1 << kinds.indexOf(row)
  }
  for (const [bit, row] of kinds.entries()) {
    for (let low = 0; low < 16; low++) {
      if ((row & (1 << low)) !== 0) tables[low] = (tables[low] as number) | (1 << bit)
    }
  }
  return tables
}
