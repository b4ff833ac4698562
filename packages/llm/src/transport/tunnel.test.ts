import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { fixture } from '../../test/decoding.ts'
import { selfSigned } from '../../test/self-signed.ts'
import { post, rejectionOf, withTransports } from '../../test/transports.ts'

const host = 'api.zee.test'
const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-tunnel-'))
const authority = path.join(folder, 'ca.pem')
const certificate = selfSigned(host)
const asked: string[] = []
let api: https.Server
let proxy: http.Server

beforeAll(async () => {
  writeFileSync(authority, certificate.cert)
  api = https.createServer(certificate, (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(fixture('anthropic-text.sse'))
  })
  proxy = http.createServer()
  proxy.on('connect', (request, socket: net.Socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    const upstream = net.connect(portOf(api), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  for (const server of [api, proxy]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
})

afterAll(() => {
  for (const server of [api, proxy]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** A separate process, because Node reads additional trusted certificates only at start. */
async function ask(environment: Record<string, string>): Promise<{ text: string; error: string }> {
  const child = spawn(process.execPath, [childProgram('llm', 'ask'), 'anthropic', 'm'], {
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `https://${host}`, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  await once(child, 'close')
  return JSON.parse(out) as { text: string; error: string }
}

describe('TLS through a proxy', () => {
  it('opens a tunnel with CONNECT and performs the handshake with the host itself', async () => {
    const { text, error } = await ask({
      NODE_EXTRA_CA_CERTS: authority,
      HTTPS_PROXY: `http://me:pw@127.0.0.1:${portOf(proxy)}`,
    })
    expect(error).toBe('')
    expect(text).toBe('Grüße an 世界🌍!\n')
    expect(asked).toEqual([`${host}:443 Basic ${Buffer.from('me:pw').toString('base64')}`])
  })

  it('rejects an untrusted certificate of the host', async () => {
    const { error } = await ask({ https_proxy: `http://127.0.0.1:${portOf(proxy)}` })
    expect(error).toMatch(/^Connection failed: api\.zee\.test: .*self.signed certificate/)
  })
})

describe('a request through a proxy in this process', () => {
  const { keep, transport } = withTransports()

  /** A proxy whose answer to CONNECT is given; `closed` resolves per connection. */
  async function proxyThat(answer: (socket: net.Socket) => void) {
    const seen: string[] = []
    const closed: Promise<unknown>[] = []
    const server = http.createServer()
    server.on('connect', (request, socket: net.Socket) => {
      seen.push(`${request.url} ${request.headers.host}`)
      const ends = ['end', 'error', 'close'] as const
      closed.push(new Promise((resolve) => ends.forEach((end) => socket.on(end, resolve))))
      socket.resume()
      answer(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    keep({ close: () => void server.close() })
    return { url: `http://127.0.0.1:${portOf(server)}`, seen, closed }
  }

  const sent = (url: string, proxy: string, signal = new AbortController().signal) =>
    rejectionOf(transport({}, { https_proxy: proxy }).send(post(url, { signal })))

  it.each([
    [199, false],
    [300, false],
    [407, false],
    [499, false],
    [500, true],
    [503, true],
  ])('that answers %i to CONNECT fails, to be retried: %s', async (status, transient) => {
    const { url } = await proxyThat((socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`))
    expect(await sent('https://api.zee.test/v1', url)).toMatchObject({
      kind: 'timeout',
      message: `Connection failed: the proxy ${new URL(url).host} answered ${status} to CONNECT`,
      transient,
    })
  })

  it('asks for the host and port of the target, IPv6 in brackets', async () => {
    const proxy = await proxyThat((socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'))
    for (const url of [
      'https://api.zee.test/',
      'https://api.zee.test:8443/',
      'https://[2001:db8::1]/',
    ]) {
      await sent(url, proxy.url)
    }
    expect(proxy.seen).toEqual(
      ['api.zee.test:443', 'api.zee.test:8443', '[2001:db8::1]:443'].map((at) => `${at} ${at}`),
    )
  })

  it.each([
    ['an answer to CONNECT', ''],
    ['the handshake', 'HTTP/1.1 200 Connection established\r\n\r\n'],
  ])('that is aborted while it waits for %s closes the connection', async (_, answer) => {
    const abort = new AbortController()
    const proxy = await proxyThat((socket) => {
      if (answer !== '') socket.write(answer)
      setImmediate(() => abort.abort(new Error('enough')))
    })
    expect(await sent('https://api.zee.test/', proxy.url, abort.signal)).toMatchObject({
      message: 'enough',
    })
    expect(proxy.closed).toHaveLength(1)
    await Promise.all(proxy.closed)
  })
})
