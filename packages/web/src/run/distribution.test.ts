import { describe, expect, it } from 'vitest'
import type { AttemptFacts } from '../data/data.ts'
import { distributionOf } from './distribution.ts'

const attempt = (outcome: AttemptFacts['outcome'], calls: number, total?: number): AttemptFacts =>
  ({ outcome, metrics: { calls }, ...(total === undefined ? {} : { tokens: { total } }) }) as never

const calls = ({ metrics }: AttemptFacts): number => metrics.calls
const tokens = (each: AttemptFacts): number | undefined => each.tokens?.total

describe('a distribution over attempts', () => {
  it('is the share of each outcome at or below a value', () => {
    const found = distributionOf(
      [attempt('passed', 2), attempt('passed', 4), attempt('failed', 3)],
      calls,
    )
    expect(found).toMatchObject({ x: [1.5, 2, 3, 4, 4.5], median: 3, least: 2, most: 4 })
    expect(found?.series.map(({ label, values }) => [label, values])).toEqual([
      ['passed', [0, 0.5, 0.5, 1, 1]],
      ['failed', [0, 0, 1, 1, 1]],
    ])
  })

  it('leaves out attempts that do not say, instead of counting them as 0', () => {
    const some = [attempt('passed', 1, 500), attempt('passed', 1)]
    expect(distributionOf(some, tokens)).toMatchObject({ least: 500, most: 500, median: 500 })
    expect(distributionOf([attempt('passed', 1)], tokens)).toBeUndefined()
  })

  it('takes hundreds of thousands of attempts', () => {
    const many = Array.from({ length: 300_000 }, (_, index) => attempt('passed', index))
    expect(distributionOf(many, calls)?.series[0]?.values.at(-1)).toBe(1)
  })
})
