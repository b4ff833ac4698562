import { describe, expect, it } from 'vitest'
import type { Check, StrictBody } from '../../../../test/support/strict-models.ts'
import { strictChecks } from '../../../../test/support/strict-models.ts'
import { apiError, httpStatusError, refusalOf, streamError } from './errors.ts'

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
    { kind: 'parameters', names: ['temperature'] },
  ],
  [
    'gpt-5 refuses top_p',
    strictChecks.gpt5,
    { top_p: 0.9 },
    { kind: 'parameters', names: ['top_p'] },
  ],
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
  const refusal = { kind: 'parameters', names: ['temperature'] }
  expect(refusalOf(httpStatusError(422, JSON.stringify(body)))).toEqual(refusal)
  expect(refusalOf(httpStatusError(404, JSON.stringify(body)))).toBeUndefined()
})

it('a refusal inside an answer with status 200 is read', () => {
  const error = { message: "'temperature' is not supported with this model", code: 400 }
  expect(refusalOf(apiError(error))).toEqual({ kind: 'parameters', names: ['temperature'] })
  expect(refusalOf(streamError(error.message))).toBeUndefined()
})

it('JSON inside a text is read four levels deep', () => {
  const nested = (levels: number): string =>
    levels === 0
      ? String.raw`{"m":"t\u0065mperature is not supported"}`
      : JSON.stringify({ m: nested(levels - 1) })
  const refused = { kind: 'parameters', names: ['temperature'] }
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
  ['top_p is deprecated', { kind: 'parameters', names: ['top_p'] }],
  ['temperature is unsupported beside top_p', { kind: 'parameters', names: ['temperature'] }],
  ['max_tokens is not supported, use max_completion_tokens', { kind: 'max_tokens_field' }],
  ['max_completion_tokens is too large', undefined],
  ["Unsupported parameter: 'max_tokens'", { kind: 'max_tokens_field' }],
  ['Unrecognized request argument supplied: max_tokens', { kind: 'max_tokens_field' }],
  ['max_tokens: 9 > 4, which is the maximum allowed number of output tokens', undefined],
  ['The last message must be from the user', { kind: 'trailing_assistant' }],
  ['must end with a user message', { kind: 'trailing_assistant' }],
  ['Please ensure that multiturn requests end with a user role.', { kind: 'trailing_assistant' }],
  [
    'messages: final assistant content cannot end with trailing whitespace',
    { kind: 'trailing_assistant' },
  ],
  ['Pre-filling the response is not supported', { kind: 'trailing_assistant' }],
  ['the final message must have the role user', { kind: 'trailing_assistant' }],
  [
    'Cannot have 2 or more assistant messages at the end of the list.',
    { kind: 'trailing_assistant' },
  ],
  [
    'Conversation roles must alternate user/assistant/user/assistant/...',
    { kind: 'adjacent_roles' },
  ],
  [
    'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
    { kind: 'adjacent_roles' },
  ],
  ['consecutive messages with the same role are not allowed', { kind: 'adjacent_roles' }],
  ['an alternate endpoint serves this model', undefined],
  ['not JSON', undefined],
])('the words %j are read', (message, refusal) => {
  expect(refusalOf(httpStatusError(400, message))).toEqual(refusal)
  expect(refusalOf(httpStatusError(400, JSON.stringify({ error: { message } })))).toEqual(refusal)
})

const bothNames = { kind: 'parameters', names: ['temperature', 'top_p'] }
const temperature = { kind: 'parameters', names: ['temperature'] }
const topP = { kind: 'parameters', names: ['top_p'] }
const pair = { kind: 'sampling_pair' }

it.each([
  ["Unsupported parameters: 'temperature', 'top_p' are not supported with this model.", bothNames],
  ['This model does not support temperature or top_p.', bothNames],
  ['Both temperature and top_p are not supported by this model.', bothNames],
  ['temperature and top_p are both deprecated', bothNames],
  ['Neither `temperature` nor `top_p` may be set', bothNames],
  ['temperature, top_p and n are fixed at 1, while presence_penalty is fixed at 0', bothNames],
  ["Unsupported parameter: 'top_p'. Use 'temperature' instead.", topP],
  ["'top_p' is not supported when 'temperature' is set", topP],
  ["When top_p is set, 'temperature' is not supported", temperature],
  ['temperature is not supported. top_p may be between 0 and 1.', temperature],
  ['top_p is deprecated in favor of temperature', topP],
  ['temperature and top_p are both set, but only one is supported', pair],
  ['Setting both temperature and top_p is not allowed', pair],
  ['The combination of temperature and top_p is not supported', pair],
  ['temperature with top_p is not supported', pair],
  ['You can only use one of temperature or top_p', pair],
  ['invalid temperature: only 1 is allowed for this model', temperature],
  ['`temperature` may only be set to 1 when thinking is enabled', temperature],
  ['top_p must be at least 0.95 or unset when thinking is enabled', topP],
  [
    "[{'type': 'extra_forbidden', 'loc': ('body', 'top_p'), 'msg': 'Extra inputs are not permitted'}]",
    topP,
  ],
  ['top_penalty and temperatures are not supported', undefined],
])('a message with several names is read: %j', (message, refusal) => {
  expect(refusalOf(httpStatusError(400, JSON.stringify({ error: { message } })))).toEqual(refusal)
})

describe('the error list of FastAPI', () => {
  const extra = 'Extra inputs are not permitted'
  const refusalOfList = (...detail: object[]) =>
    refusalOf(httpStatusError(422, JSON.stringify({ detail })))

  it('refuses every parameter that its entries locate', () => {
    const entry = (name: string) => ({ type: 'extra_forbidden', loc: ['body', name], msg: extra })
    expect(refusalOfList(entry('temperature'))).toEqual(temperature)
    expect(refusalOfList(entry('seed'), entry('top_p'))).toEqual(topP)
    expect(refusalOfList(entry('top_p'), entry('temperature'))).toEqual(bothNames)
    expect(refusalOfList({ loc: ['body', 'temperature'], msg: 'Input should be 1' })).toEqual(
      temperature,
    )
    expect(refusalOfList(entry('max_tokens'))).toEqual({ kind: 'max_tokens_field' })
    expect(refusalOfList(entry('seed'))).toBeUndefined()
  })

  it.each([
    ['less_than_equal', 'Input should be less than or equal to 2'],
    ['float_parsing', 'Input should be a valid number, unable to parse string as a number'],
    ['missing', 'Field required'],
    ['value_error.number.not_le', 'ensure this value is at most 1'],
  ])('refuses no parameter whose value is wrong: %s', (type, msg) => {
    expect(refusalOfList({ type, loc: ['body', 'temperature'], msg })).toBeUndefined()
  })

  it('is not searched in the request that an entry repeats', () => {
    const input = { messages: [{ role: 'user', content: 'temperature is not supported' }] }
    expect(
      refusalOfList({ type: 'missing', loc: ['body', 'model'], msg: 'Field required', input }),
    ).toBeUndefined()
  })
})
