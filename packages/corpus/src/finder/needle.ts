// Finds a needle in bytes. Node's `indexOf` is fastest for short needles that start with a rare byte. So this
// searches for a piece of the needle that starts with its rarest byte, and then compares the rest.

export interface Needle {
  /** The offset of the first occurrence at or after `from`; -1 without one. */
  find(bytes: Buffer, from: number): number
}

/** Up to this needle length, Node scans for the first byte with `memchr`. */
const pieceBytes = 7

/** Bytes of source code, the most frequent first; all others are rarer. */
const frequent = ' etanrisolcdup\nhm\tfg.,;_ybv()=-"\'/*SCEATx01'

export function createNeedle(needle: Buffer): Needle {
  const offset = rarestOffset(needle)
  const piece = needle.subarray(offset, offset + pieceBytes)
  if (piece.length === needle.length) {
    return { find: (bytes, from) => bytes.indexOf(needle, from) }
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
  return { find }
}

/** The offset of the rarest byte that is followed by at least three more. */
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

/** Rank of a byte by frequency in source code; rarer bytes rank higher. */
export function rarity(byte: number): number {
  const rank = frequent.indexOf(String.fromCharCode(byte))
  return rank === -1 ? frequent.length : rank
}
