// Splits a stream of byte chunks into lines. Memory is bounded by the maximum line length; a longer
// line is skipped and reported with its length.

export interface LineSink {
  /** Receives the line `bytes[start, end)`, without its newline. Returning false stops the splitter. */
  line(bytes: Buffer, start: number, end: number, offset: number, ended: boolean): boolean
  /** Receives the length of a line over the maximum. Returning false stops the splitter. */
  tooLong(length: number, offset: number, ended: boolean): boolean
}

const newline = 0x0a

export class LineSplitter {
  readonly #maxLineBytes: number
  readonly #sink: LineSink
  /** Parts of the incomplete line; empty once it exceeds the maximum. */
  #pieces: Buffer[] = []
  #pending = 0
  /** Offset of the incomplete line in the stream. */
  #offset = 0

  constructor(maxLineBytes: number, sink: LineSink) {
    this.#maxLineBytes = maxLineBytes
    this.#sink = sink
  }

  /** Bytes of the incomplete line so far; may exceed the maximum. */
  get pendingBytes(): number {
    return this.#pending
  }

  /** Adds a chunk, which the caller must not change afterwards. False once the sink has stopped. */
  push(chunk: Buffer): boolean {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      if (!this.#emit(chunk, start, end, true)) return false
      start = end + 1
    }
    this.#buffer(chunk, start)
    return true
  }

  /** Ends the stream and emits a last line without a newline, if any. */
  end(): boolean {
    if (this.#pending === 0) return true
    return this.#emit(Buffer.alloc(0), 0, 0, false)
  }

  #emit(chunk: Buffer, start: number, end: number, ended: boolean): boolean {
    const length = this.#pending + end - start
    const offset = this.#offset
    this.#offset += length + 1
    if (length > this.#maxLineBytes) {
      this.#reset()
      return this.#sink.tooLong(length, offset, ended)
    }
    if (this.#pending === 0) return this.#sink.line(chunk, start, end, offset, ended)
    const line = Buffer.concat([...this.#pieces, chunk.subarray(start, end)], length)
    this.#reset()
    return this.#sink.line(line, 0, length, offset, ended)
  }

  #buffer(chunk: Buffer, start: number): void {
    if (start === chunk.length) return
    this.#pending += chunk.length - start
    if (this.#pending > this.#maxLineBytes) this.#pieces = []
    else this.#pieces.push(chunk.subarray(start))
  }

  #reset(): void {
    this.#pieces = []
    this.#pending = 0
  }
}
