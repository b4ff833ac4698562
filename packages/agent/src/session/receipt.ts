// Who gave an answer and what it took, as further fields of a session line: snake case, and read back
// as leniently as everything else there.
import type { Usage } from '@zee/llm'
import type { Receipt } from './records.ts'

type Loose = Readonly<Record<string, unknown>>

export function receiptFields({ provider, model, usage, durationMs, costUsd }: Receipt): Loose {
  return {
    provider,
    model,
    ...(usage === undefined ? {} : { usage: usageFields(usage) }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  }
}

/** Token counts as files and JSON output write them. */
export function usageFields(usage: Usage): Record<string, number> {
  const { cachedInputTokens, cacheWriteTokens, thinkingTokens } = usage
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cached_input_tokens: cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
    ...(thinkingTokens === undefined ? {} : { thinking_tokens: thinkingTokens }),
  }
}

export function receiptIn(line: Loose): { receipt?: Receipt } {
  if (typeof line.provider !== 'string' || typeof line.model !== 'string') return {}
  const usage = usageIn(line.usage)
  const durationMs = numberIn(line.duration_ms)
  const costUsd = numberIn(line.cost_usd)
  return {
    receipt: {
      provider: line.provider,
      model: line.model,
      ...(usage === undefined ? {} : { usage }),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(costUsd === undefined ? {} : { costUsd }),
    },
  }
}

function usageIn(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Loose
  const cachedInputTokens = numberIn(fields.cached_input_tokens)
  const cacheWriteTokens = numberIn(fields.cache_write_tokens)
  const thinkingTokens = numberIn(fields.thinking_tokens)
  return {
    inputTokens: numberIn(fields.input_tokens) ?? 0,
    outputTokens: numberIn(fields.output_tokens) ?? 0,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
  }
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
