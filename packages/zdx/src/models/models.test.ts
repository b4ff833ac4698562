import { providers } from '@zee/llm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { namedModel } from './models.ts'

const named = (model: string, provider?: string, flag?: string) =>
  namedModel(
    providers,
    { model, ...(provider === undefined ? {} : { provider }) },
    { provider: flag },
  )

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
  '%j asks %j for %j',
  (given, provider, model) => {
    expect(named(...given)).toEqual({ provider, model })
  },
)

it('never loses a character of a name without a known prefix', () => {
  fc.assert(
    fc.property(fc.string(), (model) => {
      fc.pre(!providers.some(({ name }) => model.startsWith(`${name}:`)))
      expect(named(model).model).toBe(model)
    }),
  )
})
