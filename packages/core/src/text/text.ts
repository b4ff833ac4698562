// Cuts text and bytes to a budget of UTF-8 bytes without splitting a character.
// Every cap in zee (previews, captures, tool output, notes) goes through here.

export interface Cut {
  text: string
  /** Whether anything was cut off. */
  truncated: boolean
  /** UTF-8 size of the input before the cut. */
  bytes: number
}

const encoder = new TextEncoder()

/**
 * The longest prefix of `text` that fits into `maxBytes` of UTF-8. A surrogate pair is never split;
 * a lone surrogate in the input counts 3 bytes and is not replaced.
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
 * Keeps the first `headBytes` and the last `tailBytes` of a longer text, with `mark(omittedBytes)`
 * between them. The mark does not count towards either limit.
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
 * Decodes UTF-8. Each maximal ill-formed sequence becomes one U+FFFD (the rule of the WHATWG
 * Encoding Standard); a byte order mark stays.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8')
}

/**
 * Captures the first `maxBytes` and the last `tailBytes` of a stream and counts all its bytes.
 * Memory is bounded by the sum of both limits.
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

  /** Total number of bytes pushed. */
  get bytes(): number {
    return this.#total
  }

  /** Whether bytes between head and tail were dropped. */
  get truncated(): boolean {
    return this.#total > this.#headLength + this.#tailBytes
  }

  /** Copies the bytes it retains, so that the caller may reuse the chunk. */
  push(chunk: Uint8Array): void {
    const toHead = Math.min(chunk.length, this.#maxBytes - this.#headLength)
    if (toHead > 0) this.#appendToHead(chunk, toHead)
    if (toHead < chunk.length && this.#tailBytes > 0) this.#appendToTail(chunk, toHead)
    this.#total += chunk.length
  }

  /** The first bytes, unchanged; may end inside a character. */
  head(): Buffer {
    return Buffer.from(this.#head.subarray(0, this.#headLength))
  }

  /** The last bytes that are not in the head, unchanged. */
  tail(): Buffer {
    const beyondHead = this.#total - this.#headLength
    if (beyondHead <= this.#tailBytes) return Buffer.from(this.#ring.subarray(0, beyondHead))
    if (this.#tailBytes === 0) return Buffer.alloc(0)
    const end = beyondHead % this.#tailBytes
    return Buffer.concat([this.#ring.subarray(end), this.#ring.subarray(0, end)])
  }

  /** Head, mark and tail as text. A character split by the limits is dropped, not replaced. */
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
      // Doubling keeps the cost linear for small chunks.
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

/** Number of UTF-16 units of `text` that fit into `maxBytes`. */
function prefixLength(text: string, maxBytes: number): number {
  if (!(maxBytes >= 1)) return 0
  return encoder.encodeInto(text, new Uint8Array(maxBytes)).read
}

/** Start of the longest suffix of at most `maxBytes`. */
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
 * The last position at or before `end` that is not inside a character. Bytes of ill-formed
 * sequences do not count as characters and are kept.
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

/** Whether the bytes from `start` are a character or a prefix of one at the end of the input. */
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

/** Drops leading continuation bytes: their character was cut off. */
function withoutLeadingContinuation(bytes: Buffer): Buffer {
  let start = 0
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}

function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
