// A literal as the kernel looks for it: bytes, masks under letters of which either case will do, and the two
// rarest bytes, which are looked for first.
import { isAscii } from 'node:buffer'
import { rarity } from './needle.ts'

export interface PlainNeedle {
  bytes: Uint8Array
  masks: Uint8Array
  rare: number
  other: number
  /** Either case of ASCII letters will do. */
  folded: boolean
}

/** Undefined when looking at bytes is not enough. */
export function plainNeedle(pattern: string, caseSensitive: boolean): PlainNeedle | undefined {
  if (/[\r\n\ufffd]|\p{Surrogate}/u.test(pattern)) return undefined
  const bytes = Buffer.from(caseSensitive ? pattern : pattern.toLowerCase())
  if (!caseSensitive && !isAscii(bytes)) return undefined
  const masks = bytes.map((byte) => (!caseSensitive && isLetter(byte) ? 0x20 : 0))
  const offsets = Array.from(bytes.keys())
  const commonness = (at: number): number =>
    -rarity(bytes[at] as number) + (masks[at] === 0 ? 0 : 2)
  const [rare = 0, other = rare] = offsets.sort((a, b) => commonness(a) - commonness(b))
  return { bytes, masks, rare, other, folded: !caseSensitive }
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
