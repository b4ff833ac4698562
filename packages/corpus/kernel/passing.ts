// For texts that are read, searched once and given up: a module of its own, small and with memory of its own.
export { find } from './search'
export { countLineEnds } from './lines'

const LF: u8 = 0x0a
const CR: u8 = 0x0d

/**
 * Bytes from `from` to `to`, both multiples of sixteen, that begin no character: those that go on with one, and
 * each LF behind a CR. Twice as many, and one more where not all is ASCII. The last byte must be no CR.
 */
export function countSurplus(from: usize, to: usize): u32 {
  let surplus: u32 = 0
  let beyond: u32 = 0
  if (ASC_FEATURE_SIMD) {
    // Most of source code is ASCII without a CR, and that is soon seen.
    for (; from + 64 <= to; from += 64) {
      const near = v128.or(oddBytes(from), oddBytes(from + 16))
      const far = v128.or(oddBytes(from + 32), oddBytes(from + 48))
      if (i8x16.bitmask(v128.or(near, far)) == 0) continue
      for (let at = from; at < from + 64; at += 16) {
        surplus += surplusAt(at)
        beyond |= i8x16.bitmask(v128.load(at))
      }
    }
    for (; from < to; from += 16) {
      surplus += surplusAt(from)
      beyond |= i8x16.bitmask(v128.load(from))
    }
  }
  for (; from < to; from++) {
    const byte = load<u8>(from)
    if (byte >= 0x80) beyond = 1
    if ((byte & 0xc0) == 0x80 || (byte == CR && load<u8>(from, 1) == LF)) surplus++
  }
  return (surplus << 1) | (beyond == 0 ? 0 : 1)
}

/** The highest bit is set of bytes beyond ASCII and of CR. */
function oddBytes(at: usize): v128 {
  const bytes = v128.load(at)
  return v128.or(bytes, i8x16.eq(bytes, i8x16.splat(CR)))
}

function surplusAt(at: usize): u32 {
  const bytes = v128.load(at)
  const pairs = v128.and(
    i8x16.eq(bytes, i8x16.splat(CR)),
    i8x16.eq(v128.load(at, 1), i8x16.splat(LF)),
  )
  const further = i8x16.lt_s(bytes, i8x16.splat(-64))
  return <u32>popcnt(i8x16.bitmask(v128.or(pairs, further)))
}
