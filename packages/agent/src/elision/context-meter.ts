// Estimates the tokens of the next request from the token counts of the last one: the provider's counts
// also calibrate the size of a token.
import type { Message, Part, Usage } from '@zee/llm'
import { estimateTokens } from '../tokens/tokens.ts'

export interface ContextMeter {
  /** Stores what a request of `bytes` counted. */
  record(usage: Usage, bytes: number): void
  /** Estimated tokens of a request of `bytes`. */
  estimate(bytes: number): number
  /** Estimated tokens of a part of a request. */
  tokens(bytes: number): number
}

/** Dense text, such as Chinese, has about one token per 2 bytes. */
const maxTokensPerByte = 0.5

/** `usage` is that of the last request of a loaded session. */
export function createContextMeter(usage?: Usage): ContextMeter {
  let last: { tokens: number; bytes: number; tokensPerByte: number } | undefined
  let loaded = usage
  const meter: ContextMeter = {
    record(counted, bytes) {
      loaded = undefined
      if (counted.inputTokens === 0 || bytes === 0) return
      last = { tokens: counted.inputTokens, bytes, tokensPerByte: counted.inputTokens / bytes }
    },
    estimate(bytes) {
      // The first request after loading has the size of the last one plus its answer.
      if (loaded !== undefined) {
        const tokens = loaded.inputTokens + loaded.outputTokens
        meter.record({ inputTokens: tokens, outputTokens: 0 }, bytes)
      }
      if (last === undefined) return estimateTokens(bytes)
      const added = bytes - last.bytes
      const perByte =
        added > 0 ? Math.min(last.tokensPerByte, maxTokensPerByte) : last.tokensPerByte
      return last.tokens + added * perByte
    },
    tokens: (bytes) => (last === undefined ? estimateTokens(bytes) : bytes * last.tokensPerByte),
  }
  return meter
}

/** Size of a request in bytes; `base` is the size of the system prompt and the tools. */
export function requestBytes(history: readonly Message[], base: number): number {
  let bytes = base
  for (const { parts } of history) for (const part of parts) bytes += partBytes(part)
  return bytes
}

/** Vendors count an image by its area, at most about 1,600 tokens. */
const imageBytes = 6400

/** In UTF-16 units, which is close enough to bytes and much faster to count. */
export function partBytes(part: Part): number {
  switch (part.type) {
    case 'text':
      return part.text.length
    case 'image':
      return imageBytes
    case 'thinking':
      return part.text.length + (part.signature?.length ?? 0)
    case 'tool_call':
      return part.name.length + JSON.stringify(part.input).length
    case 'tool_result':
      return part.content.length + (part.images?.length ?? 0) * imageBytes
  }
}
