// A literal in the form that the kernel searches for: bytes, masks that make letters match in either case, and the
// offsets of its two rarest bytes, which the kernel compares first.
import { isAscii } from 'node:buffer'
import { rarity } from './needle.ts'

export interface PlainNeedle {
  bytes: Uint8Array
  masks: Uint8Array
  rarestOffset: number
  secondOffset: number
  /** ASCII letters match in either case. */
  isFolded: boolean
}

/** Undefined if a comparison of bytes is not equivalent to the search. */
export function plainNeedle(pattern: string, caseSensitive: boolean): PlainNeedle | undefined {
  if (/[\r\n\ufffd]|\p{Surrogate}/u.test(pattern)) return undefined
  const bytes = Buffer.from(caseSensitive ? pattern : pattern.toLowerCase())
  if (!caseSensitive && !isAscii(bytes)) return undefined
  const masks = bytes.map((byte) => (!caseSensitive && isLetter(byte) ? 0x20 : 0))
  const commonness = Array.from(
    bytes,
    (byte, index) => -rarity(byte) + (masks[index] === 0 ? 0 : 2),
  )
  return { ...needleFromBytes(bytes, masks, commonness), isFolded: !caseSensitive }
}

/** A needle with these masks; `commonness` ranks each byte, the most common highest. */
export function needleFromBytes(
  bytes: Uint8Array,
  masks: Uint8Array,
  commonness: readonly number[],
): PlainNeedle {
  const common = (offset: number): number => commonness[offset] as number
  const offsets = Array.from(bytes.keys()).sort((a, b) => common(a) - common(b))
  const [rarestOffset = 0, secondOffset = rarestOffset] = offsets
  return { bytes, masks, rarestOffset, secondOffset, isFolded: false }
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
