// Random inputs from a seed, fast enough for millions of them.
import { seededRandom } from '@zee/core/random'

export class Random {
  readonly seed: number
  readonly #draw: () => number

  constructor(seed: number) {
    this.seed = seed
    this.#draw = seededRandom(seed)
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.#draw() * limit)
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  /** Concatenates up to `maxWords` random words. */
  text(words: readonly string[], maxWords: number): string {
    let text = ''
    for (let count = this.below(maxWords + 1); count > 0; count--) text += this.of(words)
    return text
  }

  bytes(maxLength: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.below(maxLength + 1))
    for (let index = 0; index < bytes.length; index++) bytes[index] = this.below(256)
    return bytes
  }

  /** Splits the bytes into pieces, some of them empty. */
  cut(bytes: Buffer): Buffer[] {
    const pieces: Buffer[] = []
    let start = 0
    while (start < bytes.length) {
      const end = Math.min(bytes.length, start + this.below(this.below(4) === 0 ? 40 : 6))
      pieces.push(bytes.subarray(start, end))
      start = end
    }
    return pieces
  }
}
