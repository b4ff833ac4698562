// Signatures: the trigrams of a lower-cased text, hashed into 2^size buckets. A map of one byte per
// bucket marks them; the number of marks decides the signature's size. The top bits of a hash are
// its bucket, so a larger map folds into a smaller one. A block's rows are far apart, so the maps of
// up to eight texts are gathered, one bit each, before they are written.

/** log2 of the buckets of the largest signature. */
const hashBits: u32 = 18
const hashFactor: u32 = 0x9e3779b1
const carriageReturn: u8 = 0x0d

/** The bucket of a trigram in the largest signature. */
export function trigramHash(trigram: u32): u32 {
  return ((trigram << 8) * hashFactor) >> (32 - hashBits)
}

/**
 * Clears a map of 2^size bytes, marks the trigrams of a lower-case text in it and returns the
 * number of marks.
 */
export function markTrigrams(at: usize, to: usize, map: usize, size: u32): u32 {
  const buckets: usize = 1 << size
  memory.fill(map, 0, buckets)
  if (to - at < 3) return 0
  const shift = 32 - size
  const end = to - 2
  for (; at + 8 <= end; at += 8) {
    mark(map, load<u32>(at), shift)
    mark(map, load<u32>(at, 1), shift)
    mark(map, load<u32>(at, 2), shift)
    mark(map, load<u32>(at, 3), shift)
    mark(map, load<u32>(at, 4), shift)
    mark(map, load<u32>(at, 5), shift)
    mark(map, load<u32>(at, 6), shift)
    mark(map, load<u32>(at, 7), shift)
  }
  for (; at < end; at++) mark(map, load<u32>(at), shift)
  return countMarks(map, buckets)
}

/**
 * Copies a text with its ASCII capitals in lower case; `out` needs 16 bytes of extra room. Returns
 * whether the text is ASCII without a CR, so that it has as many characters as bytes.
 */
export function lowerCase(from: usize, to: usize, out: usize): bool {
  if (ASC_FEATURE_SIMD) {
    let special = i8x16.splat(0)
    for (; from + 16 <= to; from += 16, out += 16) {
      const bytes = v128.load(from)
      special = v128.or(special, v128.or(bytes, i8x16.eq(bytes, i8x16.splat(carriageReturn))))
      v128.store(out, lowered(bytes))
    }
    // Handles the bytes after the last full vector one by one.
    return (i8x16.bitmask(special) == 0) & lowerRest(from, to, out)
  }
  return lowerRest(from, to, out)
}

function lowered(bytes: v128): v128 {
  const aboveA = i8x16.gt_s(bytes, i8x16.splat(0x40))
  const capitals = v128.and(aboveA, i8x16.lt_s(bytes, i8x16.splat(0x5b)))
  return v128.or(bytes, v128.and(capitals, i8x16.splat(0x20)))
}

function lowerRest(from: usize, to: usize, out: usize): bool {
  let isPlain = true
  for (; from < to; from++, out++) {
    const byte = load<u8>(from)
    store<u8>(out, byte - 0x41 < 26 ? byte | 0x20 : byte)
    if (byte >= 0x80 || byte == carriageReturn) isPlain = false
  }
  return isPlain
}

/**
 * Hashes the first three of four bytes: a shift drops the fourth in one instruction, a mask would
 * take two.
 */
function mark(map: usize, bytes: u32, shift: u32): void {
  store<u8>(map + <usize>(((bytes << 8) * hashFactor) >> shift), 1)
}

/** Each mark is the byte 1, so counting set bits counts marks. */
function countMarks(map: usize, buckets: usize): u32 {
  let count: u32 = 0
  for (let at: usize = 0; at < buckets; at += 16) {
    count += <u32>(popcnt(load<u64>(map + at)) + popcnt(load<u64>(map + at, 8)))
  }
  return count
}

/** Folds a map of 2^size bytes into its first half by merging neighbours. */
export function halveMap(map: usize, size: u32): void {
  const buckets: usize = 1 << size
  if (ASC_FEATURE_SIMD) {
    for (let at: usize = 0; at < buckets; at += 32) {
      const first = joinPairs(v128.load(map + at))
      const second = joinPairs(v128.load(map + at, 16))
      v128.store(map + (at >> 1), i8x16.narrow_i16x8_u(first, second))
    }
    return
  }
  for (let at: usize = 0; at < buckets; at += 2) {
    store<u8>(map + (at >> 1), load<u8>(map + at) | load<u8>(map + at, 1))
  }
}

function joinPairs(marks: v128): v128 {
  return v128.and(v128.or(marks, i16x8.shr_u(marks, 8)), i16x8.splat(0xff))
}

/** Adds a map of 2^size bytes to a group of eight texts as this bit. */
export function addToGroup(group: usize, map: usize, size: u32, bit: u32): void {
  const buckets: usize = 1 << size
  if (ASC_FEATURE_SIMD) {
    for (let at: usize = 0; at < buckets; at += 16) {
      const marks = i8x16.shl(v128.load(map + at), bit)
      v128.store(group + at, v128.or(v128.load(group + at), marks))
    }
    return
  }
  for (let at: usize = 0; at < buckets; at += 8) {
    store<u64>(group + at, load<u64>(group + at) | (load<u64>(map + at) << bit))
  }
}

/** Writes a group to its cell, one byte in each of a block's 2^size rows, and clears the group. */
export function writeGroup(cell: usize, rowBytes: usize, size: u32, group: usize): void {
  const end = group + ((<usize>1) << size)
  for (; group < end; group += 8) {
    let bits = load<u64>(group)
    store<u64>(group, 0)
    for (let row = 0; row < 8; row++) {
      store<u8>(cell, load<u8>(cell) | <u8>bits)
      bits >>= 8
      cell += rowBytes
    }
  }
}

/** Replaces a column of a block with a map of 2^size bytes. */
export function putColumn(block: usize, rowBytes: usize, column: u32, size: u32, map: usize): void {
  const bit = column & 7
  const others = ~(<u8>((<u32>1) << bit))
  let cell = block + <usize>(column >> 3)
  const end = map + ((<usize>1) << size)
  for (; map < end; map++, cell += rowBytes) {
    store<u8>(cell, (load<u8>(cell) & others) | (load<u8>(map) << (<u8>bit)))
  }
}
