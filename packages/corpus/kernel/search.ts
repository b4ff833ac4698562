// Finds a needle by two of its rarest bytes, sixteen positions at a time. A mask byte per needle
// byte follows the needle: 0x20 for a letter that matches in both cases (the needle has lower
// case), else 0. May read up to 31 bytes past the end without using them.

/** Address of the first occurrence that starts at or after `from` and ends by `end`; 0 if none. */
export function find(
  from: usize,
  end: usize,
  needle: usize,
  length: usize,
  rare: usize,
  other: usize,
): usize {
  if (length == 0 || end < length || from > end - length) return 0
  // The last position where the needle can start.
  const last = end - length
  const masks = needle + length
  const rareByte = load<u8>(needle + rare)
  const rareMask = load<u8>(masks + rare)
  let at = from
  if (ASC_FEATURE_SIMD) {
    const rareBytes = i8x16.splat(rareByte)
    const rareMasks = i8x16.splat(rareMask)
    const otherBytes = i8x16.splat(load<u8>(needle + other))
    const otherMasks = i8x16.splat(load<u8>(masks + other))
    // A case-sensitive test is cheaper, so four vectors at a time pay.
    if ((rareMask | load<u8>(masks + other)) == 0) {
      while ((at = skipWithout(at, last, rare, other, rareBytes, otherBytes)) + 64 <= last) {
        for (const stop = at + 64; at < stop; at += 16) {
          let bits = i8x16.bitmask(bothBytes(at, rare, other, rareBytes, otherBytes))
          for (; bits != 0; bits &= bits - 1) {
            const candidate = at + <usize>ctz(bits)
            if (matchesAt(candidate, needle, masks, length)) return candidate
          }
        }
      }
    }
    // Two full vectors at a time. One branch for both bytes is easier to predict than two.
    for (; at + 32 <= last; at += 32) {
      const near = v128.and(
        i8x16.eq(v128.or(v128.load(at + rare), rareMasks), rareBytes),
        i8x16.eq(v128.or(v128.load(at + other), otherMasks), otherBytes),
      )
      const far = v128.and(
        i8x16.eq(v128.or(v128.load(at + rare, 16), rareMasks), rareBytes),
        i8x16.eq(v128.or(v128.load(at + other, 16), otherMasks), otherBytes),
      )
      if (!v128.any_true(v128.or(near, far))) continue
      let bits = <u32>i8x16.bitmask(near) | ((<u32>i8x16.bitmask(far)) << 16)
      while (bits != 0) {
        const candidate = at + <usize>ctz(bits)
        if (matchesAt(candidate, needle, masks, length)) return candidate
        bits &= bits - 1
      }
    }
    for (; at <= last; at += 16) {
      const first = i8x16.eq(v128.or(v128.load(at + rare), rareMasks), rareBytes)
      const second = i8x16.eq(v128.or(v128.load(at + other), otherMasks), otherBytes)
      let bits = i8x16.bitmask(v128.and(first, second))
      while (bits != 0) {
        const candidate = at + <usize>ctz(bits)
        if (candidate > last) return 0
        if (matchesAt(candidate, needle, masks, length)) return candidate
        bits &= bits - 1
      }
    }
    return 0
  }
  for (; at <= last; at++) {
    if ((load<u8>(at + rare) | rareMask) != rareByte) continue
    if (matchesAt(at, needle, masks, length)) return at
  }
  return 0
}

/** Skips 64 positions at a time while no position has both bytes. */
function skipWithout(
  at: usize,
  last: usize,
  rare: usize,
  other: usize,
  rareBytes: v128,
  otherBytes: v128,
): usize {
  for (; at + 64 <= last; at += 64) {
    const near = v128.or(
      bothBytes(at, rare, other, rareBytes, otherBytes),
      bothBytes(at + 16, rare, other, rareBytes, otherBytes),
    )
    const far = v128.or(
      bothBytes(at + 32, rare, other, rareBytes, otherBytes),
      bothBytes(at + 48, rare, other, rareBytes, otherBytes),
    )
    if (v128.any_true(v128.or(near, far))) break
  }
  return at
}

/** Positions, out of sixteen, that have both bytes. */
function bothBytes(at: usize, rare: usize, other: usize, rareBytes: v128, otherBytes: v128): v128 {
  return v128.and(
    i8x16.eq(v128.load(at + rare), rareBytes),
    i8x16.eq(v128.load(at + other), otherBytes),
  )
}

function matchesAt(start: usize, needle: usize, masks: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at++) {
    if ((load<u8>(start + at) | load<u8>(masks + at)) != load<u8>(needle + at)) return false
  }
  return true
}
