import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import published from './prices.json' with { type: 'json' }
import { costAtPrice, costOf } from './prices.ts'

const million = { inputTokens: 1e6, outputTokens: 1e6 }
let base: string
beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zee-prices-'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('costOf', () => {
  it('uses the prices for cached and cache-written input', () => {
    const usage = { inputTokens: 10, outputTokens: 0, cachedInputTokens: 4, cacheWriteTokens: 2 }
    const price = { input: 1e6, output: 1, cached: 1e5, cache_write: 2e6 }
    expect(costAtPrice(price, usage)).toBe(4 * 1 + 4 * 0.1 + 2 * 2)
  })

  it('uses the higher price for all tokens when the input exceeds the threshold', () => {
    const answer = { outputTokens: 0, inputTokens: 100_000 }
    expect(costOf(base, 'anthropic', 'claude-haiku-5-5', answer)).toBe(0.01)
    const longer = { ...answer, inputTokens: 200_000, cachedInputTokens: 100_000 }
    expect(costOf(base, 'anthropic', 'claude-haiku-5-5', longer)).toBe(0.055)
  })

  it('has a price table with a date', () => {
    expect(published.as_of).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('accepts dated model names but no other suffix', () => {
    expect(costOf(base, 'anthropic', 'claude-haiku-4-5', million)).toBe(6)
    expect(costOf(base, 'anthropic', 'claude-haiku-4-5-20251001', million)).toBe(6)
    expect(costOf(base, 'openai-responses', 'gpt-5-mini-2025-08-07', million)).toBe(2.25)
    expect(costOf(base, 'anthropic', 'claude-haiku-4-5-turbo', million)).toBeUndefined()
    expect(costOf(base, 'ollama', 'gpt-5', million)).toBeUndefined()
    expect(costOf(base, 'anthropic', 'constructor', million)).toBeUndefined()
  })

  it('ignores a broken prices.json of the user', () => {
    writeFileSync(path.join(base, 'prices.json'), '{"anthropic": 5}')
    expect(costOf(base, 'anthropic', 'claude-haiku-4-5', million)).toBe(6)
  })
})
