// Exact null distributions of a sum of independent terms with whole-number values. Every difference
// of pass rates is a multiple of 1 / L, where L is the least common multiple of the attempt counts,
// so the sum over missions has few distinct values and convolution gives its distribution exactly.

/** A term of the sum: value `first + index * step` has probability `shares[index]`; `step` is at least 0. */
export interface Term {
  first: number
  step: number
  shares: readonly number[]
}

/** Tail probabilities of the sum at an observed value. */
export interface Tails {
  /** P(|sum| >= |observed|). */
  twoSided: number
  /** P(sum >= observed). */
  greater: number
}

/** Cap on the multiplications of one convolution: about 50 ms. */
const maxOperations = 30_000_000

/** The tails at `observed`; undefined if the convolution would be too large. */
export function exactTails(terms: readonly Term[], observed: number): Tails | undefined {
  let width = 1
  let operations = 0
  let low = 0
  for (const { first, step, shares } of terms) {
    operations += width * shares.length
    width += step * (shares.length - 1)
    low += first
    if (!(operations <= maxOperations && width <= maxOperations)) return undefined
  }
  let sums = new Float64Array(1).fill(1)
  for (const { step, shares } of terms) sums = convolved(sums, step, shares)
  let twoSided = 0
  let greater = 0
  for (const [index, share] of sums.entries()) {
    const sum = low + index
    if (Math.abs(sum) >= Math.abs(observed)) twoSided += share
    if (sum >= observed) greater += share
  }
  return { twoSided: Math.min(1, twoSided), greater: Math.min(1, greater) }
}

function convolved(
  sums: Float64Array,
  step: number,
  shares: readonly number[],
): Float64Array<ArrayBuffer> {
  const result = new Float64Array(sums.length + step * (shares.length - 1))
  for (const [index, share] of shares.entries()) {
    const offset = index * step
    for (let at = 0; at < sums.length; at++) {
      result[offset + at] = (result[offset + at] as number) + share * (sums[at] as number)
    }
  }
  return result
}

/** The least common multiple of whole numbers above 0; Infinity beyond 2^31. */
export function leastCommonMultiple(numbers: readonly number[]): number {
  let multiple = 1
  for (const number of numbers) {
    multiple = (multiple / greatestCommonDivisor(multiple, number)) * number
    if (multiple > 2 ** 31) return Number.POSITIVE_INFINITY
  }
  return multiple
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
