// The provider table: one row per provider. A compatible endpoint is one more row.
import type { Quirks, WireName } from '../wires/wires.ts'
export { resolveBaseUrl, findApiKey, requireApiKey } from './endpoint.ts'

export interface ProviderRow {
  name: string
  /** The vendor's name for display. */
  title: string
  wire: WireName | 'script'
  /** Includes the version segment if the vendor's paths start with one. */
  baseUrl: string
  /** Environment variable that overrides the base URL. */
  baseUrlVariable?: string
  /** Environment variable with the key. */
  keyVariable?: string
  /** Requests work without a key; a key that is set is sent. */
  keyOptional?: boolean
  /** Runs on the user's machine: discovered on loopback, free of charge. */
  local?: boolean
  /** Used if no model is named; for a local server, the first of its list is used instead. */
  defaultModel?: string
  quirks?: Quirks
}

const localQuirks: Quirks = { streamUsage: true }

export const providers: readonly ProviderRow[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    wire: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    defaultModel: 'claude-haiku-4-5',
    quirks: { oneSamplingParameter: true, endsWithUser: true },
  },
  {
    name: 'openai',
    title: 'OpenAI',
    wire: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-5-mini',
    quirks: {
      maxTokensField: 'max_completion_tokens',
      streamUsage: true,
      reasoning: 'effort',
    },
  },
  {
    name: 'openai-responses',
    title: 'OpenAI',
    wire: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-5-mini',
    quirks: { endsWithUser: true },
  },
  {
    name: 'gemini',
    title: 'Gemini',
    wire: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    baseUrlVariable: 'GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    defaultModel: 'gemini-3.8-flash',
    quirks: { endsWithUser: true },
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    wire: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    baseUrlVariable: 'OPENROUTER_BASE_URL',
    keyVariable: 'OPENROUTER_API_KEY',
    defaultModel: 'anthropic/claude-haiku-4.5',
    quirks: { streamUsage: true, reasoning: 'object' },
  },
  {
    name: 'ollama',
    title: 'Ollama',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    baseUrlVariable: 'OLLAMA_BASE_URL',
    keyVariable: 'OLLAMA_API_KEY',
    keyOptional: true,
    local: true,
    quirks: { ...localQuirks, reasoning: 'effort' },
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    baseUrlVariable: 'LMSTUDIO_BASE_URL',
    keyVariable: 'LMSTUDIO_API_KEY',
    keyOptional: true,
    local: true,
    quirks: localQuirks,
  },
  {
    name: 'llamacpp',
    title: 'llama.cpp',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    baseUrlVariable: 'LLAMACPP_BASE_URL',
    keyVariable: 'LLAMACPP_API_KEY',
    keyOptional: true,
    local: true,
    quirks: localQuirks,
  },
  { name: 'script', title: 'script', wire: 'script', baseUrl: '', local: true },
]

export function findProvider(name: string): ProviderRow | undefined {
  return providers.find((row) => row.name === name)
}
