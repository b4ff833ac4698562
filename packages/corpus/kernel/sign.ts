// Signatures: which trigrams of ASCII-lower-cased bytes a text holds, hashed into 2^size buckets. A text is
// first marked in a map of one byte per bucket; the number of marks decides how large its signature
// is. The top bits of a hash are its bucket, so a larger map folds into a smaller one.

/** Buckets of the largest signature, as a power of two. */
const HASH_BITS: u32 = 18
const FACTOR: u32 = 0x9e3779b1

/** The bucket of a trigram in the largest signature. */
export function trigramHash(trigram: u32): u32 {
  return (trigram * FACTOR) >> (32 - HASH_BITS)
}

/**
 * Marks the trigrams of a text in a map of 2^size bytes, which is cleared first, and gives the number of
 * marks. `lower` is room for the text in lower case and 16 bytes more.
 */
export function markTrigrams(from: usize, to: usize, map: usize, size: u32, lower: usize): u32 {
  const buckets: usize = 1 << size
  memory.fill(map, 0, buckets)
  const length = to - from
  if (length < 3) return 0
  lowerCase(from, to, lower)
  const shift = 32 - size
  const end = lower + length - 2
  let at = lower
  for (; at + 6 <= end; at += 6) {
    const bytes = load<u64>(at)
    mark(map, <u32>bytes, shift)
    mark(map, <u32>(bytes >> 8), shift)
    mark(map, <u32>(bytes >> 16), shift)
    mark(map, <u32>(bytes >> 24), shift)
    mark(map, <u32>(bytes >> 32), shift)
    mark(map, <u32>(bytes >> 40), shift)
  }
  for (; at < end; at++) mark(map, load<u32>(at), shift)
  return countMarks(map, buckets)
}

/** Copies bytes with the ASCII capitals among them in lower case. */
export function lowerCase(from: usize, to: usize, out: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (; from < to; from += 16, out += 16) {
      const bytes = v128.load(from)
      const aboveA = i8x16.gt_s(bytes, i8x16.splat(0x40))
      const capitals = v128.and(aboveA, i8x16.lt_s(bytes, i8x16.splat(0x5b)))
      v128.store(out, v128.or(bytes, v128.and(capitals, i8x16.splat(0x20))))
    }
    return
  }
  for (; from < to; from++, out++) {
    const byte = load<u8>(from)
    store<u8>(out, byte - 0x41 < 26 ? byte | 0x20 : byte)
  }
}

function mark(map: usize, bytes: u32, shift: u32): void {
  store<u8>(map + <usize>(((bytes & 0xffffff) * FACTOR) >> shift), 1)
}

/** Marks are ones, so the set bits are as many. */
function countMarks(map: usize, buckets: usize): u32 {
  let count: u32 = 0
  for (let at: usize = 0; at < buckets; at += 8) {
    count += <u32>popcnt(load<u64>(map + at))
  }
  return count
}

/**
 * Sets the bits of a text in its column of a block: 2^size rows of `rowBytes` bytes. The marks are in a map
 * of 2^mapSize bytes.
 */
export function setColumn(
  block: usize,
  rowBytes: usize,
  column: u32,
  size: u32,
  map: usize,
  mapSize: u32,
): void {
  const cell = block + <usize>(column >> 3)
  const bit = <u8>((<u32>1) << (column & 7))
  const fold = mapSize - size
  const buckets: usize = 1 << mapSize
  for (let at: usize = 0; at < buckets; at += 8) {
    if (load<u64>(map + at) == 0) continue
    for (let each = at; each < at + 8; each++) {
      if (load<u8>(map + each) == 0) continue
      const place = cell + (each >> fold) * rowBytes
      store<u8>(place, load<u8>(place) | bit)
    }
  }
}

/** Takes every bit out of a column. */
export function clearColumn(block: usize, rowBytes: usize, column: u32, size: u32): void {
  const bit = ~(<u8>((<u32>1) << (column & 7)))
  let place = block + <usize>(column >> 3)
  for (let rows: u32 = 1 << size; rows > 0; rows--, place += rowBytes) {
    store<u8>(place, load<u8>(place) & bit)
  }
}
