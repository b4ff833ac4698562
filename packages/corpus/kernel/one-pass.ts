// For texts that are read, searched once and given up: a module of its own, small and with memory of its own.
// Only compiled with vectors.
export { find } from './search'
export { countLineEnds } from './lines'

const lineFeed: u8 = 0x0a
const carriageReturn: u8 = 0x0d

/**
 * Bytes from `from` to `to`, both multiples of sixteen, that begin no character: those that go on with one, and
 * each LF behind a CR. Twice as many, and one more where not all is ASCII. The last byte must be no CR.
 */
export function countSurplus(from: usize, to: usize): u32 {
  let surplus: u32 = 0
  let beyond: u32 = 0
  while (from < to) {
    const stop = min(to, from + 64)
    // Most of source code is ASCII without a CR, and that is soon seen.
    if (stop == from + 64 && isPlain(from)) from = stop
    for (; from < stop; from += 16) {
      surplus += surplusAt(from)
      beyond |= i8x16.bitmask(v128.load(from))
    }
  }
  return (surplus << 1) | (beyond == 0 ? 0 : 1)
}

/** 64 bytes of ASCII without a CR. */
function isPlain(at: usize): bool {
  const near = v128.or(oddBytes(at), oddBytes(at + 16))
  const far = v128.or(oddBytes(at + 32), oddBytes(at + 48))
  return i8x16.bitmask(v128.or(near, far)) == 0
}

/** The highest bit is set of bytes beyond ASCII and of CR. */
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
  const further = i8x16.lt_s(bytes, i8x16.splat(-64))
  return <u32>popcnt(i8x16.bitmask(v128.or(pairs, further)))
}
