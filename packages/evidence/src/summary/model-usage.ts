// The tokens that answers of models reported to the HTTP proxy, summed over a trace.
import { asObject } from '../json/json.ts'

/** By the one definition of zcl: fresh input, cached input, cache writes, output with thinking. */
export interface ModelUsage {
  /** The model, if all answers name the same one. */
  model?: string
  totalTokens: number
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
}

const counts = [
  ...['totalTokens', 'inputTokens', 'outputTokens'],
  ...['cachedInputTokens', 'cacheWriteTokens'],
] as (keyof Omit<ModelUsage, 'model'>)[]

export class UsageSum {
  readonly #sum: Record<(typeof counts)[number], number> = {
    totalTokens: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
  }
  readonly #models = new Set<string>()
  #answers = 0

  /** Adds the usage of an event of the HTTP proxy, if it has one. */
  add(event: Record<string, unknown>): void {
    const usage = asObject(asObject(asObject(event.enrichment).http).usage)
    if (!Number.isSafeInteger(usage.totalTokens)) return
    this.#answers++
    if (typeof usage.model === 'string') this.#models.add(usage.model)
    for (const key of counts) {
      const value = usage[key]
      if (typeof value === 'number' && Number.isSafeInteger(value)) this.#sum[key] += value
    }
  }

  /** Undefined if no answer reported its tokens. */
  total(): ModelUsage | undefined {
    if (this.#answers === 0) return undefined
    const [model, ...others] = this.#models
    return { ...(model === undefined || others.length > 0 ? {} : { model }), ...this.#sum }
  }
}
