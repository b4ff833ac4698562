// Top-k selection: a min-heap of bounded size. Ties go to the newer memory, which has the larger id.

export interface Scored {
  id: number
  score: number
}

export class TopK {
  readonly #size: number
  readonly #ids: number[] = []
  readonly #scores: number[] = []

  constructor(size: number) {
    this.#size = size
  }

  /** The score an id needs to enter; 0 while the heap is not full. */
  get threshold(): number {
    return this.#ids.length < this.#size ? 0 : (this.#scores[0] as number)
  }

  offer(id: number, score: number): void {
    const { length } = this.#ids
    if (length < this.#size) {
      this.#ids.push(id)
      this.#scores.push(score)
      this.#siftUp(length)
    } else if (length > 0 && this.#isBetter(id, score, 0)) {
      this.#ids[0] = id
      this.#scores[0] = score
      this.#siftDown()
    }
  }

  /** Best first. */
  sorted(): Scored[] {
    return this.#ids
      .map((id, at) => ({ id, score: this.#scores[at] as number }))
      .sort((one, other) => other.score - one.score || other.id - one.id)
  }

  #isBetter(id: number, score: number, at: number): boolean {
    const other = this.#scores[at] as number
    return score > other || (score === other && id > (this.#ids[at] as number))
  }

  #siftUp(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBetter(this.#ids[parent] as number, this.#scores[parent] as number, at)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #siftDown(): void {
    let at = 0
    for (;;) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child >= this.#ids.length) continue
        if (this.#isBetter(this.#ids[worst] as number, this.#scores[worst] as number, child)) {
          worst = child
        }
      }
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #swap(one: number, other: number): void {
    const { [one]: id, [other]: otherId } = this.#ids
    const { [one]: score, [other]: otherScore } = this.#scores
    this.#ids[one] = otherId as number
    this.#ids[other] = id as number
    this.#scores[one] = otherScore as number
    this.#scores[other] = score as number
  }
}
