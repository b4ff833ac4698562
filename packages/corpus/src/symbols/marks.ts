// Finds the next byte of interest. This loop passes over most of every file, four bytes a turn.

/** What names consist of in all languages. */
export const wordChars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'

/** A table that has 1 for these characters and, where asked for, for all beyond ASCII. */
export function marksOf(chars: string, beyondAscii: 0 | 1 = 0): Uint8Array {
  const marks = new Uint8Array(256).fill(beyondAscii, 0x80)
  for (const char of chars) marks[char.charCodeAt(0)] = 1
  return marks
}

/** Offset of the first marked byte from `from` on; the length when there is none. */
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
