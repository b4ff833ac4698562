// The cost of an attempt in USD: the tokens that its runner reported, at the price of its model.
import { costAtPrice, modelFacts } from '@zee/llm/facts'
import type { RunnerUsage } from '@zee/evidence/report'

/** Vendors to try when the log names no provider that the table knows. */
const vendors = ['anthropic', 'openai', 'gemini', 'openrouter'] as const

/** Undefined if the model, its price or its tokens are unknown. */
export function costOf(usage: RunnerUsage): number | undefined {
  const { model, inputTokens, outputTokens } = usage
  if (model === undefined || inputTokens === undefined || outputTokens === undefined) {
    return undefined
  }
  const { cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  const price = [usage.modelProvider ?? '', ...vendors]
    .map((provider) => modelFacts(provider, model)?.price)
    .find((found) => found !== undefined)
  if (price === undefined) return undefined
  // Totals of an attempt span many requests, so the price of a single large request does not apply.
  const { over: _large, ...plain } = price
  return costAtPrice(plain, {
    inputTokens: inputTokens + cachedInputTokens + cacheWriteTokens,
    outputTokens,
    cachedInputTokens,
    cacheWriteTokens,
  })
}
