// A pool of buffers for written hits, which all writers share. Without it, allocations of every answer trigger garbage
// collections, which scan the objects of the entire tree and compete with the query threads.

/** Buffer sizes are multiples of this. */
const unitBytes = 32 << 10
/** Limits of the pool. */
const maxFree = 512
const maxFreeBytes = 32 << 20

export class BufferPool {
  readonly #free: Buffer[] = []
  readonly #used = new WeakSet<ArrayBufferLike>()
  #freeBytes = 0

  /** A copy of `bytes`, which the caller may release. */
  copy(bytes: Uint8Array): Uint8Array {
    const buffer = this.#allocate(bytes.length)
    buffer.set(bytes)
    this.#used.add(buffer.buffer)
    return buffer.subarray(0, bytes.length)
  }

  /** Makes the memory of a copy reusable. Ignores memory that is not a copy, or was released before. */
  release({ buffer }: Uint8Array): void {
    if (!this.#used.delete(buffer)) return
    const bytes = buffer.byteLength
    if (this.#free.length >= maxFree || this.#freeBytes + bytes > maxFreeBytes) return
    this.#freeBytes += bytes
    this.#free.push(Buffer.from(buffer))
  }

  /** Best fit, so that large buffers stay free for large pieces. */
  #allocate(bytes: number): Buffer {
    const free = this.#free
    let best: Buffer | undefined
    for (const buffer of free) {
      if (buffer.length >= bytes && buffer.length < (best?.length ?? Infinity)) best = buffer
    }
    if (best === undefined) {
      return Buffer.allocUnsafeSlow(Math.ceil(bytes / unitBytes) * unitBytes)
    }
    free.splice(free.indexOf(best), 1)
    this.#freeBytes -= best.length
    return best
  }
}
