// Serves one page on the loopback interface and notifies it of changes by server-sent events. The URL
// contains a random token; there are three resources and no file access.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reasonOf } from '../errors/errors.ts'
import {
  isSameToken,
  refuseHost,
  serverLimits,
  setSecurityHeaders,
} from '../http-guard/http-guard.ts'
import { fillPage, contentSecurityPolicy, pageUpdate, type PageContents } from './page.ts'

export interface PageSource {
  /** The built viewer. */
  viewer: string
  /** Reads the current contents of the page. */
  read(): Promise<PageContents>
  /** Changes whenever the result of `read` changes. Called twice a second, so it must be cheap. */
  fingerprint(): string
}

export interface PageServer {
  /** Includes the token, which grants access. */
  url: string
  close(): Promise<void>
}

const pollMs = 500
const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Announces the URL, then serves until SIGINT, SIGTERM or SIGHUP. */
export async function servePageUntilSignal(
  source: PageSource,
  announce: (url: string) => void,
): Promise<void> {
  let stop = (): void => {}
  const ended = new Promise<void>((resolve) => {
    stop = resolve
  })
  for (const signal of signals) process.on(signal, stop)
  try {
    const server = await servePage(source)
    announce(server.url)
    await ended
    await server.close()
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

/** Starts serving on a free port. */
export async function servePage(source: PageSource): Promise<PageServer> {
  const token = randomBytes(18).toString('base64url')
  const page = new LivePage(source)
  const server = createServer(serverLimits, (request, response) => {
    void handleRequest(request, response, token, page).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendError(response, 500, `cannot make the page: ${reasonOf(error)}`)
    })
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}/${token}/`,
    async close() {
      page.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Caches the contents by fingerprint and notifies the listeners when it changes. */
class LivePage {
  readonly #source: PageSource
  readonly #listeners = new Set<ServerResponse>()
  #fingerprint: string | undefined
  #contents: Promise<PageContents> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(source: PageSource) {
    this.#source = source
  }

  contents(): Promise<PageContents> {
    const now = this.#currentFingerprint()
    if (this.#contents === undefined || now !== this.#fingerprint) {
      this.#fingerprint = now
      const reading = this.#source.read()
      this.#contents = reading
      // The next request retries a failed read.
      reading.catch(() => {
        if (this.#contents === reading) this.#contents = undefined
      })
    }
    return this.#contents
  }

  async html(): Promise<Buffer> {
    return fillPage(this.#source.viewer, await this.contents(), { isLive: true })
  }

  listen(response: ServerResponse): void {
    this.#listeners.add(response)
    response.on('close', () => {
      this.#listeners.delete(response)
      if (this.#listeners.size === 0) this.#stop()
    })
    response.write('retry: 1000\nevent: hello\ndata:\n\n')
    this.#timer ??= this.#watch()
  }

  close(): void {
    this.#stop()
    for (const listener of this.#listeners) listener.end()
  }

  /** Compares with the last served fingerprint; listeners then fetch the contents themselves. */
  #watch(): NodeJS.Timeout {
    let seen = this.#fingerprint
    return setInterval(() => {
      const now = this.#currentFingerprint()
      if (now === seen) return
      seen = now
      for (const listener of this.#listeners) listener.write('event: change\ndata:\n\n')
    }, pollMs)
  }

  /** A failure counts as a change too: the next read then reports its reason. */
  #currentFingerprint(): string {
    try {
      return this.#source.fingerprint()
    } catch (error) {
      return reasonOf(error)
    }
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  page: LivePage,
): Promise<void> {
  if (refuseHost(request) !== undefined)
    return sendError(response, 403, 'open this page by its own address')
  const [, candidate = '', name, ...rest] = (request.url ?? '').split('/')
  if (!isSameToken(candidate, token) || rest.length > 0)
    return sendError(response, 404, 'there is nothing here')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return sendError(response, 405, 'this page is read-only')
  }
  if (name === '') return send(response, 'text/html; charset=utf-8', await page.html())
  if (name === 'data.json') {
    return send(response, 'application/json; charset=utf-8', pageUpdate(await page.contents()))
  }
  if (name !== 'events') return sendError(response, 404, 'there is nothing here')
  setSecurityHeaders(response)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  if (request.method === 'HEAD') response.end()
  else page.listen(response)
}

function send(response: ServerResponse, type: string, body: Buffer): void {
  setSecurityHeaders(
    response,
    type.startsWith('text/html') ? contentSecurityPolicy(body) : undefined,
  )
  response.writeHead(200, { 'content-type': type })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function sendError(response: ServerResponse, status: number, why: string): void {
  setSecurityHeaders(response)
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${why}\n`)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
