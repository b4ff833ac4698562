// Serializes work per file; different files run concurrently.

export class FileQueues {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` after all earlier work on this file has ended. */
  run<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(file)
    const current = previous === undefined ? work() : previous.then(work, work)
    this.#last.set(file, current)
    const forget = () => {
      if (this.#last.get(file) === current) this.#last.delete(file)
    }
    current.then(forget, forget)
    return current
  }

  /** Resolves when all work has ended. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled([...this.#last.values()])
  }
}
