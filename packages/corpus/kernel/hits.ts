// Writes hits as JSON directly from the bytes of a text, for short lines of ASCII. Escapes as
// JSON.stringify does, and also DEL, which is not printable.

/** Why writing stopped: all lines written, no room, or a line that JavaScript must write. */
const allWritten: u32 = 0
const noRoom: u32 = 1
const needsJavaScript: u32 = 2

const quoteByte: u8 = 0x22
const backslashByte: u8 = 0x5c
const deleteByte: u8 = 0x7f
const colonByte: u8 = 0x3a
/** A head is `{"path":"`, the path, and `","line":`. */
const pathOffset: usize = 9
const afterPathBytes: usize = 9
/** Bytes around a line besides the head and the cite: the longest number twice plus one vector. */
const overheadBytes: usize = 64

/**
 * Writes lines of the text at `text` as objects, each followed by a comma, up to address `end`.
 * `words` are the results of `findLines` for `count` lines; `head` precedes each line number. If
 * there is a `cite`, it follows each text, with the path of the head and the line number. Stops at
 * lines longer than `maxLineBytes`. Returns the end address; writes the number of lines and the
 * stop reason to `out`.
 */
export function writeHits(
  text: usize,
  words: usize,
  count: u32,
  head: usize,
  headLength: usize,
  cite: usize,
  citeLength: usize,
  into: usize,
  end: usize,
  maxLineBytes: usize,
  out: usize,
): usize {
  let written: u32 = 0
  let reason = allWritten
  for (; written < count; written++, words += 16) {
    const from = text + <usize>load<u32>(words, 4)
    const to = text + <usize>load<u32>(words, 8)
    const length = to - from
    if (length > maxLineBytes) {
      reason = needsJavaScript
      break
    }
    if (into + 2 * headLength + citeLength + overheadBytes + length * 6 > end) {
      reason = noRoom
      break
    }
    copy(head, headLength, into)
    const numberAt = into + headLength
    let at = writeNumber(load<u32>(words), numberAt)
    const digits = at - numberAt
    // ,"text":"
    store<u32>(at, 0x6574222c)
    store<u32>(at, 0x3a227478, 4)
    store<u8>(at, quoteByte, 8)
    at = writeText(from, to, at + 9)
    if (at == 0) {
      reason = needsJavaScript
      break
    }
    if (citeLength != 0) {
      copy(cite, citeLength, at)
      at += citeLength
      copy(head + pathOffset, headLength - pathOffset - afterPathBytes, at)
      at += headLength - pathOffset - afterPathBytes
      store<u8>(at, colonByte)
      copy(numberAt, digits, at + 1)
      at += digits + 1
    }
    store<u8>(at, quoteByte)
    store<u8>(at, 0x7d, 1)
    store<u8>(at, 0x2c, 2)
    into = at + 3
  }
  store<u32>(out, written)
  store<u32>(out, reason, 4)
  return into
}

/** May copy past the end; there is room, and later writes overwrite it. */
function copy(from: usize, length: usize, into: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (let at: usize = 0; at < length; at += 16) v128.store(into + at, v128.load(from + at))
    return
  }
  memory.copy(into, from, length)
}

function writeNumber(number: u32, into: usize): usize {
  let digits: usize = 1
  for (let left = number; left >= 10; left /= 10) digits++
  let left = number
  for (let at = into + digits; at > into; left /= 10) store<u8>(--at, <u8>(0x30 + (left % 10)))
  return into + digits
}

/**
 * Writes the text as the inside of a JSON string and returns the end address; 0 for a byte beyond
 * ASCII.
 */
function writeText(from: usize, to: usize, into: usize): usize {
  while (from < to) {
    if (ASC_FEATURE_SIMD) {
      const bytes = v128.load(from)
      const special = specialBits(bytes)
      const left = to - from
      v128.store(into, bytes)
      const plainLength = <usize>ctz(special | 0x10000)
      const copied = plainLength < left ? plainLength : left
      from += copied
      into += copied
      if (copied == 16 || from >= to) continue
    }
    const byte = load<u8>(from)
    if (byte >= 0x80) return 0
    into = writeByte(byte, into)
    from++
  }
  return into
}

/** Bits of the bytes that must be escaped or are beyond ASCII. */
function specialBits(bytes: v128): i32 {
  // The signed comparison also selects bytes beyond ASCII.
  const control = i8x16.lt_s(bytes, i8x16.splat(0x20))
  const quotes = i8x16.eq(bytes, i8x16.splat(quoteByte))
  const backslashes = i8x16.eq(bytes, i8x16.splat(backslashByte))
  const dels = i8x16.eq(bytes, i8x16.splat(deleteByte))
  return i8x16.bitmask(v128.or(v128.or(control, quotes), v128.or(backslashes, dels)))
}

function writeByte(byte: u8, into: usize): usize {
  if (byte >= 0x20 && byte != quoteByte && byte != backslashByte && byte != deleteByte) {
    store<u8>(into, byte)
    return into + 1
  }
  store<u8>(into, backslashByte)
  const short = shortEscape(byte)
  if (short != 0) {
    store<u8>(into, short, 1)
    return into + 2
  }
  // u00
  store<u8>(into, 0x75, 1)
  store<u16>(into, 0x3030, 2)
  store<u8>(into, hexDigit(byte >> 4), 4)
  store<u8>(into, hexDigit(byte & 15), 5)
  return into + 6
}

function shortEscape(byte: u8): u8 {
  if (byte == quoteByte || byte == backslashByte) return byte
  if (byte == 0x09) return 0x74
  if (byte == 0x08) return 0x62
  if (byte == 0x0a) return 0x6e
  if (byte == 0x0c) return 0x66
  return byte == 0x0d ? 0x72 : 0
}

function hexDigit(nibble: u8): u8 {
  return nibble < 10 ? 0x30 + nibble : 0x57 + nibble
}
