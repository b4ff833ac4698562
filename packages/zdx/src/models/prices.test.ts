import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { costOf } from './prices.ts'

const million = { inputTokens: 1e6, outputTokens: 1e6 }
let base: string
beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zee-prices-'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('costOf', () => {
  it('uses the prices of the model table', () => {
    expect(costOf(base, 'anthropic', 'claude-haiku-4-5', million)).toBe(6)
    expect(costOf(base, 'openai-responses', 'gpt-5-mini', million)).toBe(2.25)
    expect(costOf(base, 'ollama', 'gpt-5', million)).toBeUndefined()
  })

  it('prefers the prices.json of the user and ignores a broken one', () => {
    const file = path.join(base, 'prices.json')
    writeFileSync(file, '{"openai": {"gpt-5-mini": {"input": 1, "output": 0}}}')
    expect(costOf(base, 'openai-responses', 'gpt-5-mini-2025-08-07', million)).toBe(1)
    writeFileSync(file, '{"anthropic": 5}')
    expect(costOf(base, 'anthropic', 'claude-haiku-4-5', million)).toBe(6)
  })
})
