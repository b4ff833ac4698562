// Memory for written hits that is used again. What is allocated anew for every answer makes the collector go
// through all that is known of the tree, again and again, beside the threads that search.

/** What is lent comes in multiples of this. */
const unitBytes = 32 << 10
/** What is kept for later. */
const mostSpare = 64
const mostSpareBytes = 8 << 20

export class SpareBuffers {
  readonly #spare: Buffer[] = []
  readonly #lent = new WeakSet<ArrayBufferLike>()
  #spareBytes = 0

  /** A copy, for good unless it is given back. */
  copy(bytes: Uint8Array): Uint8Array {
    const buffer = this.#take(bytes.length)
    buffer.set(bytes)
    this.#lent.add(buffer.buffer)
    return buffer.subarray(0, bytes.length)
  }

  /** Nobody reads this copy any more; whatever is none is left alone. */
  giveBack({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer)) return
    const bytes = buffer.byteLength
    if (this.#spare.length >= mostSpare || this.#spareBytes + bytes > mostSpareBytes) return
    this.#spareBytes += bytes
    this.#spare.push(Buffer.from(buffer))
  }

  /** The smallest that is large enough: a long piece finds room that a short one did not take. */
  #take(bytes: number): Buffer {
    const spare = this.#spare
    let best: Buffer | undefined
    for (const buffer of spare) {
      if (buffer.length >= bytes && buffer.length < (best?.length ?? Infinity)) best = buffer
    }
    if (best === undefined) {
      return Buffer.allocUnsafeSlow(Math.ceil(bytes / unitBytes) * unitBytes)
    }
    spare.splice(spare.indexOf(best), 1)
    this.#spareBytes -= best.length
    return best
  }
}
