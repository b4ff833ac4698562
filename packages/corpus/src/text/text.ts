// The text model on bytes: where lines begin and end, where a text may be cut, and how it is decoded.
// A line ends at `\n`, `\r\n` or a lone `\r`; nothing else ends one. A final line end adds no empty line.
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

/** Whether any line end in these bytes involves a CR; plain files skip all work for it. */
export function hasReturns(bytes: Buffer): boolean {
  return bytes.indexOf(cr) !== -1
}

/** Offset of the line end at or after `from`, or the length when the last line is open. */
export function lineEndAt(bytes: Buffer, from: number, returns: boolean): number {
  const feed = bytes.indexOf(lf, from)
  const end = feed === -1 ? bytes.length : feed
  if (!returns) return end
  const back = bytes.subarray(from, end).indexOf(cr)
  return back === -1 ? end : from + back
}

/** Offset of the first byte after the line end at `at`. */
export function afterLineEnd(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return bytes.length
  return bytes[at] === cr && bytes[at + 1] === lf ? at + 2 : at + 1
}

/** Offset of the beginning of the line that holds the byte at `at`. */
export function lineStartAt(bytes: Buffer, at: number, returns: boolean): number {
  if (at === 0) return 0
  const feed = bytes.lastIndexOf(lf, at - 1)
  if (!returns) return feed + 1
  const back = bytes.subarray(feed + 1, at).lastIndexOf(cr)
  return feed + 1 + back + 1
}

/** Offset after `count` line ends from `from`; the length when there are fewer. */
export function skipLines(bytes: Buffer, from: number, count: number): number {
  const returns = hasReturns(bytes)
  let at = from
  for (let done = 0; done < count && at < bytes.length; done++) {
    at = afterLineEnd(bytes, lineEndAt(bytes, at, returns))
  }
  return at
}

/** Bytes as text: U+FFFD per ill-formed run, a byte order mark kept, CR untouched. */
export function decodeBytes(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8')
}

/** Bytes as text in which every line end is `\n`. */
export function decodeText(bytes: Buffer): string {
  const text = decodeBytes(bytes)
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** The lines of a byte range joined by `\n`, without a line end after the last. */
export function decodeLines(bytes: Buffer): string {
  const text = decodeText(bytes)
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/**
 * The longest length up to `at` at which the bytes may be cut: not inside a character that may still
 * be completed and not between CR and LF. Cut there, both halves decode as the whole does.
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
