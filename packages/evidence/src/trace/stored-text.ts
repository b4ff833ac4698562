// Output that was seen, as the text that is stored of it: redacted first, then cut. Every preview and
// capture goes through here. Loads Node built-ins only.
import { cutBuffer, decodeUtf8 } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'

/** One side of what a call gave back. */
export interface ObservedStream {
  /** Exact, however little was kept. */
  bytes: number
  /** The beginning of the stream: all of it, or some KiB more than is stored. */
  head: Uint8Array
}

export interface StoredText {
  text: string
  truncated: boolean
  applied: readonly string[]
}

/** What might be the beginning of a secret at the end of an incomplete head is not kept. */
export function storedText(
  { bytes, head }: ObservedStream,
  mostBytes: number,
  redactor: Redactor,
): StoredText {
  const incomplete = head.length < bytes
  const whole = incomplete ? cutBuffer(head, head.length - 1) : head
  return redactor.cut(decodeLossy(whole), mostBytes, { incomplete })
}

const replacement = '\ufffd'

/** Bytes that are no UTF-8 become replacement characters one by one. */
function decodeLossy(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  return text.includes(replacement) ? decodeByteByByte(bytes) : text
}

function decodeByteByByte(bytes: Uint8Array): string {
  const pieces: string[] = []
  let start = 0
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    pieces.push(decodeUtf8(bytes.subarray(start, at)), replacement)
    start = ++at
  }
  return pieces.join('') + decodeUtf8(bytes.subarray(start))
}

/** How many bytes the well-formed character at this place has; 0 when there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  // The second byte rules out overlong forms, surrogates and what lies beyond Unicode.
  const second = bytes[at + 1] ?? 0
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}
