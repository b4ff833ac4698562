// Passes what a child writes on to our own output, byte for byte and no faster than it is read, and
// tells when there is nothing more to pass.
import type { Readable } from 'node:stream'
import type { Passthrough } from '@zee/core/process'

const tickMs = 25
const maxPendingWrites = 4

export class BytePump {
  readonly #source: Readable
  readonly #target: Passthrough
  readonly #onChunk: (chunk: Buffer) => void
  /** Chunks that our reader has not taken yet. */
  #pendingWrites = 0
  #chunks = 0
  isEnded = false

  constructor(source: Readable, target: Passthrough, onChunk: (chunk: Buffer) => void) {
    this.#source = source
    this.#target = target
    this.#onChunk = onChunk
    source.on('data', (chunk: Buffer) => this.#pass(chunk))
    // A pipe that breaks has no more bytes behind it than one that ends.
    source.on('error', () => {})
    source.on('close', () => {
      this.isEnded = true
    })
  }

  /**
   * Resolves at the end of the stream, or after `silenceMs` without anything on it: something that the
   * child left behind may hold it open. A slow reader of ours has all the time it needs.
   */
  async drained(idleLimitMs: number): Promise<void> {
    let idleMs = 0
    let chunks = this.#chunks
    while (idleMs < idleLimitMs && !(this.isEnded && this.#pendingWrites === 0)) {
      await new Promise((resolve) => setTimeout(resolve, this.isEnded ? 1 : tickMs))
      idleMs = this.#pendingWrites > 0 || chunks !== this.#chunks ? 0 : idleMs + tickMs
      chunks = this.#chunks
    }
  }

  #pass(chunk: Buffer): void {
    this.#chunks++
    const written = this.#target.write(chunk)
    if (written !== undefined) this.#hold(written)
    this.#onChunk(chunk)
    this.#noticeFailure()
  }

  /** A few chunks may wait, so that there is always one to write when the reader is ready. */
  #hold(written: Promise<void>): void {
    this.#pendingWrites++
    if (this.#pendingWrites >= maxPendingWrites) this.#source.pause()
    void written.then(() => {
      this.#pendingWrites--
      this.#noticeFailure()
      this.#source.resume()
    })
  }

  /** Nobody reads any more, so the child's next write must fail as it would without us. */
  #noticeFailure(): void {
    if (this.#target.failure !== undefined) this.#source.destroy()
  }
}
