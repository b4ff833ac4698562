// Finds requests whose cache read was smaller than the prefix that they share with the request before,
// and names the first segment that changed.
import type { Receipt } from '@zee/agent'
import type { Segment } from '@zee/agent/prefix'
import { sharedCount } from '@zee/agent/prefix'

export interface SentRequest {
  receipt: Receipt
  segments: readonly Segment[]
  /** Seconds since 1970; NaN if the record has no time. */
  atSecs: number
}

export interface CacheMiss {
  cachedTokens: number
  /** What the cache could have held: the input of the request before. */
  cacheableTokens: number
  /** The name of the first segment that changed; undefined if none did. */
  firstChanged: string | undefined
  reason: string
}

/** Rounding and cache blocks make a read a little smaller than the prefix. */
const minShare = 0.9
/** Providers do not cache shorter prefixes: 1,024 to 4,096 tokens, by model. */
const minCacheableTokens = 4096
/** The shortest life of a cache entry among the providers. */
const cacheLifeSecs = 5 * 60

/** Undefined if the cache read was as large as it could be, or if nothing is known about it. */
export function cacheMiss(before: SentRequest, request: SentRequest): CacheMiss | undefined {
  const cacheableTokens = before.receipt.usage?.inputTokens ?? 0
  const cachedTokens = request.receipt.usage?.cachedInputTokens ?? 0
  if (cacheableTokens === 0 || cachedTokens >= cacheableTokens * minShare) return undefined
  const miss = { cachedTokens, cacheableTokens }
  if (nameOf(before.receipt) !== nameOf(request.receipt)) {
    return { ...miss, firstChanged: 'model', reason: 'the model changed' }
  }
  const shared = sharedCount(before.segments, request.segments)
  const changed = shared < before.segments.length ? request.segments[shared] : undefined
  if (changed !== undefined || shared < before.segments.length) {
    const firstChanged = (changed ?? before.segments[shared])?.name ?? ''
    return { ...miss, firstChanged, reason: `first changed segment: ${firstChanged}` }
  }
  // A provider that reports no cache reads may not cache at all.
  if (request.receipt.usage?.cachedInputTokens === undefined) return undefined
  const waited = request.atSecs - before.atSecs
  const isExpired = waited >= cacheLifeSecs
  if (!isExpired && cacheableTokens < minCacheableTokens) return undefined
  const expired = isExpired ? `, ${Math.round(waited / 60)} min after it` : ''
  return {
    ...miss,
    firstChanged: undefined,
    reason: `nothing changed since the request before${expired}`,
  }
}

function nameOf({ provider, model }: Receipt): string {
  return `${provider}:${model}`
}
