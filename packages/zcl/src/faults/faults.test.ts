import { seededRandom } from '@zee/core/random'
import { describe, expect, it } from 'vitest'
import { faultsAt, faultsFor, faultyAnswer, injectSettings, injectText } from './faults.ts'
import { parseDoses, parseInject } from './faults.ts'

describe('injected faults', () => {
  it.each([
    ['latency=200ms,p=0.1', { kind: 'latency', ms: 200 }, 0.1],
    ['latency=1.5s', { kind: 'latency', ms: 1500 }, 1],
    ['latency=50', { kind: 'latency', ms: 50 }, 1],
    ['p=.5, status=503', { kind: 'status', status: 503 }, 0.5],
    ['reset,p=0', { kind: 'reset' }, 0],
    ['error:0.2', { kind: 'error' }, 0.2],
    ['truncate:5%', { kind: 'truncate' }, 0.05],
    ['malformed', { kind: 'malformed' }, 1],
    ['delay:0.5', { kind: 'delay', ms: 1000 }, 0.5],
    ['delay=20ms:1', { kind: 'delay', ms: 20 }, 1],
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
    'error:2',
    'error:',
    'error:101%',
    'truncate=3:1',
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

  it('repeat at the same call of an attempt for the same seed, in any process', () => {
    const settings = { rules: [parseInject('error:0.5')], seed: 3 }
    const draw = (seed: number, attemptId: string) =>
      Array.from({ length: 64 }, (_, n) => faultsAt({ ...settings, seed }, attemptId, n).length)
    expect(draw(3, '001-m-r1')).toEqual(draw(3, '001-m-r1'))
    expect(draw(3, '001-m-r1')).not.toEqual(draw(3, '002-m-r1'))
    expect(draw(3, '001-m-r1')).not.toEqual(draw(4, '001-m-r1'))
  })

  it('change an answer: half of it, no JSON any more, or an older one', () => {
    expect(faultyAnswer('truncate', 'abcdef', undefined)).toBe('abc')
    expect(faultyAnswer('malformed', '{"a":1}\n', undefined)).toBe('{"a":1\n')
    expect(faultyAnswer('malformed', 'plain', undefined)).toBe('{plain')
    expect(faultyAnswer('stale', 'new', 'old')).toBe('old')
    expect(faultyAnswer('stale', 'new', undefined)).toBeUndefined()
  })

  it.each(['error:0.1', 'delay=200ms:1', 'latency=5ms:0.5', 'status=503:0.2', 'reset:1'])(
    'are passed on to the funnels of an attempt as they were given: %s',
    (text) => expect(injectText(parseInject(text))).toBe(text),
  )

  it('come from the environment unless flags name them', () => {
    const env = { ZCL_INJECT: 'error:0.1 delay:1', ZCL_INJECT_SEED: '5' }
    const none = { inject: [], injectSeed: undefined }
    expect(injectSettings(none, env)).toMatchObject({ rules: [{}, {}], seed: 5 })
    const own = { inject: [parseInject('stale')], injectSeed: 6 }
    expect(injectSettings(own, env)).toEqual({ rules: own.inject, seed: 6 })
    expect(parseDoses('0,5, 10%,5')).toEqual([0, 5, 10])
    for (const text of ['', 'x', '101', '-1']) expect(() => parseDoses(text)).toThrow()
  })
})
