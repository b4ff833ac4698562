// Copies the output of a child to our own output with back-pressure, and detects when it is drained.
import type { Readable } from 'node:stream'
import type { Passthrough } from '@zee/core/process'

const tickMs = 25
const maxPendingWrites = 4

export class BytePump {
  readonly #source: Readable
  readonly #target: Passthrough
  readonly #onChunk: (chunk: Buffer) => void
  /** Writes that have not completed. */
  #pendingWrites = 0
  #chunks = 0
  isEnded = false

  constructor(source: Readable, target: Passthrough, onChunk: (chunk: Buffer) => void) {
    this.#source = source
    this.#target = target
    this.#onChunk = onChunk
    source.on('data', (chunk: Buffer) => this.#pass(chunk))
    // A broken pipe ends the stream like a normal end; 'close' handles both.
    source.on('error', () => {})
    source.on('close', () => {
      this.isEnded = true
    })
  }

  /**
   * Resolves at the end of the stream, or after `idleLimitMs` without data: a grandchild may hold the pipe
   * open. A slow reader of our output and held data (`isHeld`) do not count as idle, but after `limitMs`
   * they are given up.
   */
  async drained(idleLimitMs: number, limitMs: number, isHeld: () => boolean): Promise<void> {
    const endsAt = performance.now() + limitMs
    let idleMs = 0
    let chunks = this.#chunks
    while (idleMs < idleLimitMs && !(this.isEnded && this.#pendingWrites === 0)) {
      if (performance.now() > endsAt) return
      await new Promise((resolve) => setTimeout(resolve, this.isEnded ? 1 : tickMs))
      const isActive = this.#pendingWrites > 0 || chunks !== this.#chunks || isHeld()
      idleMs = isActive ? 0 : idleMs + tickMs
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

  /** Allows a few pending writes, so that data is ready when the reader is. */
  #hold(written: Promise<void>): void {
    this.#pendingWrites++
    if (this.#pendingWrites >= maxPendingWrites) this.#source.pause()
    void written.then(() => {
      this.#pendingWrites--
      this.#noticeFailure()
      this.#source.resume()
    })
  }

  /** Our output is closed: close the child's pipe too, so that its next write fails as without the proxy. */
  #noticeFailure(): void {
    if (this.#target.failure !== undefined) this.#source.destroy()
  }
}
