// Cuts text and bytes to a budget of UTF-8 bytes without splitting a character.
// Every cap in zee (previews, captures, tool output, notes) goes through here.

export interface Cut {
  text: string
  /** Something was left out. */
  truncated: boolean
  /** UTF-8 size of the whole input, before the cut. */
  bytes: number
}

const encoder = new TextEncoder()

/**
 * The longest prefix of `text` that fits into `maxBytes` of UTF-8. A surrogate pair is never split;
 * a lone surrogate that was there before counts 3 bytes and stays as it is.
 */
export function cutToBytes(text: string, maxBytes: number): Cut {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes) return { text, truncated: false, bytes }
  return { text: text.slice(0, prefixLength(text, maxBytes)), truncated: true, bytes }
}

/** The longest prefix of `bytes` within `maxBytes` that does not end inside a character. */
export function cutBuffer(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes
  return bytes.subarray(0, characterBoundary(bytes, Math.max(0, Math.floor(maxBytes))))
}

/**
 * The first `headBytes` and the last `tailBytes` of a text that is longer than both together, with
 * `mark(omittedBytes)` between them. The mark itself is not counted.
 */
export function headTail(
  text: string,
  headBytes: number,
  tailBytes: number,
  mark: (omittedBytes: number) => string,
): Cut {
  const bytes = Buffer.byteLength(text)
  if (bytes <= headBytes + tailBytes) return { text, truncated: false, bytes }
  const head = text.slice(0, prefixLength(text, headBytes))
  const tail = text.slice(suffixStart(text, tailBytes))
  const omitted = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return { text: head + mark(omitted) + tail, truncated: true, bytes }
}

/**
 * Bytes as text. What is not UTF-8 becomes U+FFFD, one for each maximal ill-formed piece (the rule
 * of the WHATWG Encoding standard); a byte order mark stays.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8')
}

/**
 * Takes a stream of any length and keeps its first `maxBytes` and, if asked, what came last: up to
 * `tailBytes` more. Memory is bounded by both together; every byte is counted.
 */
export class BoundedCapture {
  readonly #maxBytes: number
  readonly #tailBytes: number
  #head = Buffer.alloc(0)
  #headLength = 0
  #ring = Buffer.alloc(0)
  #total = 0

  constructor(maxBytes: number, tailBytes = 0) {
    this.#maxBytes = Math.max(0, Math.floor(maxBytes))
    this.#tailBytes = Math.max(0, Math.floor(tailBytes))
  }

  /** How many bytes were pushed. */
  get bytes(): number {
    return this.#total
  }

  /** Some of what was pushed is no longer held. */
  get truncated(): boolean {
    return this.#total > this.#headLength + this.#tailBytes
  }

  /** Copies what is kept, so that the caller may reuse the chunk. */
  push(chunk: Uint8Array): void {
    const toHead = Math.min(chunk.length, this.#maxBytes - this.#headLength)
    if (toHead > 0) this.#appendToHead(chunk, toHead)
    if (toHead < chunk.length && this.#tailBytes > 0) this.#appendToTail(chunk, toHead)
    this.#total += chunk.length
  }

  /** The first bytes exactly as they came, possibly ending inside a character. */
  head(): Buffer {
    return Buffer.from(this.#head.subarray(0, this.#headLength))
  }

  /** The last bytes that are not already in the head, exactly as they came. */
  tail(): Buffer {
    const beyondHead = this.#total - this.#headLength
    if (beyondHead <= this.#tailBytes) return Buffer.from(this.#ring.subarray(0, beyondHead))
    if (this.#tailBytes === 0) return Buffer.alloc(0)
    const end = beyondHead % this.#tailBytes
    return Buffer.concat([this.#ring.subarray(end), this.#ring.subarray(0, end)])
  }

  /** What is held, as text; a character that the bounds broke is left out, not replaced. */
  text(mark: (omittedBytes: number) => string = () => ''): string {
    if (!this.truncated) return decodeUtf8(Buffer.concat([this.head(), this.tail()]))
    const head = this.#completeHead()
    const tail = withoutLeadingContinuation(this.tail())
    return decodeUtf8(head) + mark(this.#total - head.length - tail.length) + decodeUtf8(tail)
  }

  #completeHead(): Buffer {
    const end = characterBoundary(this.#head.subarray(0, this.#headLength), this.#headLength)
    return this.#head.subarray(0, end)
  }

  #appendToHead(chunk: Uint8Array, count: number): void {
    const needed = this.#headLength + count
    if (needed > this.#head.length) {
      // Doubling keeps the cost linear however small the chunks are.
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, Math.max(needed * 2, 1024)))
      this.#head.copy(grown, 0, 0, this.#headLength)
      this.#head = grown
    }
    this.#head.set(chunk.subarray(0, count), this.#headLength)
    this.#headLength = needed
  }

  #appendToTail(chunk: Uint8Array, from: number): void {
    if (this.#ring.length === 0) this.#ring = Buffer.allocUnsafeSlow(this.#tailBytes)
    const size = this.#tailBytes
    const start = Math.max(from, chunk.length - size)
    const position = (this.#total + start - this.#headLength) % size
    const first = Math.min(chunk.length - start, size - position)
    this.#ring.set(chunk.subarray(start, start + first), position)
    this.#ring.set(chunk.subarray(start + first), 0)
  }
}

/** How many UTF-16 units of a text that is longer than `maxBytes` fit into it. */
function prefixLength(text: string, maxBytes: number): number {
  if (!(maxBytes >= 1)) return 0
  return encoder.encodeInto(text, new Uint8Array(maxBytes)).read
}

/** Where the longest suffix of at most `maxBytes` starts. */
function suffixStart(text: string, maxBytes: number): number {
  let start = text.length
  let left = maxBytes
  while (start > 0) {
    const code = text.charCodeAt(start - 1)
    const pair = start > 1 && isLowSurrogate(code) && isHighSurrogate(text.charCodeAt(start - 2))
    left -= pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3
    if (left < 0) break
    start -= pair ? 2 : 1
  }
  return start
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/**
 * The last place at or before `end` that is not inside a character. Bytes that are no part of a
 * well-formed character stay: they are not ours to repair.
 */
function characterBoundary(bytes: Uint8Array, end: number): number {
  for (let start = end - 1; start >= Math.max(0, end - 3); start--) {
    const lead = bytes[start] ?? 0
    if (lead < 0x80) return end
    if (lead < 0xc0) continue
    const needed = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    return start + needed > end && isCharacterPrefix(bytes, start, needed) ? start : end
  }
  return end
}

/** The bytes from `start` are a character, or the beginning of one that the input cuts off. */
function isCharacterPrefix(bytes: Uint8Array, start: number, needed: number): boolean {
  const lead = bytes[start] ?? 0
  if (lead < 0xc2 || lead > 0xf4) return false
  for (let index = start + 1; index < Math.min(start + needed, bytes.length); index++) {
    const byte = bytes[index] ?? 0
    const low = index > start + 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const high = index > start + 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    if (byte < low || byte > high) return false
  }
  return true
}

/** Drops what may be the rest of a character whose beginning was left out. */
function withoutLeadingContinuation(bytes: Buffer): Buffer {
  let start = 0
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}

function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
