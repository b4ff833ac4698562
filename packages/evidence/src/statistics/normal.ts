// The normal distribution, computed from its series and continued fraction. Slower than a fitted
// approximation, but accurate to about 14 digits.

/** P(Z <= x) for a standard normal Z. */
export function normalCdf(x: number): number {
  if (x > 4) return 1 - upperTail(x)
  if (x < -4) return upperTail(-x)
  // 1/2 + density * (x + x^3/3 + x^5/(3*5) + ...)
  let term = x
  let sum = x
  for (let odd = 3; Math.abs(term) > 1e-17; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + density(x) * sum
}

/** The z with P(Z <= z) = p, for p strictly between 0 and 1. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError('a quantile needs a probability between 0 and 1')
  if (p > 0.5) return -normalQuantile(1 - p)
  let low = -40
  let high = 0
  // Bisection is fast enough: 80 steps for a value that is needed once.
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** P(Z > x) for large x: density / (x + 1/(x + 2/(x + 3/(x + ...)))). */
function upperTail(x: number): number {
  let fraction = x
  for (let depth = 60; depth >= 1; depth--) fraction = x + depth / fraction
  return density(x) / fraction
}
