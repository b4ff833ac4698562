// Which texts of a block can hold something: the rows of its trigrams, one bit per text, combined.

/**
 * Which texts of a block have all of some trigrams. `hashes` holds `count` words, the trigrams' buckets in
 * the largest signature; `fold` is how many bits less this block's buckets have. One row goes to
 * `out`; gives whether any bit of it is set. Rows are a multiple of 16 bytes.
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

/** `into` AND `other`, both a multiple of 8 bytes long. */
export function andBits(into: usize, other: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 8) {
    store<u64>(into + at, load<u64>(into + at) & load<u64>(other + at))
  }
}

/** `into` OR `other`. */
export function orBits(into: usize, other: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 8) {
    store<u64>(into + at, load<u64>(into + at) | load<u64>(other + at))
  }
}
