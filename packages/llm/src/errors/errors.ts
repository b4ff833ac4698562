// Every way in which a model request fails, with the messages that users see.
import { oneLine, ZeeError } from '@zee/core/errors'
import { asRecord, asString, type JsonObject } from '../json/json.ts'
import { errorListText } from './error-list.ts'
export { refusalOf, type Refusal, type SamplingParameter } from './refusal.ts'

export type ModelErrorKind = 'http_status' | 'timeout' | 'parse' | 'api_error' | 'internal'

interface ModelErrorOptions {
  /** Raw text for people, for example the body of an error response; may have several lines. */
  details?: string | undefined
  status?: number | undefined
  /** Wait requested by the server; 0 for a stale connection, which is worth an immediate retry. */
  retryAfterMs?: number | undefined
  /** Whether a retry may help; false by default. */
  transient?: boolean
  /** Whether the provider may charge the request although no response came; false by default. */
  mayBeCharged?: boolean
  /** Stable code for machines; defaults to the kind. */
  code?: string
  cause?: unknown
}

export class ModelError extends ZeeError {
  readonly kind: ModelErrorKind
  readonly details: string | undefined
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly transient: boolean
  readonly mayBeCharged: boolean

  constructor(kind: ModelErrorKind, message: string, options: ModelErrorOptions = {}) {
    super(options.code ?? kind, message, { cause: options.cause })
    this.kind = kind
    this.details = options.details
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.transient = options.transient ?? false
    this.mayBeCharged = options.mayBeCharged ?? false
  }
}

/** The error for a response whose status is not a success. */
export function httpStatusError(status: number, body: string, retryAfterMs?: number): ModelError {
  const message = findErrorMessage(body)
  return new ModelError('http_status', message ? `HTTP ${status}: ${message}` : `HTTP ${status}`, {
    details: body.trim() === '' ? undefined : body,
    status,
    transient: isTransientStatus(status),
    retryAfterMs,
  })
}

/** The error for an error object inside a successful response: `<type>: <message>`. */
export function apiError(error: unknown): ModelError {
  const object = asRecord(error)
  const message = oneLine(object === undefined ? String(error) : (asString(object.message) ?? ''))
  const label = object === undefined ? '' : errorLabel(object)
  const text = [label, message].filter((part) => part !== '').join(': ')
  return new ModelError('api_error', text || 'the model reported an error without a message')
}

/** The error for a connection fault after the response has started. */
export function streamError(reason: string): ModelError {
  return new ModelError('internal', `Stream error: ${reason}`, { transient: true })
}

/** The error for a response that cannot be understood; keeps the start of `raw` as details. */
export function parseError(message: string, raw: string): ModelError {
  return new ModelError('parse', message, { details: raw.slice(0, maxRawLength) })
}

export function tooLargeError(maxBytes: number): ModelError {
  return new ModelError('parse', `The answer is larger than ${maxBytes} bytes`)
}

/** The same error with `secret`, which the server may have echoed, replaced by `[redacted]`. */
export function hideSecret(error: ModelError, secret: string | undefined): ModelError {
  if (secret === undefined || secret === '') return error
  const clean = (text: string): string => text.replaceAll(secretPattern(secret), '[redacted]')
  const { details, status, retryAfterMs, transient, code } = error
  return new ModelError(error.kind, clean(error.message), {
    details: details === undefined ? undefined : clean(details),
    status,
    retryAfterMs,
    transient,
    code,
  })
}

const maxRawLength = 4096
const minSubstringLength = 8

/** A short secret (local servers accept keys such as `x`) matches only as a complete word. */
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
  // Compatible servers use different fields for the message.
  const candidates = [
    answer?.error,
    asRecord(answer?.error)?.message,
    answer?.message,
    answer?.detail,
    errorListText(answer?.detail),
  ]
  const message = candidates.map(asString).find((text) => text !== undefined) ?? ''
  const raw = asString(asRecord(asRecord(answer?.error)?.metadata)?.raw) ?? ''
  // A gateway's own words say only that its provider failed.
  const upstream = raw === '' ? '' : findErrorMessage(raw) || raw
  return oneLine([message, upstream].filter((text) => text !== '').join(': '))
}

function errorLabel(error: JsonObject): string {
  const label = [error.type, error.status, error.code].find(
    (word) => (typeof word === 'string' && word !== '') || typeof word === 'number',
  )
  return label === undefined ? '' : oneLine(String(label))
}
