// A cache with a limit in bytes that evicts the entry used least recently.

export class ByteCache<Value> {
  readonly #maxBytes: number
  readonly #entries = new Map<string, { value: Value; bytes: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map iterates in insertion order, so this makes it the newest entry.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, bytes: number): void {
    const old = this.#entries.get(key)
    if (old !== undefined) this.#bytes -= old.bytes
    this.#entries.delete(key)
    // An entry also costs memory for its key and its objects.
    const cost = bytes + 256
    if (cost > this.#maxBytes / 4) return
    this.#entries.set(key, { value, bytes: cost })
    this.#bytes += cost
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#entries.delete(oldest)
      this.#bytes -= entry.bytes
    }
  }
}
