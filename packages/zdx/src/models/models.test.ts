import { providers } from '@zee/llm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resolveModelName } from './models.ts'

const named = (model: string, provider?: string, flag?: string) =>
  resolveModelName(providers, { model, provider }, { provider: flag })

it.each([
  [['claude-x'], undefined, 'claude-x'],
  [['openai:gpt-x'], 'openai', 'gpt-x'],
  [['ollama:qwen2.5:7b'], 'ollama', 'qwen2.5:7b'],
  [['qwen2.5:7b'], undefined, 'qwen2.5:7b'],
  [['x:free', 'openrouter'], 'openrouter', 'x:free'],
  [['openai:gpt-x', 'anthropic'], 'openai', 'gpt-x'],
  [['openai:gpt-x', 'ollama', 'ollama'], 'ollama', 'openai:gpt-x'],
  [['ollama:m', 'ollama', 'ollama'], 'ollama', 'm'],
  [[':x'], undefined, ':x'],
] as [[string, string?, string?], string | undefined, string][])(
  'resolves %j to provider %j and model %j',
  (names, provider, model) => {
    expect(named(...names)).toEqual({ provider, model })
  },
)

it('keeps a model name without a known provider prefix unchanged', () => {
  fc.assert(
    fc.property(fc.string(), (model) => {
      fc.pre(!providers.some(({ name }) => model.startsWith(`${name}:`)))
      expect(named(model).model).toBe(model)
    }),
  )
})
