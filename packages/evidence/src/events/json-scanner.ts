// Walks over JSON in bytes without building values, and is as strict as JSON.parse.
// It exists for speed: a report needs a few numbers of a line and none of its previews.

const quote = 0x22
const backslash = 0x5c
const deepest = 64
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
  at = 0
  end = 0
  /** Bounds of the text inside the quotes of the last string. */
  from = 0
  to = 0
  /** Since the last `resetFlags`: a byte above 0x7f, an escape, an escape that is not canonical. */
  wide = false
  escaped = false
  unusualEscape = false

  open(bytes: Uint8Array, start: number, end: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes
      this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.at = start
    this.end = end
  }

  resetFlags(): void {
    this.wide = false
    this.escaped = false
    this.unusualEscape = false
  }

  /** Steps over exactly these bytes, or stays where it is. */
  literal(expected: Uint8Array): boolean {
    const { bytes, at } = this
    const length = expected.length
    if (at + length > this.end) return false
    for (let i = 0; i < length; i++) if (bytes[at + i] !== expected[i]) return false
    this.at = at + length
    return true
  }

  /** The same for texts of some length: four bytes at a time, and the rest one by one. */
  longLiteral({ bytes: expected, words }: LongLiteral): boolean {
    const { bytes, at } = this
    const length = expected.length
    if (at + length > this.end) return false
    let i = 0
    for (; i + 4 <= length; i += 4) {
      if (this.#words.getInt32(at + i) !== words.getInt32(i)) return false
    }
    for (; i < length; i++) if (bytes[at + i] !== expected[i]) return false
    this.at = at + length
    return true
  }

  string(): boolean {
    const { bytes, end } = this
    let at = this.at
    if (at >= end || bytes[at] !== quote) return false
    const from = ++at
    let wide = 0
    for (;;) {
      at = this.#plainUntil(at, end)
      wide |= this.#seen
      if (at >= end) return false
      const byte = bytes[at]
      if (byte === quote) {
        if ((wide & highBits) !== 0) this.wide = true
        this.from = from
        this.to = at
        this.at = at + 1
        return true
      }
      if (byte !== backslash) return false
      at = this.#escape(at + 1)
      if (at < 0) return false
    }
  }

  /** A whole number without sign, or -1. */
  whole(): number {
    const { bytes, end } = this
    let at = this.at
    let value = 0
    while (at < end) {
      const digit = (bytes[at] as number) - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
      at++
    }
    const digits = at - this.at
    if (digits === 0 || digits > 15 || (digits > 1 && bytes[this.at] === 0x30)) return -1
    this.at = at
    return value
  }

  /** Steps over any value; false when it is not JSON or nests deeper than the scanner follows. */
  value(depth = 0): boolean {
    if (depth > deepest || this.at >= this.end) return false
    switch (this.bytes[this.at]) {
      case quote:
        return this.string()
      case 0x7b:
        return this.#members(depth)
      case 0x5b:
        return this.#items(depth)
      case 0x74:
        return this.literal(words.true)
      case 0x66:
        return this.literal(words.false)
      case 0x6e:
        return this.literal(words.null)
      default:
        return this.#number()
    }
  }

  step(byte: number): boolean {
    if (this.at >= this.end || this.bytes[this.at] !== byte) return false
    this.at++
    return true
  }

  /** All bytes of the last `#plainUntil`, laid over one another. */
  #seen = 0

  /**
   * The first place from `at` on that is a quote, a backslash or a control character, or `end`. Four
   * bytes are looked at together: a byte that is none of them leaves its high bit of `special` clear,
   * and the lowest that is set is right (subtraction carries only into those above it).
   */
  #plainUntil(start: number, end: number): number {
    const words = this.#words
    let at = start
    let seen = 0
    for (; at + 4 <= end; at += 4) {
      const word = words.getInt32(at, true)
      const quotes = word ^ 0x22222222
      const backslashes = word ^ 0x5c5c5c5c
      const special =
        (((quotes - 0x01010101) & ~quotes) |
          ((backslashes - 0x01010101) & ~backslashes) |
          ((word - 0x20202020) & ~word)) &
        highBits
      if (special === 0) {
        seen |= word
        continue
      }
      const lowest = special & -special
      this.#seen = seen | (word & (lowest - 1))
      return at + ((31 - Math.clz32(lowest)) >> 3)
    }
    const { bytes } = this
    for (; at < end; at++) {
      const byte = bytes[at] as number
      if (byte === quote || byte === backslash || byte < 0x20) break
      seen |= byte
    }
    this.#seen = seen
    return at
  }

  #escape(at: number): number {
    this.escaped = true
    const byte = this.bytes[at]
    if (at >= this.end || byte === undefined) return -1
    if (plainEscapes[byte] === 1) return at + 1
    this.unusualEscape = true
    if (byte === 0x2f) return at + 1
    if (byte !== 0x75 || at + 5 > this.end) return -1
    for (let i = 1; i <= 4; i++) if (hexDigits[this.bytes[at + i] as number] !== 1) return -1
    return at + 5
  }

  #members(depth: number): boolean {
    this.at++
    if (this.step(0x7d)) return true
    do {
      if (!this.string() || !this.step(0x3a) || !this.value(depth + 1)) return false
    } while (this.step(0x2c))
    return this.step(0x7d)
  }

  #items(depth: number): boolean {
    this.at++
    if (this.step(0x5d)) return true
    do {
      if (!this.value(depth + 1)) return false
    } while (this.step(0x2c))
    return this.step(0x5d)
  }

  #number(): boolean {
    this.step(0x2d)
    if (this.step(0x30)) {
      // A zero stands alone.
    } else if (!this.#digits()) return false
    if (this.step(0x2e) && !this.#digits()) return false
    if (this.step(0x65) || this.step(0x45)) {
      if (!this.step(0x2b)) this.step(0x2d)
      return this.#digits()
    }
    return true
  }

  #digits(): boolean {
    const from = this.at
    while (this.at < this.end) {
      const byte = this.bytes[this.at] as number
      if (byte < 0x30 || byte > 0x39) break
      this.at++
    }
    return this.at > from
  }
}

const words = {
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  null: Buffer.from('null'),
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const plainEscapes = tableOf('"\\bfnrt')
const hexDigits = tableOf('0123456789abcdefABCDEF')
