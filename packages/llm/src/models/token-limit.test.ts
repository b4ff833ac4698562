import { describe, expect, it } from 'vitest'
import { httpStatusError } from '../errors/errors.ts'
import { findNamedLimit, sentLimit } from './token-limit.ts'

function named(message: string, sent: number, status = 400): number | undefined {
  const error = httpStatusError(status, JSON.stringify({ error: { message } }))
  return findNamedLimit(error, sent)?.limit
}

describe('findNamedLimit', () => {
  it.each([
    [
      'max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022',
      16_384,
      8192,
    ],
    [
      'max_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.',
      20_000,
      16_384,
    ],
    [
      'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
      100_000,
      8192,
    ],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 64_000, 8192],
    [
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`',
      64_000,
      8192,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 32768 tokens and your request has 20 input tokens (100000 > 32768 - 20).",
      100_000,
      32_748,
    ],
    [
      'input length and `max_tokens` exceed context limit: 150000 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      64_000,
      50_000,
    ],
  ])('finds the limit in: %s', (message, sent, limit) => {
    expect(named(message, sent)).toBe(limit)
  })

  it('finds the limit that a balance allows', () => {
    const message =
      'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 1234.'
    expect(named(message, 64_000, 402)).toBe(1234)
    const error = httpStatusError(402, JSON.stringify({ error: { message } }))
    expect(findNamedLimit(error, 64_000)).toMatchObject({ isForThisRequest: true })
  })

  it('finds none in other errors and in limits that are not smaller', () => {
    expect(named('messages: at least 1 message is required', 16_384)).toBeUndefined()
    expect(named('max_tokens: must be at least 16384', 16_384)).toBeUndefined()
    expect(named('max_tokens: 16384 > 8192', 16_384, 500)).toBeUndefined()
    expect(named('prompt is too long: 210000 tokens > 200000 maximum', 64_000)).toBeUndefined()
  })
})

describe('sentLimit', () => {
  it('reads the field of every wire format', () => {
    expect(sentLimit({ max_tokens: 1 })).toBe(1)
    expect(sentLimit({ max_completion_tokens: 2 })).toBe(2)
    expect(sentLimit({ max_output_tokens: 3 })).toBe(3)
    expect(sentLimit({ generationConfig: { maxOutputTokens: 4 } })).toBe(4)
    expect(sentLimit({})).toBeUndefined()
  })
})

it.each([
  ['input length and `max_tokens` exceed context limit: 100 + 50 > 150', 50, undefined],
  ['input length and `max_tokens` exceed context limit: 100 + 51 > 150', 51, 50],
  ['input length and `max_tokens` exceed context limit: 150 + 9 > 150', 9, undefined],
  ['input length and `max_tokens` exceed context limit: 149 + 9 > 150', 9, 1],
  ['max_tokens: 51 > 150 - 100 (context length)', 51, 50],
])('the limit of %j for %i tokens is %j', (message, sent, limit) => {
  expect(named(message, sent)).toBe(limit)
})
