// Gathers the lines of a message's head, or of its trailers, up to the empty line behind them, wherever
// the bytes are cut. Lines end with CR LF; anything else could mean two things to two readers.

export type HeadProgress =
  /** `end` is where the head's bytes stop in the chunk; `text` is one character for each byte. */
  | { kind: 'complete'; text: string; end: number }
  | { kind: 'unfinished' }
  | { kind: 'malformed' }
  | { kind: 'too-large' }

export interface HeadReaderOptions {
  /** What the head has to begin with; whoever speaks otherwise is not waited for. */
  prefix?: string
  /** Trailers may be none at all; empty lines before a head are passed over instead. */
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
  /** What came in earlier chunks; grows by doubling, so that single bytes cost no more than many. */
  #held: Buffer = none
  #length = 0
  #headStart = 0
  #lineStart = 0
  #scanned = 0

  constructor({ prefix = '', mayBeEmpty = false }: HeadReaderOptions = {}) {
    this.#prefix = Buffer.from(prefix, 'latin1')
    this.#mayBeEmpty = mayBeEmpty
  }

  /** Something of a head has come, but not all of it. */
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
    // Without the empty line and the end of the line before it.
    return {
      kind: 'complete',
      text: bytes.toString('latin1', this.#headStart, Math.max(end - 4, this.#headStart)),
      end,
    }
  }

  /** Whether this can still become a head; a client that begins with TLS waits for ever otherwise. */
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
