import { describe, expect, it } from 'vitest'
import { acceptsImages, costAtPrice, factsDate, modelFacts } from './facts.ts'
import table from './models.json' with { type: 'json' }

const million = { inputTokens: 1e6, outputTokens: 1e6 }

describe('the model table', () => {
  it('has a date', () => {
    expect(factsDate).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('has positive limits and prices in every row, and no output above the context window', () => {
    for (const rows of Object.values(table.models)) {
      for (const [name, { context, output, modalities, price }] of Object.entries(rows)) {
        expect(output, name).toBeGreaterThan(0)
        expect(context, name).toBeGreaterThanOrEqual(output)
        expect(modalities, name).toContain('text')
        expect(price.output, name).toBeGreaterThanOrEqual(price.input)
      }
    }
  })
})

describe('modelFacts', () => {
  it('returns limits, modalities and prices', () => {
    const facts = modelFacts('anthropic', 'claude-haiku-4-5')
    expect(facts).toMatchObject({ contextWindow: 200_000, maxOutput: 64_000 })
    expect(costAtPrice(facts!.price, million)).toBe(6)
    expect(acceptsImages('anthropic', 'claude-haiku-4-5')).toBe(true)
    expect(acceptsImages('openai', 'gpt-3.5-turbo')).toBe(false)
  })

  it('accepts a date or -latest at the end of a name, and no other suffix', () => {
    const named = (id: string) => modelFacts('anthropic', id)?.maxOutput
    expect(named('claude-haiku-4-5-20251001')).toBe(64_000)
    expect(named('claude-3-5-haiku-latest')).toBe(8192)
    expect(named('claude-haiku-4-5-turbo')).toBeUndefined()
    expect(named('constructor')).toBeUndefined()
    expect(modelFacts('openai-responses', 'gpt-5-mini-2025-08-07')?.maxOutput).toBe(128_000)
  })

  it('finds the vendor of a model that OpenRouter routes', () => {
    const haiku = modelFacts('openrouter', 'anthropic/claude-haiku-4.5')
    expect(haiku).toEqual(modelFacts('anthropic', 'claude-haiku-4-5'))
    expect(modelFacts('openrouter', 'google/gemini-2.5-pro')?.maxOutput).toBe(65_536)
    expect(modelFacts('openrouter', 'mistralai/mistral-large')).toBeUndefined()
    expect(modelFacts('openrouter', 'gpt-5')).toBeUndefined()
  })

  it('knows nothing of local models: an unknown model accepts no images', () => {
    expect(modelFacts('ollama', 'gpt-5')).toBeUndefined()
    expect(acceptsImages('ollama', 'llava')).toBe(false)
  })
})

describe('costAtPrice', () => {
  it('uses the prices for cached and cache-written input', () => {
    const usage = { inputTokens: 10, outputTokens: 0, cachedInputTokens: 4, cacheWriteTokens: 2 }
    const price = { input: 1e6, output: 1, cached: 1e5, cache_write: 2e6 }
    expect(costAtPrice(price, usage)).toBe(4 * 1 + 4 * 0.1 + 2 * 2)
  })

  it('uses the higher price for all tokens when the input exceeds the threshold', () => {
    const { price } = modelFacts('anthropic', 'claude-haiku-5-5')!
    expect(costAtPrice(price, { outputTokens: 0, inputTokens: 100_000 })).toBe(0.01)
    const longer = { outputTokens: 0, inputTokens: 200_000, cachedInputTokens: 100_000 }
    expect(costAtPrice(price, longer)).toBe(0.055)
  })
})
