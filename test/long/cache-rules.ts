// The documented prompt-cache rules of each wire format, as a loopback server applies them: what it charges
// for a request, and how it reports the charge.
import { createHash } from 'node:crypto'

export interface Charge {
  fresh: number
  cached: number
  written: number
  thinking: number
  output: number
}

export interface CacheRules {
  /** The provider as `zdx --provider` names it. */
  provider: string
  /** The input that a request with this body is charged for. */
  charge(body: string): Pick<Charge, 'fresh' | 'cached' | 'written'>
  /** The usage fields of an answer. */
  usage(charge: Charge): Record<string, unknown>
}

type Fields = Record<string, unknown>

const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4)

/** A new cache of each provider. */
export function cacheRules(): CacheRules[] {
  return [anthropic(), openai('openai'), openai('openai-responses'), gemini()]
}

/** Marked blocks end a cached prefix; prefixes below 4,096 tokens are not cached; writing is charged. */
function anthropic(): CacheRules {
  const minTokens = 4096
  const known = new Set<string>()
  return {
    provider: 'anthropic',
    charge(body) {
      const { model, tools, system, messages } = JSON.parse(body) as Fields
      const lists = [tools, system, ...(messages as Fields[]).map(({ content }) => content)]
      const blocks = lists.flatMap((list) =>
        Array.isArray(list) ? (list as Fields[]) : [{ type: 'text', text: list }],
      )
      const hash = createHash('sha256').update(String(model))
      let [tokens, cached, end] = [0, 0, 0]
      for (const { cache_control: mark, ...block } of blocks as Fields[]) {
        const text = JSON.stringify(block)
        hash.update(text)
        tokens += tokensOf(text)
        if (tokens < minTokens) continue
        const prefix = hash.copy().digest('hex')
        if (known.has(prefix)) cached = tokens
        if (mark === undefined) continue
        known.add(prefix)
        end = tokens
      }
      const written = Math.max(0, end - cached)
      return { fresh: tokens - cached - written, cached, written }
    },
    usage: ({ fresh, cached, written, thinking, output }) => ({
      input_tokens: fresh,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      output_tokens: output,
      output_tokens_details: { thinking_tokens: thinking },
    }),
  }
}

/** Every prefix of 1,024 tokens and more is cached, in steps of 128 tokens; writing is free. */
function openai(provider: 'openai' | 'openai-responses'): CacheRules {
  const [minTokens, stepTokens] = [1024, 128]
  const known = new Set<string>()
  const isChat = provider === 'openai'
  return {
    provider,
    charge(body) {
      const { model, tools, instructions, messages, input } = JSON.parse(body) as Fields
      const parts = [model, tools, instructions, ...((messages ?? input) as unknown[])]
      const prompt = Buffer.from(parts.map((part) => JSON.stringify(part)).join(''))
      const tokens = Math.ceil(prompt.length / 4)
      const hash = createHash('sha256')
      let cached = 0
      for (let end = stepTokens; end <= tokens; end += stepTokens) {
        hash.update(prompt.subarray((end - stepTokens) * 4, end * 4))
        if (end < minTokens) continue
        const prefix = hash.copy().digest('hex')
        if (known.has(prefix)) cached = end
        known.add(prefix)
      }
      return { fresh: tokens - cached, cached, written: 0 }
    },
    usage: ({ fresh, cached, thinking, output }) => ({
      [isChat ? 'prompt_tokens' : 'input_tokens']: fresh + cached,
      [isChat ? 'prompt_tokens_details' : 'input_tokens_details']: { cached_tokens: cached },
      [isChat ? 'completion_tokens' : 'output_tokens']: output,
      [isChat ? 'completion_tokens_details' : 'output_tokens_details']: {
        reasoning_tokens: thinking,
      },
    }),
  }
}

/** Implicit caching of whole contents from 4,096 tokens; thoughts are counted apart from the answer. */
function gemini(): CacheRules {
  const minTokens = 4096
  const known = new Set<string>()
  return {
    provider: 'gemini',
    charge(body) {
      const { tools, systemInstruction, contents } = JSON.parse(body) as Fields
      const hash = createHash('sha256')
      let [tokens, cached] = [0, 0]
      for (const part of [tools, systemInstruction, ...(contents as unknown[])]) {
        const text = JSON.stringify(part ?? null)
        hash.update(text)
        tokens += tokensOf(text)
        if (tokens < minTokens) continue
        const prefix = hash.copy().digest('hex')
        if (known.has(prefix)) cached = tokens
        known.add(prefix)
      }
      return { fresh: tokens - cached, cached, written: 0 }
    },
    usage: ({ fresh, cached, thinking, output }) => ({
      promptTokenCount: fresh + cached,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - thinking,
      thoughtsTokenCount: thinking,
    }),
  }
}
