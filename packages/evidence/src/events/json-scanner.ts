// Skips over JSON in bytes without building values, as strictly as JSON.parse. It exists for speed:
// a report needs a few numbers of a line and none of its previews.

const quote = 0x22
const backslash = 0x5c
const maxDepth = 64
/** In place of an offset. */
const invalid = -1
const highBits = 0x80808080 | 0

export interface LongLiteral {
  bytes: Uint8Array
  words: DataView
}

export function longLiteral(bytes: Uint8Array): LongLiteral {
  return { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

export class JsonScanner {
  bytes: Uint8Array = new Uint8Array(0)
  #words: DataView = new DataView(new ArrayBuffer(0))
  position = 0
  end = 0
  /** Bounds of the last string, without its quotes. */
  stringStart = 0
  stringEnd = 0
  /** In strings since `resetFlags`: bytes above 0x7f, escapes, non-canonical escapes. */
  hasNonAscii = false
  hasEscape = false
  hasUnusualEscape = false

  open(bytes: Uint8Array, start: number, end: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes
      this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.position = start
    this.end = end
  }

  resetFlags(): void {
    this.hasNonAscii = false
    this.hasEscape = false
    this.hasUnusualEscape = false
  }

  /** Skips exactly these bytes, or leaves the position unchanged. */
  skipLiteral(expected: Uint8Array): boolean {
    const { bytes, position } = this
    const length = expected.length
    if (position + length > this.end) return false
    for (let i = 0; i < length; i++) if (bytes[position + i] !== expected[i]) return false
    this.position = position + length
    return true
  }

  /** The same for longer literals: compares four bytes at a time. */
  skipLongLiteral({ bytes: expected, words }: LongLiteral): boolean {
    const { bytes, position } = this
    const length = expected.length
    if (position + length > this.end) return false
    let i = 0
    for (; i + 4 <= length; i += 4) {
      if (this.#words.getInt32(position + i) !== words.getInt32(i)) return false
    }
    for (; i < length; i++) if (bytes[position + i] !== expected[i]) return false
    this.position = position + length
    return true
  }

  skipString(): boolean {
    const { bytes, end } = this
    let offset = this.position
    if (offset >= end || bytes[offset] !== quote) return false
    const from = ++offset
    let bits = 0
    for (;;) {
      offset = this.#findSpecialByte(offset, end)
      bits |= this.#plainBits
      if (offset >= end) return false
      const byte = bytes[offset]
      if (byte === quote) {
        if ((bits & highBits) !== 0) this.hasNonAscii = true
        this.stringStart = from
        this.stringEnd = offset
        this.position = offset + 1
        return true
      }
      if (byte !== backslash) return false
      offset = this.#skipEscape(offset + 1)
      if (offset === invalid) return false
    }
  }

  /** Reads an unsigned integer of at most 15 digits, or returns -1. */
  readInteger(): number {
    const { bytes, end } = this
    let offset = this.position
    let value = 0
    while (offset < end) {
      const digit = (bytes[offset] as number) - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
      offset++
    }
    const digits = offset - this.position
    if (digits === 0 || digits > 15 || (digits > 1 && bytes[this.position] === 0x30)) return -1
    this.position = offset
    return value
  }

  /** Skips any value; false if it is not JSON or nests deeper than `maxDepth`. */
  skipValue(depth = 0): boolean {
    if (depth > maxDepth || this.position >= this.end) return false
    switch (this.bytes[this.position]) {
      case quote:
        return this.skipString()
      case 0x7b:
        return this.#skipMembers(depth)
      case 0x5b:
        return this.#skipItems(depth)
      case 0x74:
        return this.skipLiteral(keywords.true)
      case 0x66:
        return this.skipLiteral(keywords.false)
      case 0x6e:
        return this.skipLiteral(keywords.null)
      default:
        return this.#skipNumber()
    }
  }

  skipByte(byte: number): boolean {
    if (this.position >= this.end || this.bytes[this.position] !== byte) return false
    this.position++
    return true
  }

  /** Bitwise OR of all bytes that the last `#findSpecialByte` skipped. */
  #plainBits = 0

  /**
   * Position of the first quote, backslash or control character from `start` on, or `end`. Tests
   * four bytes at once: an ordinary byte leaves its high bit of `special` clear. The lowest set bit
   * is exact, because subtraction borrows only from higher bytes.
   */
  #findSpecialByte(start: number, end: number): number {
    const words = this.#words
    let offset = start
    let bits = 0
    for (; offset + 4 <= end; offset += 4) {
      const word = words.getInt32(offset, true)
      const quotes = word ^ 0x22222222
      const backslashes = word ^ 0x5c5c5c5c
      const special =
        (((quotes - 0x01010101) & ~quotes) |
          ((backslashes - 0x01010101) & ~backslashes) |
          ((word - 0x20202020) & ~word)) &
        highBits
      if (special === 0) {
        bits |= word
        continue
      }
      const lowest = special & -special
      this.#plainBits = bits | (word & (lowest - 1))
      return offset + ((31 - Math.clz32(lowest)) >> 3)
    }
    const { bytes } = this
    for (; offset < end; offset++) {
      const byte = bytes[offset] as number
      if (byte === quote || byte === backslash || byte < 0x20) break
      bits |= byte
    }
    this.#plainBits = bits
    return offset
  }

  /** The offset after an escape. */
  #skipEscape(offset: number): number {
    this.hasEscape = true
    const byte = this.bytes[offset]
    if (offset >= this.end || byte === undefined) return invalid
    if (plainEscapes[byte] === 1) return offset + 1
    this.hasUnusualEscape = true
    if (byte === 0x2f) return offset + 1
    if (byte !== 0x75 || offset + 5 > this.end) return invalid
    for (let i = 1; i <= 4; i++) {
      if (hexDigits[this.bytes[offset + i] as number] !== 1) return invalid
    }
    return offset + 5
  }

  #skipMembers(depth: number): boolean {
    this.position++
    if (this.skipByte(0x7d)) return true
    do {
      if (!this.skipString() || !this.skipByte(0x3a) || !this.skipValue(depth + 1)) return false
    } while (this.skipByte(0x2c))
    return this.skipByte(0x7d)
  }

  #skipItems(depth: number): boolean {
    this.position++
    if (this.skipByte(0x5d)) return true
    do {
      if (!this.skipValue(depth + 1)) return false
    } while (this.skipByte(0x2c))
    return this.skipByte(0x5d)
  }

  #skipNumber(): boolean {
    this.skipByte(0x2d)
    if (this.skipByte(0x30)) {
      // No digit may follow a leading zero.
    } else if (!this.#skipDigits()) return false
    if (this.skipByte(0x2e) && !this.#skipDigits()) return false
    if (this.skipByte(0x65) || this.skipByte(0x45)) {
      if (!this.skipByte(0x2b)) this.skipByte(0x2d)
      return this.#skipDigits()
    }
    return true
  }

  #skipDigits(): boolean {
    const from = this.position
    while (this.position < this.end) {
      const byte = this.bytes[this.position] as number
      if (byte < 0x30 || byte > 0x39) break
      this.position++
    }
    return this.position > from
  }
}

const keywords = {
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  null: Buffer.from('null'),
}

function byteSet(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const plainEscapes = byteSet('"\\bfnrt')
const hexDigits = byteSet('0123456789abcdefABCDEF')
