import { describe, expect, test } from 'vitest'
import { tQuantile } from './student-t.ts'

const ps = [0.001, 0.1, 0.5, 0.6, 0.75, 0.9, 0.975, 0.9995]

describe('tQuantile', () => {
  test.each(ps)('is tan(pi (p - 1/2)) with one degree, for p = %d', (p) => {
    expect(tQuantile(p, 1)).toBeCloseTo(Math.tan(Math.PI * (p - 0.5)), 8)
  })

  test.each(ps)('is (2p - 1) / sqrt(2p (1 - p)) with two degrees, for p = %d', (p) => {
    expect(tQuantile(p, 2)).toBeCloseTo((2 * p - 1) / Math.sqrt(2 * p * (1 - p)), 9)
  })

  // Hill 1970: with q = cos(acos(a) / 3) / a and a^2 = 4p (1 - p), t = 2 sqrt(q - 1).
  test.each(ps.filter((p) => p > 0.5))('has the closed form of four degrees, for p = %d', (p) => {
    const root = Math.sqrt(4 * p * (1 - p))
    const q = Math.cos(Math.acos(root) / 3) / root
    expect(tQuantile(p, 4)).toBeCloseTo(2 * Math.sqrt(q - 1), 9)
  })

  test('is the negative quantile of the other tail', () => {
    expect(tQuantile(0.025, 7)).toBe(-tQuantile(0.975, 7))
    expect(tQuantile(0.5, 3)).toBeCloseTo(0, 12)
  })

  test('stops at 2^30 in the far tail', () => {
    expect(tQuantile(1 - 1e-13, 1)).toBeCloseTo(2 ** 30, 3)
  })
})
