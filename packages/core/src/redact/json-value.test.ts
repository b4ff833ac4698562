import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()
const mark = '[REDACTED:ENV_SECRET]'
const token = `ghp_${'aB3'.repeat(12)}`
const redactedValue = (json: unknown): unknown => redactor.value(json).value

describe('redaction of a JSON value', () => {
  test('covers strings and keys at any depth', () => {
    const { value, applied } = redactor.value({
      a: [{ b: `x ${token}` }],
      [token]: 1,
      n: 5,
      t: null,
    })
    expect(value).toEqual({
      a: [{ b: 'x [REDACTED:GITHUB_TOKEN]' }],
      '[REDACTED:GITHUB_TOKEN]': 1,
      n: 5,
      t: null,
    })
    expect(applied).toEqual(['github_token'])
  })

  test('replaces a string under a secret name completely', () => {
    expect(
      redactedValue({ password: 'correct horse', apiKey: 'hunter2', 'X-Api-Key': 'a b c d e f' }),
    ).toEqual({
      password: mark,
      apiKey: mark,
      'X-Api-Key': mark,
    })
    expect(redactor.value({ token })).toEqual({
      value: { token: '[REDACTED:GITHUB_TOKEN]' },
      applied: ['github_token'],
    })
  })

  test('keeps short strings, numbers, counts and references under such names', () => {
    const data = {
      token: 'abc',
      password: 12345678,
      max_tokens: '1000000',
      input_tokens: 99,
      secret: '${SECRET}',
      token_type: 'Bearer',
      tokens: ['one', 'two'],
      credentials: { user: 'alice' },
    }
    expect(redactor.value(data)).toEqual({ value: data, applied: [] })
  })

  test('replaces the argument after a secret flag', () => {
    const argv = ['curl', '--token', 'plainvalue', '--api-key', '--verbose', '-p', 'x y']
    expect(redactedValue({ argv })).toEqual({
      argv: ['curl', '--token', mark, '--api-key', '--verbose', '-p', 'x y'],
    })
    const files = ['--token-file', '/run/token-file', '--max-tokens', '1000000']
    expect(redactor.value(files).applied).toEqual([])
  })

  test('covers a name and its value as two members', () => {
    expect(redactedValue({ env: [{ name: 'API_KEY', value: 'plainvalue' }] })).toEqual({
      env: [{ name: 'API_KEY', value: mark }],
    })
    expect(redactor.value({ name: 'COLOR', value: 'plainvalue' }).applied).toEqual([])
  })

  test('keeps two keys apart that become the same mark', () => {
    const other = `ghp_${'cD4'.repeat(12)}`
    expect(redactedValue({ [token]: 1, [other]: 2 })).toEqual({
      '[REDACTED:GITHUB_TOKEN]': 1,
      '[REDACTED:GITHUB_TOKEN]#2': 2,
    })
  })

  test('does not change its input and keeps the order of keys', () => {
    const input = { z: token, a: { password: 'hunter2hunter2' } }
    const copy = structuredClone(input)
    expect(Object.keys(redactedValue(input) as object)).toEqual(['z', 'a'])
    expect(input).toEqual(copy)
  })

  test('is idempotent', () => {
    const once = redactedValue({
      password: 'correct horse',
      note: `token=${token}`,
      argv: ['--token', 'abcdefg'],
    })
    expect(redactor.value(once)).toEqual({ value: once, applied: [] })
  })

  test('treats a key named __proto__ as data', () => {
    const value = redactedValue(JSON.parse('{"__proto__":{"password":"hunter22"}}'))
    expect(JSON.stringify(value)).toBe(`{"__proto__":{"password":"${mark}"}}`)
  })

  test('handles 100,000 levels and cycles', () => {
    const deep: unknown = JSON.parse(
      '['.repeat(100_000) + JSON.stringify(token) + ']'.repeat(100_000),
    )
    expect(redactor.value(deep).applied).toEqual(['github_token'])
    const cycle: { self?: unknown; note: string } = { note: token }
    cycle.self = cycle
    const copy = redactedValue(cycle) as typeof cycle
    expect(copy.self).toBe(copy)
    expect(copy.note).toBe('[REDACTED:GITHUB_TOKEN]')
  })

  test('handles scalars', () => {
    expect(redactedValue(token)).toBe('[REDACTED:GITHUB_TOKEN]')
    expect(redactedValue(null)).toBe(null)
    expect(redactedValue(undefined)).toBe(undefined)
  })
})
