import { expect, it } from 'vitest'
import { connectionError } from './connection-error.ts'

function fault(code: string | undefined, message = 'broken', more: object = {}): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code }, more)
}

const messageOf = (error: Error) => connectionError(error, 'api.test', false).message

it.each([
  ['ECONNREFUSED', 'connection refused (ECONNREFUSED)', true],
  ['EPIPE', 'the server closed the connection (EPIPE)', true],
  ['ECONNRESET', 'the server closed the connection (ECONNRESET)', true],
  ['ETIMEDOUT', 'the server did not answer (ETIMEDOUT)', true],
  ['EHOSTUNREACH', 'no route to the host (EHOSTUNREACH)', true],
  ['ENETUNREACH', 'the network is unreachable (ENETUNREACH)', true],
  ['ENOTFOUND', 'no such host (ENOTFOUND)', false],
  ['EAI_AGAIN', 'the host name could not be resolved (EAI_AGAIN)', true],
  ['EACCES', 'broken (EACCES)', false],
  ['CERT_HAS_EXPIRED', 'broken (CERT_HAS_EXPIRED)', false],
])('%s is described by %s, transient: %s', (code, words, transient) => {
  const error = connectionError(fault(code), 'api.test', false)
  expect(error).toMatchObject({ kind: 'timeout', transient })
  expect(error.message).toBe(`Connection failed: api.test: ${words}`)
})

it('the first failure of several addresses is the cause', () => {
  const all = new AggregateError([fault('ECONNREFUSED'), fault('ENETUNREACH')])
  expect(messageOf(all)).toBe('Connection failed: api.test: connection refused (ECONNREFUSED)')
})

it('an error without a message is described by its cause, one with a message is not', () => {
  const cause = fault(undefined, 'inner')
  expect(messageOf(fault(undefined, '', { cause }))).toMatch(/: inner$/)
  expect(messageOf(fault(undefined, 'outer', { cause }))).toMatch(/: outer$/)
})

it('a code that the message contains is not repeated', () => {
  expect(messageOf(fault('EODD', 'read EODD'))).toMatch(/: read EODD$/)
})

it('a lost connection is retried at once if it had been idle', () => {
  expect(connectionError(fault('ECONNRESET'), 'h', true)).toMatchObject({ retryAfterMs: 0 })
  expect(connectionError(fault('EPIPE'), 'h', true)).toMatchObject({ retryAfterMs: 0 })
  const unused = connectionError(fault('ECONNRESET'), 'h', false)
  expect(unused.retryAfterMs).toBeUndefined()
  expect(connectionError(fault('ETIMEDOUT'), 'h', true).retryAfterMs).toBeUndefined()
})

it('a malformed response and an invalid header are not connection faults', () => {
  const malformed = connectionError(fault('HPE_INVALID_CONSTANT'), 'h', false)
  expect(malformed).toMatchObject({ kind: 'http_status' })
  expect(malformed.message).toBe('Network error: h: broken (HPE_INVALID_CONSTANT)')
  const header = connectionError(fault('ERR_INVALID_CHAR'), 'h', false)
  expect(header).toMatchObject({ kind: 'http_status', message: 'Request error: broken' })
})

it('a failure without a text and without a code is an unknown fault', () => {
  expect(messageOf(fault(undefined, ''))).toBe('Connection failed: api.test: unknown fault')
})
