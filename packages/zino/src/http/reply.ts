// Replies of the bridge: JSON, and errors in the form that OpenAI's clients read.
import type { ServerResponse } from 'node:http'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Refusal } from '@zee/core/http-guard'
import { setSecurityHeaders } from '@zee/core/http-guard'
import { unreachableCode } from '../client/client.ts'

/** An error with the status that the client receives. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export function refused({ status, code, message, headers }: Refusal): HttpError {
  return new HttpError(status, code, message, headers)
}

export function badRequest(message: string): HttpError {
  return new HttpError(400, 'invalid_request', message)
}

export function notFound(message: string): HttpError {
  return new HttpError(404, 'not_found', message)
}

export interface ErrorBody {
  error: { message: string; type: string; param: null; code: string }
}

/** Sends a whole reply. */
export function sendReply(
  response: ServerResponse,
  { status = 200, type, body }: { status?: number; type: string; body: string },
): void {
  setSecurityHeaders(response)
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

export function sendJson(response: ServerResponse, value: object, status = 200): void {
  sendReply(response, { status, type: 'application/json; charset=utf-8', body: json(value) })
}

export function sendError(response: ServerResponse, error: HttpError): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  // A client that sends a failed turn again would run its tools again.
  response.setHeader('x-should-retry', 'false')
  sendJson(response, errorBody(error), error.status)
}

export function errorBody({ message, status, code }: HttpError): ErrorBody {
  return { error: { message, type: errorType(status), param: null, code } }
}

/** Any failure as an error with a status. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof ZeeError && error.code === unreachableCode) {
    const message = `${error.message} (start it with 'zino up')`
    return new HttpError(503, 'service_unavailable', message)
  }
  if (error instanceof ZeeError) return new HttpError(502, error.code, error.message)
  return new HttpError(500, 'internal', reasonOf(error))
}

function errorType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

function json(value: object): string {
  return `${JSON.stringify(value)}\n`
}
