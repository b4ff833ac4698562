// The door to HTTP: what an exchange looks like, and a transport that is loaded when it is first needed.
import type { IncomingHttpHeaders } from 'node:http'
import type { Body } from './body.ts'
import type { Environment } from './proxy.ts'
export { maxErrorBody, readBounded } from './body.ts'
export { endpointUrl } from './endpoint-url.ts'
export { postJson } from './post-json.ts'
export type { Environment } from './proxy.ts'
export { isSuccess, readResponseText } from './read-response.ts'

export interface Transport {
  send(request: HttpRequest): Promise<HttpResponse>
  /** Lets go of idle connections. */
  close(): void
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Body
}

/** How long to wait, in milliseconds. */
export interface Deadlines {
  /** For the connection, with proxy and TLS. */
  connectMs: number
  /** For the head of the answer: a whole answer without streaming may be minutes in the making. */
  firstByteMs: number
  /** For the next bytes of an answer that has begun. */
  idleMs: number
  /** How long an unused connection is kept: longer, and routers between forget it silently. */
  keepAliveMs: number
}

export interface TransportOptions {
  /** Only the proxy variables are looked at. */
  environment: Environment
  deadlines?: Partial<Deadlines>
}

/** Loads `node:http` with the first transport, so that a program which asks no model never pays for it. */
export async function loadTransport(options: TransportOptions): Promise<Transport> {
  const { createTransport } = await import('./http-transport.ts')
  return createTransport(options)
}
