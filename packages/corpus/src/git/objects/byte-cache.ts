// A cache with a limit in bytes that evicts the entry used least recently. An entry that was used since the last call of
// `startPass` stays, so that a pass over more than the cache can hold finds a part of it again.

interface Entry<Value> {
  value: Value
  bytes: number
  /** The last pass that used it; 0 before the first. */
  pass: number
}

export class ByteCache<Value> {
  readonly #maxBytes: number
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  #pass = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Starts a pass over many entries. Without passes the cache evicts any entry. */
  startPass(): void {
    this.#pass++
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map iterates in insertion order, so this makes it the newest entry.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    entry.pass = this.#pass
    return entry.value
  }

  set(key: string, value: Value, bytes: number): void {
    const old = this.#entries.get(key)
    if (old !== undefined) this.#bytes -= old.bytes
    this.#entries.delete(key)
    // An entry also costs memory for its key and its objects.
    const cost = bytes + 256
    if (cost > this.#maxBytes / 4) return
    this.#bytes += cost
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      if (this.#pass > 0 && entry.pass === this.#pass) {
        this.#bytes -= cost
        return
      }
      this.#entries.delete(oldest)
      this.#bytes -= entry.bytes
    }
    this.#entries.set(key, { value, bytes: cost, pass: this.#pass })
  }
}
