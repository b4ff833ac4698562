// Offsets of rows with different heights: estimates that measurements replace.

export class RowOffsets {
  readonly #heights: Float64Array
  readonly #offsets: Float64Array
  /** Offsets up to this row are valid. */
  #valid = 0

  constructor(count: number, estimate: (index: number) => number) {
    this.#heights = Float64Array.from({ length: count }, (_, index) => estimate(index))
    this.#offsets = new Float64Array(count + 1)
  }

  get count(): number {
    return this.#heights.length
  }

  /** The distance from the first row's top to the top of this row. */
  offset(index: number): number {
    for (; this.#valid < index; this.#valid++) {
      this.#offsets[this.#valid + 1] = this.#at(this.#valid) + (this.#heights[this.#valid] ?? 0)
    }
    return this.#at(index)
  }

  /** The height of all rows. */
  get total(): number {
    return this.offset(this.count)
  }

  /** The row at a distance from the first row's top; the nearest row outside of the list. */
  indexAt(y: number): number {
    let [low, high] = [0, Math.max(0, this.count - 1)]
    this.offset(this.count)
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#at(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Replaces the height of a row; returns the difference. */
  setHeight(index: number, height: number): number {
    const difference = height - (this.#heights[index] ?? height)
    if (difference === 0) return 0
    this.#heights[index] = height
    this.#valid = Math.min(this.#valid, index)
    return difference
  }

  #at(index: number): number {
    return this.#offsets[index] ?? 0
  }
}
