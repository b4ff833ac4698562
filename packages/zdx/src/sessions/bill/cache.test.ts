import { describe, expect, it } from 'vitest'
import type { SentRequest } from './cache.ts'
import { cacheMiss } from './cache.ts'

function request(names: string[], input: number, cached?: number, atSecs = 0): SentRequest {
  const usage = { inputTokens: input, outputTokens: 1, cachedInputTokens: cached }
  return {
    receipt: { provider: 'p', model: 'm', usage },
    segments: names.map((name) => ({ name: name.replace(/\d/g, ''), hash: name, bytes: 1 })),
    atSecs,
  }
}

describe('cacheMiss', () => {
  const before = request(['tools', 'AGENTS1', 'prompt'], 1000)

  it('names the first segment that changed', () => {
    const after = request(['tools', 'AGENTS2', 'prompt', 'answer'], 1100, 100)
    expect(cacheMiss(before, after)).toMatchObject({
      firstChanged: 'AGENTS',
      cachedTokens: 100,
      cacheableTokens: 1000,
    })
  })

  it('names a segment that was removed', () => {
    expect(cacheMiss(before, request(['tools', 'AGENTS1'], 900, 0))?.firstChanged).toBe('prompt')
  })

  it('finds nothing if the cache held the prefix', () => {
    expect(
      cacheMiss(before, request(['tools', 'AGENTS1', 'prompt', 'x'], 1100, 990)),
    ).toBeUndefined()
  })

  it('reports an expired cache only if the provider reports cache reads', () => {
    const same = ['tools', 'AGENTS1', 'prompt', 'x']
    expect(cacheMiss(before, request(same, 1100))).toBeUndefined()
    expect(cacheMiss(before, request(same, 1100, 0, 600))?.reason).toBe(
      'nothing changed since the request before, 10 min after it',
    )
  })

  it('reports no miss of a prefix that is too short for a cache', () => {
    const same = ['tools', 'AGENTS1', 'prompt', 'x']
    expect(cacheMiss(before, request(same, 1100, 0, 10))).toBeUndefined()
    const long = request(['tools', 'AGENTS1', 'prompt'], 9000)
    expect(cacheMiss(long, request(same, 9100, 0, 10))?.reason).toBe(
      'nothing changed since the request before',
    )
  })

  it('names a change of the model', () => {
    const other = request(['tools'], 10, 0)
    other.receipt.model = 'other'
    expect(cacheMiss(before, other)?.firstChanged).toBe('model')
  })
})
