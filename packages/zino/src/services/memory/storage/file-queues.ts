// One thing at a time for each file; different files do not wait for one another.

export class FileQueues {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs the work when everything before it on this file has ended. */
  run<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(file)
    const own = before === undefined ? work() : before.then(work, work)
    this.#last.set(file, own)
    const forget = () => {
      if (this.#last.get(file) === own) this.#last.delete(file)
    }
    own.then(forget, forget)
    return own
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled([...this.#last.values()])
  }
}
