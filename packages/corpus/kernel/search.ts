// Finds a needle in bytes by two of its rarest bytes, sixteen places at a time. A needle is followed by
// as many mask bytes: 0x20 under a letter of which either case will do (the needle then holds the
// lower one), 0 elsewhere. May read, but never uses, up to 31 bytes behind the end.

/** Address of the first occurrence that begins at `from` or later and ends by `end`; 0 for none. */
export function find(
  from: usize,
  end: usize,
  needle: usize,
  length: usize,
  rare: usize,
  other: usize,
): usize {
  if (length == 0 || end < length || from > end - length) return 0
  // The last place where the needle can begin.
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
    // Where case matters there is less to do, and four vectors at a time pay.
    if ((rareMask | load<u8>(masks + other)) == 0) {
      while ((at = passOver(at, last, rare, other, rareBytes, otherBytes)) + 64 <= last) {
        for (const stop = at + 64; at < stop; at += 16) {
          let bits = i8x16.bitmask(both(at, rare, other, rareBytes, otherBytes))
          for (; bits != 0; bits &= bits - 1) {
            const place = at + <usize>ctz(bits)
            if (isThere(place, needle, masks, length)) return place
          }
        }
      }
    }
    // Two vectors at a time as long as both are whole; asking once for both bytes is what can be foretold.
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
        const place = at + <usize>ctz(bits)
        if (isThere(place, needle, masks, length)) return place
        bits &= bits - 1
      }
    }
    for (; at <= last; at += 16) {
      const first = i8x16.eq(v128.or(v128.load(at + rare), rareMasks), rareBytes)
      const second = i8x16.eq(v128.or(v128.load(at + other), otherMasks), otherBytes)
      let bits = i8x16.bitmask(v128.and(first, second))
      while (bits != 0) {
        const place = at + <usize>ctz(bits)
        if (place > last) return 0
        if (isThere(place, needle, masks, length)) return place
        bits &= bits - 1
      }
    }
    return 0
  }
  for (; at <= last; at++) {
    if ((load<u8>(at + rare) | rareMask) != rareByte) continue
    if (isThere(at, needle, masks, length)) return at
  }
  return 0
}

/** Passes over 64 places at a time as long as both bytes are met at none of them. */
function passOver(
  at: usize,
  last: usize,
  rare: usize,
  other: usize,
  rareBytes: v128,
  otherBytes: v128,
): usize {
  for (; at + 64 <= last; at += 64) {
    const near = v128.or(
      both(at, rare, other, rareBytes, otherBytes),
      both(at + 16, rare, other, rareBytes, otherBytes),
    )
    const far = v128.or(
      both(at + 32, rare, other, rareBytes, otherBytes),
      both(at + 48, rare, other, rareBytes, otherBytes),
    )
    if (v128.any_true(v128.or(near, far))) break
  }
  return at
}

/** Where both bytes are met, of sixteen places. */
function both(at: usize, rare: usize, other: usize, rareBytes: v128, otherBytes: v128): v128 {
  return v128.and(
    i8x16.eq(v128.load(at + rare), rareBytes),
    i8x16.eq(v128.load(at + other), otherBytes),
  )
}

function isThere(place: usize, needle: usize, masks: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at++) {
    if ((load<u8>(place + at) | load<u8>(masks + at)) != load<u8>(needle + at)) return false
  }
  return true
}
