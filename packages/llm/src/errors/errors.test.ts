import { expect, it } from 'vitest'
import {
  apiError,
  hideSecret,
  httpStatusError,
  ModelError,
  parseError,
  streamError,
  tooLargeError,
} from './errors.ts'

it.each([
  [{ type: 'overloaded_error', message: 'busy' }, 'overloaded_error: busy'],
  [{ message: 'busy\nnow' }, 'busy now'],
  [{ type: 'overloaded_error' }, 'overloaded_error'],
  [{}, 'the model reported an error without a message'],
  ['words', 'words'],
  ['', 'the model reported an error without a message'],
])('the error object %j reads %j', (error, message) => {
  expect(apiError(error)).toMatchObject({ code: 'api_error', message })
})

it.each([
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [529, true],
  [400, false],
  [401, false],
  [404, false],
  [499, false],
])('the status %i is transient: %s', (status, transient) => {
  expect(httpStatusError(status, '', undefined)).toMatchObject({
    code: 'http_status',
    message: `HTTP ${status}`,
    status,
    transient,
    details: undefined,
  })
})

it('the status error keeps the body and the wait', () => {
  const body = '{"error":{"message":"slow down"}}'
  expect(httpStatusError(429, body, 2000)).toMatchObject({
    message: 'HTTP 429: slow down',
    details: body,
    retryAfterMs: 2000,
  })
  expect(streamError('cut')).toMatchObject({
    code: 'internal',
    message: 'Stream error: cut',
    transient: true,
  })
})

it.each([
  ['{"error":{"message":"of the error"},"message":"outer"}', 'of the error'],
  ['{"error":"a text"}', 'a text'],
  ['{"message":"outer","detail":"last"}', 'outer'],
  ['{"detail":"last"}', 'last'],
  [
    '{"detail":[{"loc":["body","messages",0,"role"],"msg":"bad role"},{"loc":["body"],"msg":"odd"}]}',
    'messages.0.role: bad role; odd',
  ],
  [
    '{"detail":[{"loc":["query","body"],"msg":"bad"},{"loc":["body","body"],"msg":"odd"}]}',
    'query.body: bad; body: odd',
  ],
  ['{"error":{"message":"failed","metadata":{"raw":"busy"}}}', 'failed: busy'],
  [
    '{"error":{"message":"failed","metadata":{"raw":"{\\"message\\":\\"busy\\"}"}}}',
    'failed: busy',
  ],
  ['[{"error":{"message":"in a list"}},{"message":"second"}]', 'in a list'],
])('the message of the body %s is %j', (body, message) => {
  expect(httpStatusError(400, body, undefined).message).toBe(`HTTP 400: ${message}`)
})

it.each(['not JSON', '[]', '{}', '5'])('the body %j has no message', (body) => {
  expect(httpStatusError(400, body, undefined).message).toBe('HTTP 400')
})

it.each([
  ['abcdefgh', 'xabcdefghx', 'x[redacted]x'],
  ['abcdefg', 'xabcdefgx', 'xabcdefgx'],
  ['abcdefg', 'x abcdefg x', 'x [redacted] x'],
])('the secret %s leaves %s as %s', (secret, text, expected) => {
  expect(hideSecret(streamError(text), secret).message).toContain(expected)
})

it.each([undefined, ''])('the secret %j changes nothing', (secret) => {
  const error = streamError('the key is empty')
  expect(hideSecret(error, secret)).toBe(error)
})

it('a short secret with special characters is hidden as a word, in details, too', () => {
  const error = httpStatusError(503, 'wrong key a.c$ (not abc$, xa.c$)', 7)
  const hidden = hideSecret(error, 'a.c$')
  expect(hidden).toMatchObject({
    kind: 'http_status',
    code: 'http_status',
    message: 'HTTP 503',
    details: 'wrong key [redacted] (not abc$, xa.c$)',
    status: 503,
    retryAfterMs: 7,
    transient: true,
    mayBeCharged: false,
  })
  expect(hideSecret(streamError('no details'), 'details').details).toBeUndefined()
})

it('an error has its kind as code and is neither transient nor charged, unless it says so', () => {
  const { code, transient, mayBeCharged, cause } = new ModelError('parse', 'odd')
  expect([code, transient, mayBeCharged, cause]).toEqual(['parse', false, false, undefined])
  const told = { code: 'c', transient: true, mayBeCharged: true, cause: 'why' }
  expect(new ModelError('parse', 'odd', told)).toMatchObject(told)
})

it('a parse error keeps 4,096 characters of the raw text', () => {
  expect(parseError('odd', 'x'.repeat(4097))).toMatchObject({
    kind: 'parse',
    message: 'odd',
    details: 'x'.repeat(4096),
    transient: false,
  })
  expect(tooLargeError(5)).toMatchObject({
    kind: 'parse',
    message: 'The answer is larger than 5 bytes',
  })
})

it.each([
  [{ type: '', status: 'BUSY', code: 5, message: 'm' }, 'BUSY: m'],
  [{ code: 5, message: 'm' }, '5: m'],
  [{ code: 0 }, '0'],
  [{ type: 'a\nb', message: '' }, 'a b'],
  [{ type: {}, message: 'm' }, 'm'],
])('the error object %j is labelled: %j', (error, message) => {
  expect(apiError(error).message).toBe(message)
})
