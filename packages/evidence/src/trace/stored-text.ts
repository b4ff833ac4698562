// Turns observed output into stored text: redacts first, then cuts. Every preview and capture uses
// it. Loads Node built-ins only.
import { cutBuffer, decodeUtf8 } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'

/** The stdout or stderr of a call. */
export interface ObservedStream {
  /** Exact total, including bytes that are not in `head`. */
  bytes: number
  /** The start of the stream: all of it, or a few KiB more than is stored. */
  head: Uint8Array
  /** Whether `head` holds all of it, in another form than sent; by default its length decides. */
  isWhole?: boolean | undefined
}

export interface StoredText {
  text: string
  truncated: boolean
  applied: readonly string[]
}

/** Drops a possible start of a secret at the end of an incomplete head. */
export function storedText(
  { bytes, head, isWhole }: ObservedStream,
  maxBytes: number,
  redactor: Redactor,
): StoredText {
  const incomplete = isWhole === undefined ? head.length < bytes : !isWhole
  const wholeCharacters = incomplete ? cutBuffer(head, head.length - 1) : head
  return redactor.cut(decodeLossy(wholeCharacters), maxBytes, { incomplete })
}

const replacement = '\ufffd'

/** Decodes UTF-8; each invalid byte becomes one replacement character. */
function decodeLossy(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  return text.includes(replacement) ? decodeByteByByte(bytes) : text
}

function decodeByteByByte(bytes: Uint8Array): string {
  const pieces: string[] = []
  let start = 0
  for (let offset = 0; offset < bytes.length;) {
    const length = characterLength(bytes, offset)
    if (length > 0) {
      offset += length
      continue
    }
    pieces.push(decodeUtf8(bytes.subarray(start, offset)), replacement)
    start = ++offset
  }
  return pieces.join('') + decodeUtf8(bytes.subarray(start))
}

/** Length in bytes of the well-formed character at `offset`; 0 if there is none. */
function characterLength(bytes: Uint8Array, offset: number): number {
  const lead = bytes[offset] ?? 0
  if (lead < 0x80) return 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
  const second = bytes[offset + 1] ?? 0
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let next = offset + 2; next < offset + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}
