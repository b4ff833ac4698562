import { describe, expect, it } from 'vitest'
import type { Check, StrictBody } from '../../../../test/support/strict-models.ts'
import { strictChecks } from '../../../../test/support/strict-models.ts'
import { httpStatusError, refusalOf } from './errors.ts'

const both: StrictBody = { temperature: 0.5, top_p: 0.5, max_tokens: 5 }
const trailing: StrictBody = { max_tokens: 5, messages: [{ role: 'assistant', content: 'x' }] }
const headers = { 'anthropic-version': '2023-06-01' }

const cases: [string, Check, StrictBody, object][] = [
  [
    'Anthropic refuses both sampling parameters',
    strictChecks.anthropic,
    both,
    { kind: 'sampling_pair' },
  ],
  ['Anthropic refuses a prefill', strictChecks.anthropic, trailing, { kind: 'trailing_assistant' }],
  [
    'a gateway refuses both sampling parameters',
    strictChecks.routed(strictChecks.pair),
    both,
    { kind: 'sampling_pair' },
  ],
  [
    'a gateway refuses a prefill',
    strictChecks.routed(strictChecks.prefill),
    trailing,
    { kind: 'trailing_assistant' },
  ],
  ['Mistral refuses a prefill', strictChecks.mistral, trailing, { kind: 'trailing_assistant' }],
  [
    'gpt-5 refuses a temperature',
    strictChecks.gpt5,
    { temperature: 0.7 },
    { kind: 'parameter', name: 'temperature' },
  ],
  ['gpt-5 refuses top_p', strictChecks.gpt5, { top_p: 0.9 }, { kind: 'parameter', name: 'top_p' }],
  ['gpt-5 refuses max_tokens', strictChecks.gpt5, { max_tokens: 5 }, { kind: 'max_tokens_field' }],
]

describe('refusalOf', () => {
  it.each(cases)('recognises that %s', (_title, check, body, expected) => {
    const refusal = check(body, headers)
    const error = httpStatusError(refusal?.status ?? 0, JSON.stringify(refusal?.json))
    expect(refusalOf(error)).toEqual(expected)
  })

  it('says nothing about other errors', () => {
    for (const message of [
      'The requested model does not exist.',
      'temperature: range: 0..1',
      'max_tokens: Field required',
      'Your credit balance is too low',
    ]) {
      expect(
        refusalOf(httpStatusError(400, JSON.stringify({ error: { message } }))),
      ).toBeUndefined()
    }
    const unsupported = JSON.stringify({ error: { message: "'top_p' is not supported" } })
    expect(refusalOf(httpStatusError(500, unsupported))).toBeUndefined()
  })

  it('shows the words of the vendor in the error of a gateway', () => {
    const refusal = strictChecks.routed(strictChecks.prefill)(trailing, headers)
    const { message } = httpStatusError(400, JSON.stringify(refusal?.json))
    expect(message).toContain('must end with a user message')
  })
})

it('a refusal with status 422 is read from a list of details', () => {
  const body = { detail: [{ msg: ['temperature is not supported'] }] }
  const refusal = { kind: 'parameter', name: 'temperature' }
  expect(refusalOf(httpStatusError(422, JSON.stringify(body)))).toEqual(refusal)
  expect(refusalOf(httpStatusError(404, JSON.stringify(body)))).toBeUndefined()
})

it('JSON inside a text is read four levels deep', () => {
  const nested = (levels: number): string =>
    levels === 0
      ? String.raw`{"m":"t\u0065mperature is not supported"}`
      : JSON.stringify({ m: nested(levels - 1) })
  const refused = { kind: 'parameter', name: 'temperature' }
  expect(refusalOf(httpStatusError(400, nested(0)))).toEqual(refused)
  expect(refusalOf(httpStatusError(400, nested(3)))).toEqual(refused)
  expect(refusalOf(httpStatusError(400, nested(4)))).toBeUndefined()
})

it.each([
  ['temperature and top_p cannot both be specified', { kind: 'sampling_pair' }],
  ['specify temperature or top_p, not together', { kind: 'sampling_pair' }],
  ['use only one of top_p and temperature', { kind: 'sampling_pair' }],
  ['temperature and top_p at the same time', { kind: 'sampling_pair' }],
  ['temperature and top_p are mutually exclusive', { kind: 'sampling_pair' }],
  ['temperature: both bounds', undefined],
  ['top_p is deprecated', { kind: 'parameter', name: 'top_p' }],
  ['temperature is unsupported beside top_p', { kind: 'parameter', name: 'temperature' }],
  ['max_tokens is not supported, use max_completion_tokens', { kind: 'max_tokens_field' }],
  ['max_completion_tokens is too large', undefined],
  ['The last message must be from the user', { kind: 'trailing_assistant' }],
  ['must end with a user message', { kind: 'trailing_assistant' }],
  ['not JSON', undefined],
])('the words %j are read', (message, refusal) => {
  expect(refusalOf(httpStatusError(400, message))).toEqual(refusal)
  expect(refusalOf(httpStatusError(400, JSON.stringify({ error: { message } })))).toEqual(refusal)
})
