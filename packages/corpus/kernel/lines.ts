// Lines of a text: their boundaries, their number, and those that contain a needle. A line ends at
// LF, CR LF or a lone CR. Some functions read past the end of the text; the byte after it must not
// be an LF.
import { find } from './search'

const lineFeed: u8 = 0x0a
const carriageReturn: u8 = 0x0d

/**
 * Finds lines between `start` and `end` that contain the needle, at most `limit`, and returns their
 * number. Writes four words per line to `out`: line number, and the offsets of its start, its end
 * and the match. `counted` is the start of line number `line`; counting continues there.
 */
export function findLines(
  start: usize,
  end: usize,
  needle: usize,
  length: usize,
  rare: usize,
  other: usize,
  counted: usize,
  line: u32,
  out: usize,
  limit: u32,
): u32 {
  let found: u32 = 0
  let from = counted
  while (found < limit) {
    const at = find(from, end, needle, length, rare, other)
    if (at == 0) break
    const first = lineStart(start, at)
    line += countLineEnds(counted, first)
    counted = first
    const stop = lineEnd(at, end)
    store<u32>(out, line)
    store<u32>(out, <u32>(first - start), 4)
    store<u32>(out, <u32>(stop - start), 8)
    store<u32>(out, <u32>(at - start), 12)
    out += 16
    found++
    from = stop
  }
  return found
}

/** Address of the start of the line that contains the byte at `at`. */
export function lineStart(start: usize, at: usize): usize {
  if (ASC_FEATURE_SIMD) {
    while (at >= start + 16) {
      const ends = lineEndBits(at - 16)
      if (ends != 0) return at - 16 + <usize>(32 - clz(ends))
      at -= 16
    }
  }
  while (at > start && !isLineEnd(load<u8>(at - 1))) at--
  return at
}

/** Address of the line end at or after `at`, or `end`. */
export function lineEnd(at: usize, end: usize): usize {
  if (ASC_FEATURE_SIMD) {
    for (; at < end; at += 16) {
      const ends = lineEndBits(at)
      if (ends == 0) continue
      const found = at + <usize>ctz(ends)
      return found < end ? found : end
    }
    return end
  }
  while (at < end && !isLineEnd(load<u8>(at))) at++
  return at
}

/** Number of line ends between two addresses, neither of which is between CR and LF. */
export function countLineEnds(from: usize, to: usize): u32 {
  let count: u32 = 0
  if (ASC_FEATURE_SIMD) {
    for (; from + 32 <= to; from += 32) {
      const near = v128.load(from)
      const far = v128.load(from, 16)
      const nearReturns = i8x16.eq(near, i8x16.splat(carriageReturn))
      // Most texts have no CR; the loop below counts those that do.
      if (v128.any_true(v128.or(nearReturns, i8x16.eq(far, i8x16.splat(carriageReturn))))) break
      const feeds = <u32>i8x16.bitmask(i8x16.eq(near, i8x16.splat(lineFeed)))
      count += <u32>(
        popcnt(feeds | ((<u32>i8x16.bitmask(i8x16.eq(far, i8x16.splat(lineFeed)))) << 16))
      )
    }
    for (; from + 16 <= to; from += 16) {
      const bytes = v128.load(from)
      const returns = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(carriageReturn)))
      const feeds = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(lineFeed)))
      count += <u32>popcnt(feeds)
      if (returns != 0) {
        const paired = (feeds >> 1) | (load<u8>(from, 16) == lineFeed ? 0x8000 : 0)
        count += <u32>popcnt(returns & ~paired)
      }
    }
  }
  for (; from < to; from++) {
    const byte = load<u8>(from)
    // A CR before an LF is counted with the LF.
    if (
      byte == lineFeed ||
      (byte == carriageReturn && (from + 1 >= to || load<u8>(from, 1) != lineFeed))
    )
      count++
  }
  return count
}

function lineEndBits(at: usize): i32 {
  const bytes = v128.load(at)
  const feeds = i8x16.eq(bytes, i8x16.splat(lineFeed))
  return i8x16.bitmask(v128.or(feeds, i8x16.eq(bytes, i8x16.splat(carriageReturn))))
}

function isLineEnd(byte: u8): bool {
  return byte == lineFeed || byte == carriageReturn
}

/**
 * Counts the bytes from `from` to `to`. Writes five words to `out`: LF, CR, CR LF, continuation
 * bytes, and whether any byte is beyond ASCII.
 */
export function countText(from: usize, to: usize, out: usize): void {
  let feeds: u32 = 0
  let returns: u32 = 0
  let pairs: u32 = 0
  let continuations: u32 = 0
  let nonAscii: u32 = 0
  let afterReturn: u32 = 0
  if (ASC_FEATURE_SIMD) {
    for (; from + 16 <= to; from += 16) {
      const bytes = v128.load(from)
      const feedBits = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(lineFeed)))
      const returnBits = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(carriageReturn)))
      feeds += <u32>popcnt(feedBits)
      if ((returnBits | afterReturn) != 0) {
        returns += <u32>popcnt(returnBits)
        pairs += <u32>popcnt(((returnBits << 1) | afterReturn) & feedBits)
        afterReturn = (<u32>returnBits >> 15) & 1
      }
      const high = i8x16.bitmask(bytes)
      if (high != 0) {
        nonAscii = 1
        continuations += <u32>popcnt(i8x16.bitmask(i8x16.lt_s(bytes, i8x16.splat(-64))))
      }
    }
  }
  for (; from < to; from++) {
    const byte = load<u8>(from)
    if (byte == lineFeed) {
      feeds++
      pairs += afterReturn
    }
    afterReturn = byte == carriageReturn ? 1 : 0
    returns += afterReturn
    if (byte >= 0x80) nonAscii = 1
    if ((byte & 0xc0) == 0x80) continuations++
  }
  store<u32>(out, feeds)
  store<u32>(out, returns, 4)
  store<u32>(out, pairs, 8)
  store<u32>(out, continuations, 12)
  store<u32>(out, nonAscii, 16)
}
