// Finds the next byte of interest. This loop skips most of every file, four bytes per iteration.

/** The characters of names in all languages. */
export const wordChars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'

/** A table with 1 for these characters and `nonAscii` for all bytes beyond ASCII. */
export function markTable(chars: string, nonAscii: 0 | 1 = 0): Uint8Array {
  const marks = new Uint8Array(256).fill(nonAscii, 0x80)
  for (const char of chars) marks[char.charCodeAt(0)] = 1
  return marks
}

/** Offset of the first marked byte at or after `from`; the length if there is none. */
export function nextMark(bytes: Buffer, marks: Uint8Array, from: number): number {
  const last = bytes.length - 3
  let at = from
  for (; at < last; at += 4) {
    if (marks[bytes[at] as number] !== 0) return at
    if (marks[bytes[at + 1] as number] !== 0) return at + 1
    if (marks[bytes[at + 2] as number] !== 0) return at + 2
    if (marks[bytes[at + 3] as number] !== 0) return at + 3
  }
  while (at < bytes.length && marks[bytes[at] as number] === 0) at++
  return at
}
