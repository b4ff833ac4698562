import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passAtK, passHatK } from './pass-at-k.ts'

describe('passAtK and passHatK', () => {
  test('equal the pass rate for k = 1', () => {
    expect(passAtK(10, 3, 1)).toBeCloseTo(0.3, 12)
    expect(passHatK(10, 3, 1)).toBeCloseTo(0.3, 12)
  })

  test('are 7/10 and 1/10 for two of five passes and k = 2', () => {
    expect(passAtK(5, 2, 2)).toBeCloseTo(0.7, 12)
    expect(passHatK(5, 2, 2)).toBeCloseTo(0.1, 12)
  })

  test('equal the share of subsets for all counts up to 10', () => {
    for (let n = 1; n <= 10; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) {
          const { some, all, total } = drawings(n, c, k)
          expect(passAtK(n, c, k)).toBeCloseTo(some / total, 12)
          expect(passHatK(n, c, k)).toBeCloseTo(all / total, 12)
        }
      }
    }
  })

  test('are unbiased, unlike 1 - (1 - c/n)^k', () => {
    // Averaged over all outcomes of n trials at rate p, the estimate is exactly 1 - (1-p)^k.
    const [n, k, p] = [8, 3, 0.3]
    let mean = 0
    let naive = 0
    for (let c = 0; c <= n; c++) {
      const share = choose(n, c) * p ** c * (1 - p) ** (n - c)
      mean += share * (passAtK(n, c, k) ?? 0)
      naive += share * (1 - (1 - c / n) ** k)
    }
    expect(mean).toBeCloseTo(1 - (1 - p) ** k, 12)
    expect(Math.abs(naive - mean)).toBeGreaterThan(0.02)
  })

  test('stay between 0 and 1 for large counts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, passShare, drawShare) => {
          const c = Math.round(n * passShare)
          const k = Math.max(1, Math.round(n * drawShare))
          const some = passAtK(n, c, k) ?? -1
          const all = passHatK(n, c, k) ?? -1
          expect(some >= -1e-12 && some <= 1 && all >= 0 && all <= 1).toBe(true)
          expect(some >= all - 1e-9).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('are undefined for fewer than k attempts', () => {
    expect(passAtK(2, 2, 3)).toBeUndefined()
    expect(passHatK(2, 2, 3)).toBeUndefined()
    expect(passAtK(0, 0, 1)).toBeUndefined()
    expect(passAtK(2, 1, 0)).toBeUndefined()
    expect(passHatK(2, 1, 0)).toBeUndefined()
  })
})

function drawings(n: number, c: number, k: number) {
  let [some, all, total] = [0, 0, 0]
  for (let set = 0; set < 2 ** n; set++) {
    const drawn = Array.from({ length: n }, (_, index) => index).filter((i) => (set >> i) & 1)
    if (drawn.length !== k) continue
    total++
    const passes = drawn.filter((i) => i < c).length
    if (passes > 0) some++
    if (passes === k) all++
  }
  return { some, all, total }
}

function choose(n: number, k: number): number {
  let ways = 1
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1)
  return ways
}
