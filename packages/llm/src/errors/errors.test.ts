import { expect, it } from 'vitest'
import { apiError, hideSecret, httpStatusError, streamError } from './errors.ts'

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
