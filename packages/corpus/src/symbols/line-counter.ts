// Line numbers of ascending offsets in a text.
import { isLineEnd } from './imports.ts'

export class LineCounter {
  readonly #text: string
  readonly #hasReturns: boolean
  #line = 1
  #counted = 0

  constructor(text: string) {
    this.#text = text
    this.#hasReturns = text.includes('\r')
  }

  /** From 1. Offsets must not decrease from call to call. */
  at(offset: number): number {
    if (this.#hasReturns) {
      for (; this.#counted < offset; this.#counted++) {
        if (isLineEnd(this.#text, this.#counted)) this.#line++
      }
      return this.#line
    }
    let feed = this.#text.indexOf('\n', this.#counted)
    for (; feed !== -1 && feed < offset; feed = this.#text.indexOf('\n', feed + 1)) this.#line++
    this.#counted = feed === -1 ? this.#text.length : feed
    return this.#line
  }
}
