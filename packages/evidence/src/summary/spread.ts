// Exact statistics over integers, in memory proportional to the number of distinct values.

/** A type, not an interface: only types are assignable to objects with an index signature. */
export type SpreadSummary = {
  count: number
  total: number
  min: number
  max: number
  avg: number
  p50: number
  p95: number
}

export class Spread {
  readonly #times = new Map<number, number>()
  #count = 0
  #total = 0

  add(value: number): void {
    this.#times.set(value, (this.#times.get(value) ?? 0) + 1)
    this.#count++
    this.#total += value
  }

  /** All zeros without values. */
  summary(): SpreadSummary {
    const values = [...this.#times.keys()].sort((a, b) => a - b)
    const count = this.#count
    return {
      count,
      total: this.#total,
      min: values[0] ?? 0,
      max: values.at(-1) ?? 0,
      avg: count === 0 ? 0 : Math.floor(this.#total / count),
      p50: this.#quantile(values, 50),
      p95: this.#quantile(values, 95),
    }
  }

  /**
   * Linear interpolation at q*(n-1) on the sorted list, rounded half up. Computed in integer
   * hundredths, so that binary fractions do not affect rounding.
   */
  #quantile(values: readonly number[], percent: number): number {
    if (this.#count === 0) return 0
    const hundredths = percent * (this.#count - 1)
    const rank = Math.floor(hundredths / 100)
    const [low, high] = this.#ranked(values, rank)
    return low + Math.floor(((hundredths % 100) * (high - low) + 50) / 100)
  }

  /** The values at `rank` and at the rank after it. */
  #ranked(values: readonly number[], rank: number): [number, number] {
    let seen = 0
    let low: number | undefined
    for (const value of values) {
      seen += this.#times.get(value) ?? 0
      if (low === undefined && seen > rank) low = value
      if (seen > rank + 1) return [low ?? value, value]
    }
    const last = values.at(-1) ?? 0
    return [low ?? last, last]
  }
}
