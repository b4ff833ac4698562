// Filters the texts of a block: ANDs the rows of the query's trigrams, which have one bit per text.

/**
 * Finds the texts of a block that contain all trigrams. `hashes` holds `count` words: their buckets
 * in the largest signature. `fold` is the number of bits by which this block's buckets are smaller.
 * Writes one row to `out` and returns whether any bit is set. Rows are multiples of 16 bytes.
 */
export function filterBlock(
  block: usize,
  rowBytes: usize,
  hashes: usize,
  count: u32,
  fold: u32,
  out: usize,
): bool {
  let any = false
  for (let part: usize = 0; part < rowBytes; part += 16) {
    any = filterPart(block + part, rowBytes, hashes, count, fold, out + part) || any
  }
  return any
}

function filterPart(
  block: usize,
  rowBytes: usize,
  hashes: usize,
  count: u32,
  fold: u32,
  out: usize,
): bool {
  let low: u64 = ~0
  let high: u64 = ~0
  for (let at: u32 = 0; at < count && (low | high) != 0; at++) {
    const row = block + <usize>(load<u32>(hashes + <usize>(at << 2)) >> fold) * rowBytes
    low &= load<u64>(row)
    high &= load<u64>(row, 8)
  }
  store<u64>(out, low)
  store<u64>(out, high, 8)
  return (low | high) != 0
}

/** `into` AND `other`; both are multiples of 8 bytes. */
export function andBits(into: usize, other: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 8) {
    store<u64>(into + at, load<u64>(into + at) & load<u64>(other + at))
  }
}

/** `into` OR `other`; both are multiples of 8 bytes. */
export function orBits(into: usize, other: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 8) {
    store<u64>(into + at, load<u64>(into + at) | load<u64>(other + at))
  }
}
