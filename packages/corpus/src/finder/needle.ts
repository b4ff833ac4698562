// Finds a needle in bytes. Node's own search is fastest for short needles that begin with a rare byte,
// so a piece of the needle is looked for that begins with its rarest one, and then the rest compared.

export interface Needle {
  length: number
  /** Offset of the first occurrence at or after `from`, -1 when there is none. */
  find(bytes: Buffer, from: number): number
}

/** Up to this length Node looks for the first byte with the processor's own instructions. */
const pieceBytes = 7

/** Bytes of source code from the most frequent to less frequent ones; all others are rarer. */
const frequent = ' etanrisolcdup\nhm\tfg.,;_ybv()=-"\'/*SCEATx01'

export function createNeedle(needle: Buffer): Needle {
  const offset = rarestOffset(needle)
  const piece = needle.subarray(offset, offset + pieceBytes)
  if (piece.length === needle.length) {
    return { length: needle.length, find: (bytes, from) => bytes.indexOf(needle, from) }
  }
  const find = (bytes: Buffer, from: number): number => {
    let at = bytes.indexOf(piece, from + offset)
    while (at !== -1) {
      const start = at - offset
      const end = start + needle.length
      if (end <= bytes.length && bytes.compare(needle, 0, needle.length, start, end) === 0) {
        return start
      }
      at = bytes.indexOf(piece, at + 1)
    }
    return -1
  }
  return { length: needle.length, find }
}

/** Where the rarest byte is that still leaves a piece worth looking for. */
function rarestOffset(needle: Buffer): number {
  let best = 0
  let bestRank = -1
  for (let at = 0; at < needle.length && (at === 0 || needle.length - at >= 4); at++) {
    const rank = rarity(needle[at] as number)
    if (rank > bestRank) {
      best = at
      bestRank = rank
    }
  }
  return best
}

/** The higher, the less often a byte is met in source code. */
export function rarity(byte: number): number {
  const rank = frequent.indexOf(String.fromCharCode(byte))
  return rank === -1 ? frequent.length : rank
}
