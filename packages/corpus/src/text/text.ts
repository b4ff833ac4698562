// The text model on bytes: line boundaries, safe cut points and decoding. A line ends at `\n`,
// `\r\n` or a lone `\r` and at nothing else. A final line end adds no empty line.
import { isAscii } from 'node:buffer'

export {
  codePointLength,
  codePointOffset,
  countByte,
  countChars,
  countCodePoints,
  countLineFeeds,
  countText,
} from './count.ts'
export type { TextCount } from './count.ts'

const lf = 0x0a
const cr = 0x0d

/** Whether the bytes contain a CR. Files without one skip all work on CR. */
export function hasReturns(bytes: Buffer): boolean {
  return bytes.indexOf(cr) !== -1
}

/** Offset of the line end at or after `from`, or the length when the last line has none. */
export function lineEndAt(bytes: Buffer, from: number, mayHaveReturns: boolean): number {
  const feed = bytes.indexOf(lf, from)
  const end = feed === -1 ? bytes.length : feed
  if (!mayHaveReturns) return end
  const offset = bytes.subarray(from, end).indexOf(cr)
  return offset === -1 ? end : from + offset
}

/** Offset of the first byte after the line end at `at`. */
export function afterLineEnd(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return bytes.length
  return bytes[at] === cr && bytes[at + 1] === lf ? at + 2 : at + 1
}

/** Offset of the start of the line that contains the byte at `at`. */
export function lineStartAt(bytes: Buffer, at: number, mayHaveReturns: boolean): number {
  if (at === 0) return 0
  const feed = bytes.lastIndexOf(lf, at - 1)
  if (!mayHaveReturns) return feed + 1
  const offset = bytes.subarray(feed + 1, at).lastIndexOf(cr)
  return feed + 1 + offset + 1
}

/** Offset after `count` line ends from `from` on; the length when there are fewer. */
export function skipLines(bytes: Buffer, from: number, count: number): number {
  const mayHaveReturns = hasReturns(bytes)
  let at = from
  for (let skipped = 0; skipped < count && at < bytes.length; skipped++) {
    at = afterLineEnd(bytes, lineEndAt(bytes, at, mayHaveReturns))
  }
  return at
}

/** Decodes bytes: U+FFFD per ill-formed run, byte order mark and CR preserved. */
export function decodeBytes(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8')
}

/** Decodes bytes and normalizes every line end to `\n`. */
export function decodeText(bytes: Buffer): string {
  const text = decodeBytes(bytes)
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** The lines of a byte range joined by `\n`, without a final line end. */
export function decodeLines(bytes: Buffer): string {
  const text = decodeText(bytes)
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/**
 * The longest length up to `at` at which the bytes can be cut: not inside an incomplete character
 * and not between CR and LF. Both parts then decode as the entire text does.
 */
export function cutPoint(bytes: Buffer, at: number): number {
  if (at > 0 && bytes[at - 1] === cr) return at - 1
  for (let back = 1; back <= 3 && back <= at; back++) {
    const byte = bytes[at - back] as number
    if (byte < 0x80) return at
    if (byte >= 0xc0) return sequenceLength(byte) > back ? at - back : at
  }
  return at
}

function sequenceLength(lead: number): number {
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
