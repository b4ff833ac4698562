// Steps a DFA over bytes. The table starts with four result words. At 16 it has the offset within a
// row for each byte (256 half-words), then the rows: the address of the next row per byte class.
// Bit 0 of an address marks a row with skip tables in the 32 bytes before it. Bit 1 marks a value
// that is no row.

/** Values that are no row: the transition is not computed yet, or the line matches. */
const noRow: u32 = 2

/**
 * Steps from `from` in `state` to `to`, or to a byte without a next row; returns its address.
 * Results: the last row, and the value that stopped the run (0 at `to`).
 */
export function stepRows(table: usize, state: u32, from: usize, to: usize): usize {
  const offsets = table + 16
  let row = <usize>state
  let next: usize = 0
  while (from < to) {
    if ((row & 1) != 0) {
      row -= 1
      from = skip(row, from, to)
      if (from >= to) break
    }
    for (; from + 4 <= to; from += 4) {
      next = after(offsets, row, from)
      if ((next & 3) != 0) break
      row = next
      next = after(offsets, row, from + 1)
      if ((next & 3) != 0) {
        from += 1
        break
      }
      row = next
      next = after(offsets, row, from + 2)
      if ((next & 3) != 0) {
        from += 2
        break
      }
      row = next
      next = after(offsets, row, from + 3)
      if ((next & 3) != 0) {
        from += 3
        break
      }
      row = next
    }
    if (from >= to) break
    next = after(offsets, row, from)
    if ((next & noRow) != 0) {
      store<u32>(table, <u32>row)
      store<u32>(table, <u32>next, 4)
      return from
    }
    row = next
    from++
  }
  store<u32>(table, <u32>row & ~1)
  store<u32>(table, 0, 4)
  return from
}

function after(offsets: usize, row: usize, at: usize): usize {
  return <usize>load<u32>(row + <usize>load<u16>(offsets + ((<usize>load<u8>(at)) << 1)))
}

/** Address of the first byte that leaves the row: both of its nibble entries share a bit. */
function skip(row: usize, from: usize, to: usize): usize {
  const low = row - 32
  const high = row - 16
  if (ASC_FEATURE_SIMD) {
    const lows = v128.load(low)
    const highs = v128.load(high)
    for (; from < to; from += 16) {
      const bytes = v128.load(from)
      const lowBits = i8x16.swizzle(lows, v128.and(bytes, i8x16.splat(0x0f)))
      const highBits = i8x16.swizzle(highs, i8x16.shr_u(bytes, 4))
      const stays = i8x16.bitmask(i8x16.eq(v128.and(lowBits, highBits), i8x16.splat(0)))
      if (stays != 0xffff) {
        const found = from + <usize>ctz(~stays)
        return found < to ? found : to
      }
    }
    return to
  }
  while (from < to) {
    const byte = <usize>load<u8>(from)
    if ((load<u8>(low + (byte & 15)) & load<u8>(high + (byte >> 4))) != 0) return from
    from++
  }
  return to
}

/**
 * Steps two positions of a text at once: two interleaved automata hide each other's load latency.
 * Both advance by the same number of bytes, at most `maxBytes`, and never skip. Results 3 and 4
 * belong to the second position.
 */
export function stepTwoRows(
  table: usize,
  state: u32,
  at: usize,
  otherState: u32,
  otherAt: usize,
  maxBytes: usize,
): usize {
  const offsets = table + 16
  let row = <usize>(state & ~1)
  let other = <usize>(otherState & ~1)
  const end = at + maxBytes
  let next: usize = 0
  let otherNext: usize = 0
  while (at < end) {
    next = after(offsets, row, at)
    otherNext = after(offsets, other, otherAt)
    if (((next | otherNext) & noRow) != 0) break
    row = next & ~1
    other = otherNext & ~1
    at++
    otherAt++
  }
  const isEnd = at == end
  store<u32>(table, <u32>row)
  store<u32>(table, isEnd || (next & noRow) == 0 ? 0 : <u32>next, 4)
  store<u32>(table, <u32>other, 8)
  store<u32>(table, isEnd || (otherNext & noRow) == 0 ? 0 : <u32>otherNext, 12)
  return at
}
