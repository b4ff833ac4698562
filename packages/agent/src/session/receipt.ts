// Writes and parses the receipt fields of a session record: provider, model, token counts, duration and
// cost. Invalid values are ignored.
import { isObject } from '@zee/core/json'
import type { Usage } from '@zee/llm'
import type { PrefixDelta } from '../prefix/prefix.ts'
import type { Receipt } from './records.ts'

type RawRecord = Readonly<Record<string, unknown>>

export function receiptFields(receipt: Receipt): RawRecord {
  const { provider, model, usage, isUsageEstimated, stop, durationMs, costUsd, prefix } = receipt
  return {
    provider,
    model,
    usage: usage && usageFields(usage),
    usage_estimated: isUsageEstimated,
    stop,
    duration_ms: durationMs,
    cost_usd: costUsd,
    prefix: prefix && prefixFields(prefix),
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
    prefix: parsePrefix(line.prefix),
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

/** Segments are short lists, because there are many: name, hash, bytes. */
function prefixFields({ from, segments }: PrefixDelta): RawRecord {
  return { from, segments: segments.map(({ name, hash, bytes }) => [name, hash, bytes]) }
}

function parsePrefix(value: unknown): PrefixDelta | undefined {
  if (!isObject(value) || !Array.isArray(value.segments)) return undefined
  const segments = (value.segments as unknown[]).flatMap((item) => {
    const [name, hash, bytes] = Array.isArray(item) ? (item as unknown[]) : []
    if (typeof name !== 'string' || typeof hash !== 'string') return []
    return [{ name, hash, bytes: parseCount(bytes) ?? 0 }]
  })
  return { from: parseCount(value.from) ?? 0, segments }
}

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
