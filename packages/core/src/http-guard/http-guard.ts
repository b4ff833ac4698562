// The checks that every HTTP server of zee makes before it handles a request: Host, Origin, bearer token.
// Together they keep other web pages, rebound DNS names and other users of the machine out.
import type { IncomingMessage, ServerOptions } from 'node:http'
import { bearerOf, isSameToken } from './token.ts'

export { readBody, type Body } from './body.ts'
export { setSecurityHeaders } from './headers.ts'
export { assertPrivateFile, bearerOf, isSameToken, openTokenFile } from './token.ts'
export { writeBounded } from './write-bounded.ts'

/** Why a server does not handle a request. The server renders it in its own error format. */
export interface Refusal {
  status: 400 | 401 | 403 | 408 | 413
  /** Stable identifier for programs. */
  code: 'bad_request' | 'unauthorized' | 'wrong_host' | 'wrong_origin' | 'timeout' | 'too_large'
  message: string
  headers?: Readonly<Record<string, string>>
}

export interface AccessRules {
  /** The expected bearer token, or a test of it; undefined if the server grants access in another way. */
  token?: string | ((candidate: string) => boolean) | undefined
  /** Host names beyond the loopback names and the address of the connection: `name` or `name:port`. */
  hosts?: readonly string[] | undefined
}

/** Limits for `http.createServer` against clients that send slowly. Callers bound bodies by `readBody`. */
export const serverLimits: Readonly<ServerOptions> = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
}

/** Undefined if the request may proceed. Checks the host first, then the origin, then the token. */
export function refuseAccess(request: IncomingMessage, rules: AccessRules): Refusal | undefined {
  return refuseHost(request, rules.hosts) ?? refuseOrigin(request) ?? refuseToken(request, rules)
}

/** Rejects other host names, which protects against DNS rebinding, and a second Host header. */
export function refuseHost(
  { headers, rawHeaders, socket }: IncomingMessage,
  hosts: readonly string[] = [],
): Refusal | undefined {
  const host = headers.host?.toLowerCase() ?? ''
  const port = socket.localPort
  const own = ['localhost', '127.0.0.1', '[::1]', addressOf(socket.localAddress)]
  const isOwn = own.some((name) => host === `${name}:${port}` || (port === 80 && host === name))
  const isSingle = rawHeaders.filter(isHostName).length <= 1
  if (isSingle && (isOwn || hosts.some((name) => isListed(name.toLowerCase(), host)))) {
    return undefined
  }
  return { status: 403, code: 'wrong_host', message: 'this server does not serve that host name' }
}

/** Rejects requests that a web page of another origin makes. Programs send no Origin. */
export function refuseOrigin({ headers }: IncomingMessage): Refusal | undefined {
  const origin = headers.origin?.toLowerCase()
  if (origin === undefined) return undefined
  const host = headers.host?.toLowerCase() ?? ''
  // https: a proxy in front of the server may add TLS.
  if (origin === `http://${host}` || origin === `https://${host}`) return undefined
  return { status: 403, code: 'wrong_origin', message: 'requests from other origins are refused' }
}

function refuseToken(request: IncomingMessage, { token }: AccessRules): Refusal | undefined {
  if (token === undefined) return undefined
  const candidate = bearerOf(request)
  if (typeof token === 'string' ? isSameToken(candidate, token) : token(candidate)) return undefined
  return {
    status: 401,
    code: 'unauthorized',
    message: 'send the token as the header "Authorization: Bearer TOKEN"',
    headers: { 'www-authenticate': 'Bearer' },
  }
}

/** The local address as a host; a Host header cannot name it after a DNS rebinding. */
function addressOf(address: string | undefined): string {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  return plain.includes(':') ? `[${plain}]` : plain
}

/** Raw headers alternate between names and values. */
function isHostName(text: string, index: number): boolean {
  return index % 2 === 0 && text.toLowerCase() === 'host'
}

/** An entry without a port matches every port. */
function isListed(name: string, host: string): boolean {
  return host === name || (!/:\d+$/.test(name) && host.replace(/:\d+$/, '') === name)
}
