import { describe, expect, it } from 'vitest'
import { faultsFor, parseInject, seededRandom } from './faults.ts'

describe('injected faults', () => {
  it.each([
    ['latency=200ms,p=0.1', { kind: 'latency', ms: 200 }, 0.1],
    ['latency=1.5s', { kind: 'latency', ms: 1500 }, 1],
    ['latency=50', { kind: 'latency', ms: 50 }, 1],
    ['p=.5, status=503', { kind: 'status', status: 503 }, 0.5],
    ['reset,p=0', { kind: 'reset' }, 0],
  ])('parse from %s', (text, fault, probability) => {
    expect(parseInject(text)).toEqual({ fault, probability })
  })

  it.each([
    '',
    'p=1',
    'status=99',
    'status=600',
    'latency=x',
    'latency=3601s',
    'latency=9999999s',
    'reset=1',
    'p=2,reset',
    'reset,reset',
    'x',
  ])('refuse to parse %j', (text) => {
    expect(() => parseInject(text)).toThrow()
  })

  it('occur with the requested probability and repeat for the same seed', () => {
    const rules = [parseInject('reset,p=0.3'), parseInject('latency=1,p=1')]
    const random = seededRandom(42)
    const resets = Array.from({ length: 10_000 }, () => faultsFor(rules, random)).filter(
      (faults) => faults.length === 2,
    ).length
    expect(resets).toBeGreaterThan(2700)
    expect(resets).toBeLessThan(3300)
    const [one, other] = [seededRandom(7), seededRandom(7)]
    for (let n = 0; n < 100; n++) expect(one()).toBe(other())
  })
})
