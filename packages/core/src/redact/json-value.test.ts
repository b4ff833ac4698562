import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()
const mark = '[REDACTED:ENV_SECRET]'
const token = `ghp_${'aB3'.repeat(12)}`
const valueOf = (json: unknown): unknown => redactor.value(json).value

describe('JSON values', () => {
  test('every string at any depth is redacted, and keys too', () => {
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

  test('a string under a secret name is replaced whole', () => {
    expect(
      valueOf({ password: 'correct horse', apiKey: 'hunter2', 'X-Api-Key': 'a b c d e f' }),
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

  test('short strings, numbers, counts and references under such names stay', () => {
    const data = {
      token: 'abc',
      password: 12345678,
      max_tokens: '1000000',
      input_tokens: 99,
      secret: '${SECRET}',
      token_type: 'Bearer',
      tokens: ['one', 'two'],
      credentials: { user: 'somebody' },
    }
    expect(redactor.value(data)).toEqual({ value: data, applied: [] })
  })

  test('the argument after a secret flag is replaced', () => {
    const argv = ['curl', '--token', 'plainvalue', '--api-key', '--verbose', '-p', 'x y']
    expect(valueOf({ argv })).toEqual({
      argv: ['curl', '--token', mark, '--api-key', '--verbose', '-p', 'x y'],
    })
    const files = ['--token-file', '/run/token-file', '--max-tokens', '1000000']
    expect(redactor.value(files).applied).toEqual([])
  })

  test('name and value as two members', () => {
    expect(valueOf({ env: [{ name: 'API_KEY', value: 'plainvalue' }] })).toEqual({
      env: [{ name: 'API_KEY', value: mark }],
    })
    expect(redactor.value({ name: 'COLOR', value: 'plainvalue' }).applied).toEqual([])
  })

  test('two keys that become the same mark stay two', () => {
    const other = `ghp_${'cD4'.repeat(12)}`
    expect(valueOf({ [token]: 1, [other]: 2 })).toEqual({
      '[REDACTED:GITHUB_TOKEN]': 1,
      '[REDACTED:GITHUB_TOKEN]#2': 2,
    })
  })

  test('the input is not changed and the order of keys is kept', () => {
    const input = { z: token, a: { password: 'hunter2hunter2' } }
    const copy = structuredClone(input)
    expect(Object.keys(valueOf(input) as object)).toEqual(['z', 'a'])
    expect(input).toEqual(copy)
  })

  test('redacting twice changes nothing', () => {
    const once = valueOf({
      password: 'correct horse',
      note: `token=${token}`,
      argv: ['--token', 'abcdefg'],
    })
    expect(redactor.value(once)).toEqual({ value: once, applied: [] })
  })

  test('a key named __proto__ is data', () => {
    const value = valueOf(JSON.parse('{"__proto__":{"password":"hunter22"}}'))
    expect(JSON.stringify(value)).toBe(`{"__proto__":{"password":"${mark}"}}`)
  })

  test('100,000 levels and cycles are no problem', () => {
    const deep: unknown = JSON.parse(
      '['.repeat(100_000) + JSON.stringify(token) + ']'.repeat(100_000),
    )
    expect(redactor.value(deep).applied).toEqual(['github_token'])
    const cycle: { self?: unknown; note: string } = { note: token }
    cycle.self = cycle
    const copy = valueOf(cycle) as typeof cycle
    expect(copy.self).toBe(copy)
    expect(copy.note).toBe('[REDACTED:GITHUB_TOKEN]')
  })

  test('scalars', () => {
    expect(valueOf(token)).toBe('[REDACTED:GITHUB_TOKEN]')
    expect(valueOf(null)).toBe(null)
    expect(valueOf(undefined)).toBe(undefined)
  })
})
