// Every way in which asking a model fails, in the words that users see.
import { oneLine, ZeeError } from '@zee/core/errors'
import { asRecord, asString, type JsonObject } from '../json/json.ts'

export type ModelErrorKind = 'http_status' | 'timeout' | 'parse' | 'api_error' | 'internal'

interface ModelErrorOptions {
  /** Raw material for people, such as the body of an error answer; may have several lines. */
  details?: string
  status?: number
  /** How long the server (or a connection known to be stale) asks to wait. */
  retryAfterMs?: number
  /** Whether asking again may help. */
  transient?: boolean
  /** Stable word for machines; the kind unless said otherwise. */
  code?: string
  cause?: unknown
}

export class ModelError extends ZeeError {
  readonly kind: ModelErrorKind
  readonly details: string | undefined
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly transient: boolean

  constructor(kind: ModelErrorKind, message: string, options: ModelErrorOptions = {}) {
    super(options.code ?? kind, message, { cause: options.cause })
    this.kind = kind
    this.details = options.details
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.transient = options.transient ?? false
  }
}

/** The server answered with a status that is not a success. */
export function httpStatusError(status: number, body: string, retryAfterMs?: number): ModelError {
  const message = findErrorMessage(body)
  return new ModelError('http_status', message ? `HTTP ${status}: ${message}` : `HTTP ${status}`, {
    ...(body.trim() === '' ? {} : { details: body }),
    status,
    transient: isTransientStatus(status),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** An error object inside an answer that began well: `<type>: <message>`. */
export function apiError(error: unknown): ModelError {
  const object = asRecord(error)
  const message = oneLine(object === undefined ? String(error) : (asString(object.message) ?? ''))
  const label = object === undefined ? '' : errorLabel(object)
  const text = [label, message].filter((part) => part !== '').join(': ')
  return new ModelError('api_error', text || 'the model reported an error without saying which')
}

/** A fault of the connection once the answer had begun. */
export function streamError(why: string): ModelError {
  return new ModelError('internal', `Stream error: ${why}`, { transient: true })
}

export function parseError(what: string, raw: string): ModelError {
  return new ModelError('parse', what, { details: raw.slice(0, maxRawLength) })
}

export function tooLargeError(maxBytes: number): ModelError {
  return new ModelError('parse', `The answer is larger than ${maxBytes} bytes`)
}

/** The same error without a secret that the server may have echoed. */
export function hideSecret(error: ModelError, secret: string | undefined): ModelError {
  if (secret === undefined || secret === '') return error
  const clean = (text: string): string => text.replaceAll(secretPattern(secret), '[redacted]')
  const { details, status, retryAfterMs, transient, code } = error
  return new ModelError(error.kind, clean(error.message), {
    ...(details === undefined ? {} : { details: clean(details) }),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    transient,
    code,
  })
}

const maxRawLength = 4096
const minSubstringLength = 8

/** A very short "key" (as local servers accept) counts only as a word, not within others. */
function secretPattern(secret: string): string | RegExp {
  if (secret.length >= minSubstringLength) return secret
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'gu')
}

function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

function findErrorMessage(body: string): string {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return ''
  }
  const answer = asRecord(Array.isArray(value) ? value[0] : value)
  // Servers that imitate the API have other names for it.
  const words = [answer?.error, asRecord(answer?.error)?.message, answer?.message, answer?.detail]
  return oneLine(words.map(asString).find((text) => text !== undefined) ?? '')
}

function errorLabel(error: JsonObject): string {
  const label = [error.type, error.status, error.code].find(
    (word) => (typeof word === 'string' && word !== '') || typeof word === 'number',
  )
  return label === undefined ? '' : oneLine(String(label))
}
