// Writes and parses the receipt fields of a session record: provider, model, token counts, duration and
// cost. Invalid values are ignored.
import type { Usage } from '@zee/llm'
import type { Receipt } from './records.ts'

type RawRecord = Readonly<Record<string, unknown>>

export function receiptFields(receipt: Receipt): RawRecord {
  const { provider, model, usage, isUsageEstimated, stop, durationMs, costUsd } = receipt
  return {
    provider,
    model,
    usage: usage && usageFields(usage),
    usage_estimated: isUsageEstimated,
    stop,
    duration_ms: durationMs,
    cost_usd: costUsd,
  }
}

/** Token counts with the field names of session files and JSON output. */
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

export function parseReceipt(line: RawRecord): Receipt | undefined {
  if (typeof line.provider !== 'string' || typeof line.model !== 'string') return undefined
  return {
    provider: line.provider,
    model: line.model,
    usage: parseUsage(line.usage),
    isUsageEstimated: line.usage_estimated === true ? true : undefined,
    stop: stopReasons.find((stop) => stop === line.stop),
    durationMs: parseCount(line.duration_ms),
    costUsd: parseCount(line.cost_usd),
  }
}

const stopReasons = [
  'end',
  'tool_use',
  'max_tokens',
  'refusal',
  'other',
  'interrupted',
  'error',
] as const

function parseUsage(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as RawRecord
  return {
    inputTokens: parseCount(fields.input_tokens) ?? 0,
    outputTokens: parseCount(fields.output_tokens) ?? 0,
    cachedInputTokens: parseCount(fields.cached_input_tokens),
    cacheWriteTokens: parseCount(fields.cache_write_tokens),
    thinkingTokens: parseCount(fields.thinking_tokens),
  }
}

function parseCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
