// SQLite's variable-length integers: seven bits a byte, the ninth byte has eight.
import { invalid } from './invalid.ts'

/** Values beyond 2^53 lose precision; sizes and rowids of real databases are smaller. */
export function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  for (let index = 0; ; index++) {
    const byte = bytes[start + index]
    if (byte === undefined) throw invalid('a number is cut')
    if (index === 8) return { value: value * 256 + byte, end: start + 9 }
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: start + index + 1 }
  }
}
