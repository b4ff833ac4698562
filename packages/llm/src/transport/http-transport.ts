// HTTP over node:http and node:https: keep-alive, proxies, deadlines, and an abort that works in
// every phase. Faults are thrown as `ModelError`s.
import type * as http from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { ModelError } from '../errors/errors.ts'
import { formatDuration, openBody } from './body.ts'
import { connectionError } from './connection-error.ts'
import { credentialsOf, hostOf, portOf, proxyFor, proxyHeaders } from './proxy.ts'
import type {
  Deadlines,
  HttpRequest,
  HttpResponse,
  Transport,
  TransportOptions,
} from './transport.ts'
import { loadHttp, loadHttps, tunnelAgent, type TunnelOptions } from './tunnel.ts'

const defaultDeadlines: Deadlines = {
  connectMs: 30_000,
  firstByteMs: 600_000,
  idleMs: 300_000,
  keepAliveMs: 60_000,
}

/** Idle limit for the body of an error response: the status alone is reported after that. */
const errorIdleMs = 2000

const agentOptions = { keepAlive: true, scheduling: 'lifo' } as const

export function createTransport(options: TransportOptions): Transport {
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  const agents = new Map<string, http.Agent>()

  function agentFor(url: URL, proxy: URL | undefined): http.Agent {
    const tunnel = tunnelOf(url, proxy)
    const key = `${url.protocol} ${tunnel?.href}`
    let agent = agents.get(key)
    if (agent === undefined) {
      agent = withIdleExpiry(createAgent(url, tunnel), deadlines.keepAliveMs)
      agents.set(key, agent)
    }
    return agent
  }

  return {
    async send(request) {
      const proxy = proxyFor(request.url, options.environment)
      return exchange(request, proxy, agentFor(request.url, proxy), deadlines)
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}

/** The proxy that carries TLS to the server. */
function tunnelOf(url: URL, proxy: URL | undefined): URL | undefined {
  return url.protocol === 'https:' ? proxy : undefined
}

function createAgent(url: URL, proxy: URL | undefined): http.Agent {
  if (url.protocol !== 'https:') return new (loadHttp().Agent)(agentOptions)
  if (proxy !== undefined) return tunnelAgent(proxy, agentOptions)
  return new (loadHttps().Agent)(agentOptions)
}

/** Keep-alive time that the server announced, per connection. */
const serverKeepAliveMs = new WeakMap<Socket, number>()

function recordKeepAlive(response: IncomingMessage): void {
  const seconds = /timeout=(\d+)/.exec(String(response.headers['keep-alive']))?.[1]
  // One second less, to avoid a request on a connection that the server is closing.
  if (seconds !== undefined) serverKeepAliveMs.set(response.socket, Number(seconds) * 1000 - 1000)
}

/** Sets a socket timeout while a connection is idle; the agent closes connections on timeout. */
function withIdleExpiry(agent: http.Agent, keepAliveMs: number): http.Agent {
  const keep = agent.keepSocketAlive.bind(agent)
  const reuse = agent.reuseSocket.bind(agent)
  return Object.assign(agent, {
    keepSocketAlive(socket: Socket) {
      const limit = Math.min(keepAliveMs, serverKeepAliveMs.get(socket) ?? keepAliveMs)
      if (limit <= 0) return false
      keep(socket)
      socket.setTimeout(limit)
      return true
    },
    reuseSocket(socket: Socket, request: http.ClientRequest) {
      socket.setTimeout(0)
      reuse(socket, request)
    },
  })
}

function exchange(
  request: HttpRequest,
  proxy: URL | undefined,
  agent: http.Agent,
  deadlines: Deadlines,
): Promise<HttpResponse> {
  const { url, signal } = request
  const where = url.host
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abandon = tunnelOf(url, proxy) === undefined ? undefined : new AbortController()
    let call: http.ClientRequest
    try {
      call = openRequest(request, proxy, agent, abandon?.signal)
    } catch (error) {
      return reject(connectionError(asError(error), where, false))
    }

    let settled = false
    let timer: NodeJS.Timeout
    const settle = (): void => {
      settled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown): void => {
      settle()
      abandon?.abort()
      call.destroy()
      reject(error)
    }
    const onAbort = (): void => fail(signal.reason)
    const startDeadline = (ms: number, what: string): void => {
      clearTimeout(timer)
      if (!settled) timer = setTimeout(() => fail(deadlineError(where, what, ms)), ms)
    }

    startDeadline(deadlines.connectMs, 'no connection to')
    onConnected(call, url, () => startDeadline(deadlines.firstByteMs, noAnswer))
    signal.addEventListener('abort', onAbort)
    call.on('error', (error) => fail(connectionError(error, where, call.reusedSocket)))
    call.on('close', () => {
      if (!settled) fail(connectionError(new Error('the connection was closed'), where, false))
    })
    call.on('response', (response) => {
      settle()
      recordKeepAlive(response)
      const status = response.statusCode ?? 0
      const idleMs = status < 300 ? deadlines.idleMs : Math.min(deadlines.idleMs, errorIdleMs)
      resolve({ status, headers: response.headers, body: openBody(response, signal, idleMs) })
    })
    if (request.onSent !== undefined) call.once('finish', request.onSent)
    call.end(request.body)
  })
}

/** An http request names the full URL to the proxy; an https request uses its agent's tunnel. */
function openRequest(
  { method, url, headers, lookup }: HttpRequest,
  proxy: URL | undefined,
  agent: http.Agent,
  abandoned: AbortSignal | undefined,
): http.ClientRequest {
  const viaProxy = url.protocol === 'http:' ? proxy : undefined
  const path = `${url.pathname}${url.search}`
  const auth = credentialsOf(url)
  const module = url.protocol === 'https:' ? loadHttps() : loadHttp()
  const options: RequestOptions & Partial<TunnelOptions> = {
    method,
    agent,
    ...(abandoned !== undefined && { abandoned }),
    host: hostOf(viaProxy ?? url),
    port: portOf(viaProxy ?? url),
    path: viaProxy === undefined ? path : `${url.protocol}//${url.host}${path}`,
    headers: {
      host: url.host,
      ...headers,
      ...(viaProxy === undefined ? {} : proxyHeaders(viaProxy)),
    },
    ...(lookup !== undefined && viaProxy === undefined ? { lookup } : {}),
    ...(auth !== undefined && headers.authorization === undefined ? { auth } : {}),
  }
  return module.request(options)
}

function onConnected(call: http.ClientRequest, url: URL, then: () => void): void {
  call.once('socket', (socket: Socket) => {
    if (!socket.connecting) return then()
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', then)
  })
}

const noAnswer = 'no answer from'

function deadlineError(where: string, what: string, ms: number): ModelError {
  const message = `Connection failed: ${what} ${where} within ${formatDuration(ms)}`
  return new ModelError('timeout', message, { transient: true, mayBeCharged: what === noAnswer })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
