import { describe, expect, it } from 'vitest'
import { parseReceipt, receiptFields, usageFields } from './receipt.ts'
import type { Receipt } from './records.ts'

const full: Receipt = {
  provider: 'p',
  model: 'm',
  usage: {
    inputTokens: 1,
    outputTokens: 2,
    cachedInputTokens: 3,
    cacheWriteTokens: 4,
    thinkingTokens: 5,
  },
  isUsageEstimated: true,
  stop: 'tool_use',
  durationMs: 6,
  costUsd: 0.5,
  prefix: { from: 1, segments: [{ name: 'tools', hash: 'h', bytes: 7 }] },
}
const fields = {
  provider: 'p',
  model: 'm',
  usage: {
    input_tokens: 1,
    output_tokens: 2,
    cached_input_tokens: 3,
    cache_write_tokens: 4,
    thinking_tokens: 5,
  },
  usage_estimated: true,
  stop: 'tool_use',
  duration_ms: 6,
  cost_usd: 0.5,
  prefix: { from: 1, segments: [['tools', 'h', 7]] },
}

describe('a receipt', () => {
  it('is written and read with all fields', () => {
    expect(receiptFields(full)).toEqual(fields)
    expect(parseReceipt(fields)).toEqual(full)
  })

  it('is written and read with provider and model alone', () => {
    const least = { provider: 'p', model: 'm' }
    expect(JSON.parse(JSON.stringify(receiptFields(least)))).toEqual(least)
    expect(parseReceipt(least)).toEqual({ ...least, usage: undefined, prefix: undefined })
  })

  it.each([{ provider: 'p' }, { model: 'm' }, { provider: 1, model: 'm' }, {}])(
    'is absent from %j',
    (line) => {
      expect(parseReceipt(line)).toBeUndefined()
    },
  )

  it.each(['end', 'tool_use', 'max_tokens', 'refusal', 'other', 'interrupted', 'error'])(
    'has the stop reason %s',
    (stop) => {
      expect(parseReceipt({ ...fields, stop })?.stop).toBe(stop)
    },
  )

  it.each([
    ['stop', 'later', { stop: undefined }],
    ['usage_estimated', 'yes', { isUsageEstimated: undefined }],
    ['usage', null, { usage: undefined }],
    ['usage', 'x', { usage: undefined }],
    ['usage', {}, { usage: { inputTokens: 0, outputTokens: 0 } }],
    ['duration_ms', -1, { durationMs: undefined }],
    ['duration_ms', 0, { durationMs: 0 }],
    ['cost_usd', '1', { costUsd: undefined }],
    ['cost_usd', Infinity, { costUsd: undefined }],
    ['prefix', [], { prefix: undefined }],
    ['prefix', { from: 1 }, { prefix: undefined }],
    ['prefix', { segments: [] }, { prefix: { from: 0, segments: [] } }],
    [
      'prefix',
      { from: 2, segments: [['a', 'h'], ['b', 1, 2], [1, 'h', 2], 'x', ['c', 'h', 3]] },
      {
        prefix: {
          from: 2,
          segments: [
            { name: 'a', hash: 'h', bytes: 0 },
            { name: 'c', hash: 'h', bytes: 3 },
          ],
        },
      },
    ],
  ])('with %s %j counts it as absent where it is invalid', (name, value, parsed) => {
    expect(parseReceipt({ ...fields, [name]: value })).toEqual({ ...full, ...parsed })
  })
})

it('usageFields leaves out counts that the provider did not report', () => {
  expect(usageFields({ inputTokens: 1, outputTokens: 2 })).toEqual({
    input_tokens: 1,
    output_tokens: 2,
  })
})
