import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { systemClock } from '@zee/core/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FunnelCall } from '../trace/call.ts'
import { parseUpstream, upstreamPath } from '../funnels.ts'
import { ProxyServer } from './http.ts'

interface Asked {
  method: string
  url: string
  body: string
}

let upstream: Server
let proxy: ProxyServer
let port: number
let asked: Asked[] = []
let calls: FunnelCall[] = []
/** Requests that the proxy accepted. */
let taken = new Set<string>()

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const chunks: Buffer[] = []
    const { method = '', url = '' } = request
    const seen = { method, url, body: '' }
    asked.push(seen)
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.body = Buffer.concat(chunks).toString('latin1')
      response.end(`answer to ${url}`)
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const target = parseUpstream(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)
  proxy = new ProxyServer({
    upstream: target,
    listen: { host: '127.0.0.1', port: 0 },
    clock: systemClock,
    maxRequests: undefined,
    begin: (head) => {
      taken.add(`${head.method} ${upstreamPath(target, head.target)}`)
      return { faults: [], onEnd: (call) => calls.push(call()) }
    },
    onLast: () => {},
  })
  port = (await proxy.listen()).port
})
afterAll(async () => {
  await proxy.close(0, 'HTTP_PROXY_ERROR')
  upstream.closeAllConnections()
  await new Promise((resolve) => upstream.close(resolve))
})
beforeEach(() => {
  asked = []
  calls = []
  taken = new Set()
})

/** Sends the bytes in pieces and returns everything received until the connection closes. */
async function send(
  text: string,
  cuts: readonly number[],
  isLast: (heard: string) => boolean,
  mostMs = 10_000,
): Promise<string> {
  const bytes = Buffer.from(text, 'latin1')
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let heard = ''
  const closed = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
      if (isLast(heard)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
  const places = [...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b)
  let start = 0
  for (const end of places) {
    if (end > start)
      await new Promise((resolve) => socket.write(bytes.subarray(start, end), resolve))
    start = end
  }
  const timer = setTimeout(() => socket.destroy(), mostMs)
  await closed
  clearTimeout(timer)
  return heard
}

const answers = (heard: string) => heard.split('answer to ').length - 1
const seen = () => asked.map(({ method, url }) => `${method} ${url}`).sort()
const recorded = () =>
  calls
    .map(({ input }) => (input as { http: { method: string; url: string } }).http)
    .map(({ method, url }) => `${method} ${url.replace(/^http:\/\/[^/]+/, '')}`)
    .sort()

const content = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  framing: fc.constantFrom('none', 'length', 'chunked'),
  body: content,
})
type Made = typeof request extends fc.Arbitrary<infer T> ? T : never

function wire({ method, framing, body }: Made, n: number): string {
  const head = `${method} /${n} HTTP/1.1\r\nHost: x\r\n`
  if (framing === 'none') return `${head}\r\n`
  if (framing === 'length') return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const chunk = body === '' ? '' : `${body.length.toString(16)};e=1\r\n${body}\r\n`
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\nX-T: 1\r\n\r\n`
}

describe('the HTTP proxy server', () => {
  it('forwards and records the same requests wherever their bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(2000), { maxLength: 12 }),
        async (made, cuts) => {
          asked = []
          calls = []
          const heard = await send(
            made.map(wire).join(''),
            cuts,
            (text) => answers(text) === made.length && /answer to \/\d+$/.test(text),
          )
          expect(heard.match(/answer to \/\d+/g)).toEqual(made.map((_, n) => `answer to /${n}`))
          expect(asked).toEqual(
            made.map(({ method, framing, body }, n) => ({
              ...{ method, url: `/${n}`, body: framing === 'none' ? '' : body },
            })),
          )
          expect(recorded()).toEqual(seen())
          const bytes = calls.map(({ enrichment = {} }) => enrichment.http)
          expect(bytes.map((http) => (http as { reqBytes: number }).reqBytes)).toEqual(
            asked.map(({ body }) => body.length),
          )
        },
      ),
      { numRuns: 150 },
    )
  })

  it('forwards no request that it does not record, even for malformed input', async () => {
    const odd = fc.constantFrom(
      ...['\n', '\r', '\r\n', ' ', '\t', '\0', ':', ';', '0', 'chunked', 'Content-Length: 3\r\n'],
      ...[
        'Transfer-Encoding: chunked\r\n',
        'Transfer-Encoding: x\r\n',
        'Connection: content-length, transfer-encoding\r\n',
        'GET /smuggled HTTP/1.1\r\n',
      ],
      ...[
        'Host: y\r\n\r\n',
        '0\r\n\r\n',
        'HTTP/1.0',
        'Connection: upgrade\r\nUpgrade: h\r\n',
        '\x80',
      ],
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(1500), odd, fc.nat(3)), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(2000), { maxLength: 4 }),
        async (made, changes, cuts) => {
          asked = []
          calls = []
          let text = made.map(wire).join('')
          for (const [at, inserted, removed] of changes) {
            const place = at % text.length
            text = text.slice(0, place) + inserted + text.slice(place + removed)
          }
          // A request that waits for missing bytes is abandoned after 40 ms.
          const end = 'GET /end HTTP/1.1\r\nHost: x\r\n\r\n'
          await send(text + end, cuts, (heard) => heard.includes('answer to /end'), 40)
          for (const each of seen()) expect(taken).toContain(each)
        },
      ),
      { numRuns: 200 },
    )
    const heard = await send('GET /alive HTTP/1.1\r\nHost: x\r\n\r\n', [], (text) =>
      text.endsWith('answer to /alive'),
    )
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })
})
