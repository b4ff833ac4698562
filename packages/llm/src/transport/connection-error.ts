// What went wrong with a connection, unwrapped to its cause and said in words.
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
import { ModelError } from '../errors/errors.ts'

const descriptions: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nobody is listening there'],
  ['ECONNRESET', 'the server closed the connection'],
  ['EPIPE', 'the server closed the connection'],
  ['ETIMEDOUT', 'the server did not answer'],
  ['EHOSTUNREACH', 'no way to that host'],
  ['ENETUNREACH', 'no network'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the name could not be looked up'],
])

/** Faults that asking again will not mend. */
const permanentCodes = new Set(['ENOTFOUND', 'EACCES', 'EPERM'])

/** `reused`: the connection had been idle, so the server may have closed it long before. */
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
  const lost = code === 'ECONNRESET' || code === 'EPIPE'
  return new ModelError('timeout', message, {
    transient: isTransient(code),
    ...(lost && reused ? { retryAfterMs: 0 } : {}),
    cause: error,
  })
}

/** Why a connection broke, with the system's name for it. */
export function describeConnectionError(
  error: Error,
  code: string | undefined = errorCode(error),
): string {
  const words = code === undefined ? undefined : descriptions.get(code)
  if (words !== undefined) return `${words} (${code})`
  const text = oneLine(rootCause(error).message) || 'unknown fault'
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}

/** Node tries several addresses of a host and then reports all of their failures as one. */
function rootCause(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) {
    return rootCause(error.errors[0])
  }
  return error.message === '' && error.cause instanceof Error ? rootCause(error.cause) : error
}

function errorCode(error: Error): string | undefined {
  const cause = rootCause(error)
  const own = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return errnoOf(error) ?? own
}

/** What is not the system's own (certificates, malformed answers) will not change by itself. */
function isTransient(code: string | undefined): boolean {
  return code !== undefined && /^(E[A-Z]+|EAI_AGAIN)$/.test(code) && !permanentCodes.has(code)
}
