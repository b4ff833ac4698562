import { describe, expect, it } from 'vitest'
import type { AttemptFacts } from '../data/data.ts'
import { computeDistribution } from './distribution.ts'

const attempt = (outcome: AttemptFacts['outcome'], calls: number, total?: number): AttemptFacts =>
  ({
    outcome,
    isJudged: outcome === 'passed' || outcome === 'failed',
    metrics: { calls },
    tokens: total === undefined ? undefined : { total },
  }) as never

const calls = ({ metrics }: AttemptFacts): number => metrics.calls
const tokens = (each: AttemptFacts): number | undefined => each.tokens?.total

describe('computeDistribution', () => {
  it('returns the share of attempts per outcome at or below each value', () => {
    const found = computeDistribution(
      [attempt('passed', 2), attempt('passed', 4), attempt('failed', 3)],
      calls,
    )
    expect(found?.x).toEqual([1.5, 2, 3, 4, 4.5])
    expect(found?.summary).toEqual({ median: 3, min: 2, max: 4 })
    expect(found?.series.map(({ label, values }) => [label, values])).toEqual([
      ['passed', [0, 0.5, 0.5, 1, 1]],
      ['failed', [0, 0, 1, 1, 1]],
    ])
  })

  it('ignores attempts without the value instead of counting them as 0', () => {
    const some = [attempt('passed', 1, 500), attempt('passed', 1)]
    expect(computeDistribution(some, tokens)?.summary).toEqual({ min: 500, max: 500, median: 500 })
    expect(computeDistribution([attempt('passed', 1)], tokens)).toBeUndefined()
  })

  it('shows attempts that say nothing about the agent, and leaves them out of the summary', () => {
    const infra = [attempt('infra', 0), attempt('missing', 90)]
    const mixed = computeDistribution([...infra, attempt('passed', 4), attempt('failed', 8)], calls)
    expect(mixed?.summary).toEqual({ median: 4, min: 4, max: 8 })
    expect(mixed?.series.map(({ label }) => label)).toEqual([
      'passed',
      'failed',
      'infrastructure',
      'no outcome',
    ])
    expect(mixed?.x.at(-1)).toBeGreaterThan(90)
    expect(computeDistribution(infra, calls)?.summary).toBeUndefined()
  })

  it('handles 300,000 attempts', () => {
    const many = Array.from({ length: 300_000 }, (_, index) => attempt('passed', index))
    expect(computeDistribution(many, calls)?.series[0]?.values.at(-1)).toBe(1)
  })
})
