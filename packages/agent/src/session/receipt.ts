// Who gave an answer and what it took, as further fields of a session line: snake case, and read back
// as leniently as everything else there.
import type { Usage } from '@zee/llm'
import type { Receipt } from './records.ts'

type RawRecord = Readonly<Record<string, unknown>>

export function receiptFields({ provider, model, usage, durationMs, costUsd }: Receipt): RawRecord {
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

export function parseReceipt(line: RawRecord): { receipt?: Receipt } {
  if (typeof line.provider !== 'string' || typeof line.model !== 'string') return {}
  const usage = parseUsage(line.usage)
  const durationMs = parseCount(line.duration_ms)
  const costUsd = parseCount(line.cost_usd)
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

function parseUsage(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as RawRecord
  const cachedInputTokens = parseCount(fields.cached_input_tokens)
  const cacheWriteTokens = parseCount(fields.cache_write_tokens)
  const thinkingTokens = parseCount(fields.thinking_tokens)
  return {
    inputTokens: parseCount(fields.input_tokens) ?? 0,
    outputTokens: parseCount(fields.output_tokens) ?? 0,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
  }
}

function parseCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
