// Percentiles of a measure over attempts, by linear interpolation at q * (n - 1) of the sorted
// values, as in reports (type 7 of Hyndman and Fan).

export interface Distribution {
  count: number
  mean: number
  min: number
  p50: number
  p90: number
  p95: number
  max: number
}

/** Undefined without values. */
export function distributionOf(values: readonly number[]): Distribution | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  return {
    count: sorted.length,
    mean: rounded(meanOf(sorted)),
    min: sorted[0] as number,
    p50: rounded(quantile(sorted, 0.5)),
    p90: rounded(quantile(sorted, 0.9)),
    p95: rounded(quantile(sorted, 0.95)),
    max: sorted.at(-1) as number,
  }
}

/** The quantile of at least one sorted value. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = q * (sorted.length - 1)
  const rank = Math.floor(position)
  const low = sorted[rank] ?? Number.NaN
  const high = sorted[Math.min(rank + 1, sorted.length - 1)] ?? Number.NaN
  return low + (position - rank) * (high - low)
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] as number
  return sum / values.length
}

/** Rounds to six decimals, so that output does not depend on the last bits of floating point. */
export function rounded(value: number): number {
  const text = value.toFixed(6)
  return Number(text) + 0
}
