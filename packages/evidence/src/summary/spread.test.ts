import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Spread } from './spread.ts'

function spreadOf(values: readonly number[]): Spread {
  const spread = new Spread()
  for (const value of values) spread.add(value)
  return spread
}

test('Spread is all zeros without values', () => {
  expect(new Spread().summary()).toEqual({
    count: 0,
    total: 0,
    min: 0,
    max: 0,
    avg: 0,
    p50: 0,
    p95: 0,
  })
})

test('Spread interpolates quantiles linearly at q*(n-1) and rounds half up', () => {
  expect(spreadOf([1, 2]).summary().p50).toBe(2)
  expect(spreadOf([1, 2, 3, 4]).summary().p50).toBe(3)
  expect(spreadOf([10, 20, 30, 40, 50]).summary().p95).toBe(48)
  expect(spreadOf([0, 100]).summary().p95).toBe(95)
})

test('Spread rounds the average down', () => {
  expect(spreadOf([1, 2, 2]).summary()).toMatchObject({ avg: 1, total: 5, count: 3 })
})

test('Spread agrees with the formulas on the sorted list', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 60 }), (values) => {
      const sorted = [...values].sort((a, b) => a - b)
      const summary = spreadOf(values).summary()
      const at = (percent: number) => {
        const scaled = percent * (sorted.length - 1)
        const low = sorted[Math.floor(scaled / 100)] ?? 0
        const high = sorted[Math.ceil(scaled / 100)] ?? 0
        return Math.floor((low * 100 + (high - low) * (scaled % 100) + 50) / 100)
      }
      expect(summary.p50).toBe(at(50))
      expect(summary.p95).toBe(at(95))
      expect(summary.min).toBe(sorted[0])
      expect(summary.max).toBe(sorted.at(-1))
      expect(summary.total).toBe(values.reduce((sum, value) => sum + value, 0))
    }),
  )
})
