// Random numbers for resampling: xoshiro128** (Blackman and Vigna), seeded by a 32-bit mixing
// counter. The same seed gives the same numbers on every machine.

export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  /** `seed` is a whole number from 0 to 2^53 - 1. */
  constructor(seed: number) {
    const mix = mixer(seed)
    this.#a = mix()
    this.#b = mix()
    this.#c = mix()
    this.#d = mix()
  }

  /** A generator with the given state, for comparison with published numbers. */
  static ofState(a: number, b: number, c: number, d: number): Random {
    const random = new Random(0)
    random.#a = a
    random.#b = b
    random.#c = c
    random.#d = d
    return random
  }

  /** 0 to 2^32 - 1. */
  next(): number {
    const b = this.#b
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9) >>> 0
    const c = this.#c ^ this.#a
    const d = this.#d ^ b
    this.#b = b ^ c
    this.#a ^= d
    this.#c = c ^ (b << 9)
    this.#d = (d << 11) | (d >>> 21)
    return result
  }

  /** 0 to n - 1; each number's probability is exact to within n / 2^32. */
  below(n: number): number {
    return Math.floor(this.next() * scale * n)
  }

  /** At least 0 and below 1. */
  share(): number {
    return this.next() * scale
  }
}

const scale = 2 ** -32

function mixer(seed: number): () => number {
  let counter = (seed >>> 0) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b)
  return () => {
    counter = (counter + 0x9e3779b9) | 0
    let mixed = counter ^ (counter >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  }
}
