// A small separate module with its own memory, for texts that are searched once and discarded.
// Always compiled with SIMD.
export { find } from './search'
export { countLineEnds } from './lines'

const lineFeed: u8 = 0x0a
const carriageReturn: u8 = 0x0d

/**
 * Counts bytes that start no character: continuation bytes and each LF after a CR. Returns twice
 * the count, plus 1 if any byte is beyond ASCII. `from` and `to` are multiples of 16; the last byte
 * must not be a CR.
 */
export function countSurplus(from: usize, to: usize): u32 {
  let surplus: u32 = 0
  let nonAscii: u32 = 0
  while (from < to) {
    const stop = min(to, from + 64)
    // Most source code is ASCII without a CR and takes this fast path.
    if (stop == from + 64 && isPlain(from)) from = stop
    for (; from < stop; from += 16) {
      surplus += surplusAt(from)
      nonAscii |= i8x16.bitmask(v128.load(from))
    }
  }
  return (surplus << 1) | (nonAscii == 0 ? 0 : 1)
}

/** Whether 64 bytes are ASCII without a CR. */
function isPlain(at: usize): bool {
  const near = v128.or(oddBytes(at), oddBytes(at + 16))
  const far = v128.or(oddBytes(at + 32), oddBytes(at + 48))
  return i8x16.bitmask(v128.or(near, far)) == 0
}

/** Sets the top bit of bytes beyond ASCII and of CR. */
function oddBytes(at: usize): v128 {
  const bytes = v128.load(at)
  return v128.or(bytes, i8x16.eq(bytes, i8x16.splat(carriageReturn)))
}

function surplusAt(at: usize): u32 {
  const bytes = v128.load(at)
  const pairs = v128.and(
    i8x16.eq(bytes, i8x16.splat(carriageReturn)),
    i8x16.eq(v128.load(at, 1), i8x16.splat(lineFeed)),
  )
  const continuations = i8x16.lt_s(bytes, i8x16.splat(-64))
  return <u32>popcnt(i8x16.bitmask(v128.or(pairs, continuations)))
}
