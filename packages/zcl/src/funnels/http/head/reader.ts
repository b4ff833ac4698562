// Collects a message head or trailer section up to its empty line, across chunk boundaries. Lines must end
// with CR LF, because readers disagree about anything else.

export type HeadProgress =
  /** `end` is the offset after the head in the chunk; `text` has one character per byte (latin1). */
  | { kind: 'complete'; text: string; end: number }
  | { kind: 'unfinished' }
  | { kind: 'malformed' }
  | { kind: 'too-large' }

export interface HeadReaderOptions {
  /** Required start of the head; a different start is malformed at once. */
  prefix?: string
  /** Whether the section may be empty (trailers); otherwise leading empty lines are skipped. */
  mayBeEmpty?: boolean
}

export const maxHeadBytes = 1024 * 1024

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const none = Buffer.alloc(0)
const unfinished: HeadProgress = { kind: 'unfinished' }
const malformed: HeadProgress = { kind: 'malformed' }
const tooLarge: HeadProgress = { kind: 'too-large' }

export class HeadReader {
  readonly #prefix: Buffer
  readonly #mayBeEmpty: boolean
  /** Bytes of earlier chunks; doubles in size, so that byte-wise input stays linear. */
  #held: Buffer = none
  #length = 0
  #headStart = 0
  #lineStart = 0
  #scanned = 0

  constructor({ prefix = '', mayBeEmpty = false }: HeadReaderOptions = {}) {
    this.#prefix = Buffer.from(prefix, 'latin1')
    this.#mayBeEmpty = mayBeEmpty
  }

  /** Whether a part of the head has arrived. */
  get hasPartialHead(): boolean {
    return this.#length > 0
  }

  read(chunk: Buffer, start: number): HeadProgress {
    if (this.#length > 0) return this.#readOn(chunk, start)
    this.#headStart = start
    this.#lineStart = start
    this.#scanned = start
    const progress = this.#scan(chunk, chunk.length)
    if (progress.kind === 'unfinished') this.#keep(chunk, this.#headStart)
    return progress
  }

  #readOn(chunk: Buffer, start: number): HeadProgress {
    const before = this.#length
    this.#append(chunk.subarray(start, start + maxHeadBytes + 1 - before))
    const progress = this.#scan(this.#held, this.#length)
    if (progress.kind === 'unfinished' && this.#length <= maxHeadBytes) return progress
    this.#length = 0
    this.#held = none
    if (progress.kind === 'unfinished') return tooLarge
    if (progress.kind !== 'complete') return progress
    return { ...progress, end: start + progress.end - before }
  }

  #scan(bytes: Buffer, length: number): HeadProgress {
    for (;;) {
      const at = bytes.indexOf(lineFeed, this.#scanned)
      if (at === -1 || at >= length) break
      if (at === this.#lineStart || bytes[at - 1] !== carriageReturn) return malformed
      const isEmpty = at - 1 === this.#lineStart
      const isFirst = this.#lineStart === this.#headStart
      this.#lineStart = at + 1
      this.#scanned = at + 1
      if (!isEmpty) continue
      if (isFirst && !this.#mayBeEmpty) this.#headStart = at + 1
      else return this.#complete(bytes, at + 1)
    }
    this.#scanned = length
    if (length - this.#headStart > maxHeadBytes) return tooLarge
    return this.#canBecomeHead(bytes, length) ? unfinished : malformed
  }

  #complete(bytes: Buffer, end: number): HeadProgress {
    if (end - this.#headStart > maxHeadBytes) return tooLarge
    // Excludes the empty line and the CR LF before it.
    return {
      kind: 'complete',
      text: bytes.toString('latin1', this.#headStart, Math.max(end - 4, this.#headStart)),
      end,
    }
  }

  /** Whether the bytes can still become a head. A TLS client would otherwise wait indefinitely. */
  #canBecomeHead(bytes: Buffer, length: number): boolean {
    const start = this.#headStart
    if (start >= length) return true
    const first = bytes[start] ?? 0
    if (first <= space && first !== carriageReturn) return false
    const shared = Math.min(this.#prefix.length, length - start)
    return this.#prefix.compare(bytes, start, start + shared, 0, shared) === 0
  }

  #keep(chunk: Buffer, from: number): void {
    this.#append(chunk.subarray(from))
    this.#lineStart -= from
    this.#scanned -= from
    this.#headStart = 0
  }

  #append(bytes: Buffer): void {
    const needed = this.#length + bytes.length
    if (needed > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#held.length * 2, 1024))
      this.#held.copy(grown, 0, 0, this.#length)
      this.#held = grown
    }
    bytes.copy(this.#held, this.#length)
    this.#length = needed
  }
}
