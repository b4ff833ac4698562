// The HTTP bridge: an OpenAI-compatible API, the memory and a chat page over the services' sockets.
// Every request passes the guard first: host, origin, token.
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { fileError, reasonOf, ZeeError } from '@zee/core/errors'
import { openTokenFile, refuseAccess, serverLimits } from '@zee/core/http-guard'
import type { Logger } from '@zee/core/log'
import type { ZinoConfig } from '../config/config.ts'
import type { Service, ServiceContext } from '../service/service.ts'
import { handlersOf } from '../service/service.ts'
import { Counters } from './counters.ts'
import { HttpError, notFound, refused, sendError, toHttpError } from './reply.ts'
import type { Call, Route } from './routes.ts'
import { matchPath, routes } from './routes.ts'

export interface BridgeOptions {
  config: ZinoConfig
  token: string
  host: string
  port: number
  log: Logger
  clock: Clock
}

export interface Bridge {
  /** Where the chat page is; without the token. */
  url: string
  close(): Promise<void>
}

/** Connections above this are refused. */
const maxConnections = 1000
/** Time for running answers to end after the stop signal. */
const drainMs = 1000

/** The bridge under the supervisor: its socket answers pings and says where the bridge listens. */
export async function startBridge(context: ServiceContext): Promise<Service> {
  const { config, log, clock } = context
  const { host, port, token_file: tokenFile } = config.http
  const token = await openTokenFile(path.resolve(tokenFile))
  const bridge = await openBridge({ config, token, host, port, log, clock })
  log.info(`bridge at ${bridge.url}`)
  return {
    handlers: handlersOf({ address: () => ({ type: 'address', url: bridge.url }) }),
    close: () => bridge.close(),
  }
}

/** Listens at the address; throws when it is in use. */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const { host, port, config, token, log, clock } = options
  const counters = new Counters()
  /** One controller per running request: AbortSignal.any leaks memory on Node 20. */
  const running = new Set<AbortController>()
  const server = createServer(serverLimits, (request, response) => {
    const abort = new AbortController()
    running.add(abort)
    const call = { config, clock, log, counters, request, response, signal: abort.signal }
    void answer(call, token, abort).finally(() => running.delete(abort))
  })
  server.maxConnections = maxConnections
  await listen(server, host, port)
  if (!isLoopback(host)) log.warn(`listening at ${host}: other machines can connect`)
  return {
    url: urlOf(server.address() as AddressInfo),
    close: async () => {
      const reason = new ZeeError('stopping', 'the bridge is stopping')
      for (const abort of running) abort.abort(reason)
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      // A client that sends nothing, or does not read, would keep the process alive.
      const force = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearTimeout(force)
    },
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw fileError('listen at', `${host}:${port}`, error)
  }
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address)
}

function urlOf({ address, family, port }: AddressInfo): string {
  const isAny = address === '0.0.0.0' || address === '::'
  const host = isAny ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}/`
}

type Received = Omit<Call, 'url' | 'params'>

async function answer(shared: Received, token: string, abort: AbortController): Promise<void> {
  const { request, response, counters, log } = shared
  const started = performance.now()
  response.on('close', () => {
    if (!response.writableFinished) abort.abort(new ZeeError('left', 'the client has left'))
  })
  response.on('error', () => {})
  const done = counters.begin()
  let name = 'none'
  try {
    const { route, params, url } = findRoute(request, token, shared.config)
    name = route.path
    await route.handle({ ...shared, url, params })
  } catch (error) {
    fail(response, error, log)
  } finally {
    done(name, response.statusCode)
    const ms = Math.round(performance.now() - started)
    log.info(`${request.method} ${name} ${response.statusCode} in ${ms} ms`)
  }
}

function findRoute(
  request: IncomingMessage,
  token: string,
  config: ZinoConfig,
): { route: Route; params: readonly string[]; url: URL } {
  const url = urlOfRequest(request)
  const found = routes.flatMap((route) => {
    const params = matchPath(route.path, url.pathname)
    return params === undefined ? [] : [{ route, params, url }]
  })
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const match = found.find(({ route }) => route.method === method)
  // An unknown path needs the token too, so that it tells nothing.
  const isOpen = match?.route.isOpen === true
  const refusal = refuseAccess(request, {
    token: isOpen ? undefined : token,
    hosts: config.http.hosts,
  })
  if (refusal !== undefined) throw refused(refusal)
  if (match !== undefined) return match
  if (found.length === 0) throw notFound(`there is nothing at ${url.pathname}`)
  const allow = found.map(({ route }) => route.method).join(', ')
  const message = `${url.pathname} does not take ${request.method}`
  throw new HttpError(405, 'method_not_allowed', message, { allow })
}

function urlOfRequest({ url = '/' }: IncomingMessage): URL {
  try {
    // A path that begins with two slashes would name a host.
    return new URL(`http://bridge${url.startsWith('/') ? '' : '/'}${url}`)
  } catch {
    throw notFound('the address is not valid')
  }
}

function fail(response: ServerResponse, error: unknown, log: Logger): void {
  if (response.destroyed || response.writableEnded) return
  const httpError = toHttpError(error)
  if (httpError.status >= 500) log.warn(`request failed: ${reasonOf(error)}`)
  if (response.headersSent) response.destroy()
  else sendError(response, httpError)
}
