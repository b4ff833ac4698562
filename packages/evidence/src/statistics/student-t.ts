// Quantiles of Student's t distribution, from the regularized incomplete beta function.

/** The t with P(T <= t) = p, for p strictly between 0 and 1. */
export function tQuantile(p: number, degrees: number): number {
  if (p < 0.5) return -tQuantile(1 - p, degrees)
  let low = 0
  let high = 1
  while (tCdf(high, degrees) < p && high < 1e9) high *= 2
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (tCdf(middle, degrees) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(T <= t) for t of at least 0. */
function tCdf(t: number, degrees: number): number {
  return 1 - incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The continued fraction converges fast below this point; above it, symmetry applies.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x),
  )
  return (front / a) * continuedFraction(x, a, b)
}

/** Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const guarded = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / guarded(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / guarded(1 + even * d)
    c = guarded(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / guarded(1 + odd * d)
    c = guarded(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return result
}

/** Stirling's series above 10, reached by recurrence; accurate to about 14 digits. */
function logGamma(x: number): number {
  let shift = 0
  let at = x
  for (; at < 10; at++) shift += Math.log(at)
  const inverse = 1 / at
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260 - inverse ** 7 / 1680
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift
}
