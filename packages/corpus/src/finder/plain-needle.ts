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
  const commonness = Array.from(bytes, (byte, at) => -rarity(byte) + (masks[at] === 0 ? 0 : 2))
  return { ...plainNeedleOf(bytes, masks, commonness), folded: !caseSensitive }
}

/** The needle with these masks; `commonness` says of each byte how often it is met. */
export function plainNeedleOf(
  bytes: Uint8Array,
  masks: Uint8Array,
  commonness: readonly number[],
): PlainNeedle {
  const common = (at: number): number => commonness[at] as number
  const offsets = Array.from(bytes.keys()).sort((a, b) => common(a) - common(b))
  const [rare = 0, other = rare] = offsets
  return { bytes, masks, rare, other, folded: false }
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
