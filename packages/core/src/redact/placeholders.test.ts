import { expect, it } from 'vitest'
import { createPlaceholders } from './placeholders.ts'

const body = 'aB3d'.repeat(12)

it.each([
  [`sk-ant-api03-${body}`, 'anthropic-key'],
  [`sk-or-v1-${body}`, 'openrouter-key'],
  [`sk-proj-${body}`, 'openai-key'],
])('the placeholder of %s names the vendor of the key', (key, name) => {
  const placeholders = createPlaceholders()
  const hidden = placeholders.hide(`key ${key} end`)
  expect(hidden).toBe(`key ⟦secret:${name}:1⟧ end`)
  expect(placeholders.reveal(hidden)).toEqual({ value: `key ${key} end` })
})
