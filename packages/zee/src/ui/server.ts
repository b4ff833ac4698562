// The HTTP server of the dashboard. It listens on the loopback interface. Every address starts with a random
// token; Host and Origin are checked first. Only `api/action` changes anything, and it asks.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import {
  isSameToken,
  readBody,
  refuseHost,
  refuseOrigin,
  serverLimits,
  setSecurityHeaders,
} from '@zee/core/http-guard'
import { parseObject } from '@zee/core/json'
import { contentSecurityPolicy } from '@zee/core/page'
import { Actions } from './actions.ts'
import { Live } from './live.ts'
import { readNow, searchMemory } from './now/now.ts'
import { readRecordPage } from './record-page.ts'
import { Records } from './records/records.ts'
import { usageSums } from './usage-sums.ts'

export interface Dashboard {
  /** Contains the token. */
  url: string
  close(): void
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const maxBodyBytes = 16 << 10

const assets: Readonly<Record<string, string>> = {
  '': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
}

/** Starts serving; port 0 chooses a free one. */
export async function serveDashboard(port: number, host: Host): Promise<Dashboard> {
  const token = randomBytes(18).toString('base64url')
  const records = new Records(host)
  const live = new Live(records)
  const context: Context = { token, records, live, actions: new Actions(records, host), host }
  const server = createServer(serverLimits, (request, response) => {
    void handle(request, response, context).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendText(response, error instanceof ZeeError ? 404 : 500, reasonOf(error))
    })
  })
  server.listen({ host: '127.0.0.1', port })
  await once(server, 'listening')
  void live.refresh()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`,
    close() {
      live.close()
      records.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Context {
  token: string
  records: Records
  live: Live
  actions: Actions
  host: Host
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const refusal = refuseHost(request) ?? refuseOrigin(request)
  if (refusal !== undefined) return sendText(response, refusal.status, refusal.message)
  // A proxy's form of request, `GET http://name/path`, could name another host.
  if (!request.url?.startsWith('/')) return sendText(response, 400, 'send the path only')
  const url = new URL(`http://127.0.0.1${request.url}`)
  const [, token = '', ...words] = url.pathname.split('/')
  if (!isSameToken(token, context.token)) return sendText(response, 404, 'there is nothing here')
  const name = words.join('/')
  if (request.method === 'POST' && name === 'api/action') {
    return handleAction(request, response, context)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return sendText(response, 405, 'this address is read-only')
  }
  if (words.length === 0) {
    // The page asks for its parts relative to its own address.
    response.setHeader('location', `/${token}/`)
    return sendText(response, 308, 'the address ends with /')
  }
  const type = Object.hasOwn(assets, name) ? assets[name] : undefined
  if (type !== undefined) return send(response, type, readAsset(name))
  if (name === 'events') return listen(request, response, context.live)
  if (words[0] === 'page') {
    const page = await readRecordPage(words.slice(1).map(decodeWord), context.records, context.host)
    return send(response, 'text/html; charset=utf-8', page, contentSecurityPolicy(page))
  }
  const answer = await readApi(name, url.searchParams, context)
  if (answer === undefined) return sendText(response, 404, 'there is nothing here')
  return sendJson(response, answer)
}

async function readApi(
  name: string,
  query: URLSearchParams,
  { records, host }: Context,
): Promise<object | undefined> {
  switch (name) {
    case 'api/rows':
      return records.changesSince(Number(query.get('since') ?? 0) || 0)
    case 'api/now':
      return readNow(host)
    case 'api/memory':
      return searchMemory((query.get('q') ?? '').slice(0, 1000), host)
    case 'api/usage':
      return { rows: await usageSums(host) }
    default:
      return undefined
  }
}

/** A form of another site cannot send this content type, so a page without an Origin header cannot act. */
async function handleAction(
  request: IncomingMessage,
  response: ServerResponse,
  { actions, live }: Context,
): Promise<void> {
  if (request.headers['content-type'] !== 'application/json') {
    return sendText(response, 415, 'send application/json')
  }
  const body = await readBody(request, { maxBytes: maxBodyBytes })
  if (body.refusal !== undefined)
    return sendText(response, body.refusal.status, body.refusal.message)
  const answer = await actions.perform(parseObject(body.bytes.toString('utf8')) ?? {})
  if (answer.result !== undefined) void live.refresh()
  return sendJson(response, answer)
}

function listen(request: IncomingMessage, response: ServerResponse, live: Live): void {
  setSecurityHeaders(response)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  if (request.method === 'HEAD') response.end()
  else live.add(response)
}

function readAsset(name: string): Buffer {
  return readFileSync(path.join(__dirname, 'ui', name === '' ? 'index.html' : name))
}

function decodeWord(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

function sendJson(response: ServerResponse, value: object): void {
  send(response, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(value)))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, 'text/plain; charset=utf-8', Buffer.from(`${text}\n`), undefined, status)
}

function send(
  response: ServerResponse,
  type: string,
  body: Buffer,
  ownPolicy: string = type.startsWith('text/html') ? policy : "default-src 'none'",
  status = 200,
): void {
  setSecurityHeaders(response, ownPolicy)
  response.writeHead(status, { 'content-type': type, 'content-length': body.length })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
