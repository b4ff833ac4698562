// The types of an HTTP exchange, and a transport that is loaded lazily.
import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Body } from './body.ts'
import type { Environment } from './proxy.ts'
export { maxErrorBody, readBounded } from './body.ts'
export { endpointUrl } from './endpoint-url.ts'
export { postJson } from './post-json.ts'
export { proxyFor as findProxy, type Environment } from './proxy.ts'
export { isSuccess, readResponseText } from './read-response.ts'

export interface Transport {
  send(request: HttpRequest): Promise<HttpResponse>
  /** Closes idle connections. */
  close(): void
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  /** Replaces the DNS lookup of a direct connection. */
  lookup?: LookupFunction | undefined
  /** Called when the whole request has been handed to the connection. */
  onSent?: () => void
}

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Body
}

/** Time limits in milliseconds. */
export interface Deadlines {
  /** To connect, including proxy and TLS. */
  connectMs: number
  /** From the connection to the response head; without streaming a model may take minutes. */
  firstByteMs: number
  /** Between two reads of the response body. */
  idleMs: number
  /** To keep an idle connection open; routers silently drop connections that idle for longer. */
  keepAliveMs: number
}

export interface TransportOptions {
  /** Read for proxy variables only. */
  environment: Environment
  deadlines?: Partial<Deadlines> | undefined
}

/** Loads `node:http` lazily, so that commands without a model request do not pay for it. */
export async function loadTransport(options: TransportOptions): Promise<Transport> {
  const { createTransport } = await import('./http-transport.ts')
  return createTransport(options)
}
