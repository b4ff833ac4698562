// Turns a connection fault into a `ModelError` whose message names the root cause.
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
import { ModelError } from '../errors/errors.ts'

const descriptions: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'the server closed the connection'],
  ['EPIPE', 'the server closed the connection'],
  ['ETIMEDOUT', 'the server did not answer'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'the network is unreachable'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the host name could not be resolved'],
])

/** System errors that a retry does not fix. */
const permanentCodes = new Set(['ENOTFOUND', 'EACCES', 'EPERM'])

/** `reused`: the connection was idle before, so the server may have closed it in the meantime. */
export function connectionError(error: Error, where: string, reused: boolean): ModelError {
  if (error instanceof ModelError) return error
  const code = errorCode(error)
  if (code === 'ERR_INVALID_CHAR') {
    return new ModelError('http_status', `Request error: ${reasonOf(error)}`)
  }
  if (code?.startsWith('HPE_')) {
    return new ModelError(
      'http_status',
      `Network error: ${where}: ${describeConnectionError(error, code)}`,
    )
  }
  const message = `Connection failed: ${where}: ${describeConnectionError(error, code)}`
  const isLost = code === 'ECONNRESET' || code === 'EPIPE'
  return new ModelError('timeout', message, {
    transient: isTransient(code),
    retryAfterMs: isLost && reused ? 0 : undefined,
    cause: error,
  })
}

/** Why the connection failed, followed by the system's error code. */
export function describeConnectionError(
  error: Error,
  code: string | undefined = errorCode(error),
): string {
  const description = code === undefined ? undefined : descriptions.get(code)
  if (description !== undefined) return `${description} (${code})`
  const text = oneLine(rootCause(error).message) || 'unknown fault'
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}

/** Node reports the failures of all addresses of a host as one `AggregateError`. */
function rootCause(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) {
    return rootCause(error.errors[0])
  }
  return error.message === '' && error.cause instanceof Error ? rootCause(error.cause) : error
}

function errorCode(error: Error): string | undefined {
  const cause = rootCause(error)
  const nodeCode = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return errnoOf(error) ?? nodeCode
}

/** Only system errors are: a bad certificate or a malformed response stays what it is. */
function isTransient(code: string | undefined): boolean {
  return code !== undefined && /^(E[A-Z]+|EAI_AGAIN)$/.test(code) && !permanentCodes.has(code)
}
