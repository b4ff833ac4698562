// Runs asynchronous steps one after another, so that a delayed message holds back the following ones.
export class InOrder {
  #last: Promise<void> = Promise.resolve()

  add(step: () => Promise<void>): void {
    this.#last = this.#last.then(step)
  }
}
