import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, collect, endToEnd, type Ask, type Got } from './http-client.ts'
import { hashOf, startUpstream, type HttpUpstream } from './http-upstream.ts'
import { createLab, startProxy, until, type Lab } from './lab.ts'

let lab: Lab
let upstream: HttpUpstream
beforeEach(async () => {
  lab = await createLab()
  upstream = await startUpstream()
})
afterEach(async () => {
  await lab.remove()
  await upstream.close()
})

const proxyTo = (url: string, ...flags: string[]) => startProxy(lab, 'http', url, flags)

const large = Buffer.alloc(3_000_000, 'x1y2')

const asks: [string, string, Ask?][] = [
  ['a plain request', '/hello?q=1&q=%2F%20&empty='],
  ['a path that must not be normalised', '//a/../b/%2e%2e/%zz;x?y?z=1'],
  [
    'headers in original case and order',
    '/odd-headers',
    { headers: ['X-ONE', '1', 'x-one', '2', 'Cookie', 'a=b'] },
  ],
  ['a compressed body', '/gzip', { headers: ['Accept-Encoding', 'gzip'] }],
  ['a redirect', '/redirect'],
  ['an error', '/status?code=418'],
  ['an unregistered status', '/status?code=599'],
  ['an empty answer', '/empty'],
  ['a HEAD', '/odd-headers', { method: 'HEAD' }],
  [
    'a POST with a length',
    '/x',
    { method: 'POST', headers: ['Content-Length', '5'], body: [Buffer.from('hello')] },
  ],
  [
    'a POST in chunks',
    '/x',
    { method: 'POST', headers: ['Transfer-Encoding', 'chunked'], body: [large, large] },
  ],
  ['a GET with a body', '/x', { headers: ['Content-Length', '3'], body: [Buffer.from('abc')] }],
  ['a DELETE', '/x', { method: 'DELETE' }],
  ['a rare method', '/x', { method: 'PROPFIND', headers: ['Content-Length', '0'] }],
  ['trailers of the answer', '/trailers'],
  [
    'trailers of the request',
    '/x',
    {
      method: 'PUT',
      headers: ['Transfer-Encoding', 'chunked', 'Trailer', 'X-T'],
      body: [Buffer.from('a')],
      trailers: [['X-T', 'last']],
    },
  ],
  ['a large answer', '/large?bytes=5000000'],
  ['long headers', '/x', { headers: ['X-Long', 'l'.repeat(100_000)] }],
  ['informational answers', '/hints'],
]

describe('the HTTP proxy', () => {
  it.each(asks)('forwards unchanged: %s', async (_name, path, options) => {
    const proxy = await proxyTo(upstream.url)
    const direct = await ask(upstream.url + path, options)
    const proxied = await ask(proxy.url.origin + path, options)
    const comparable = (got: Got) => ({ ...got, body: hashOf(got.body) })
    expect(comparable(proxied)).toEqual(comparable(direct))
    const [wanted, got] = upstream.seen.map((each) => ({
      ...each,
      headers: endToEnd(each.headers, 'host').sort(),
    }))
    expect(got).toEqual(wanted)
  })

  it('forwards the requests of fetch unchanged', async () => {
    const proxy = await proxyTo(`${upstream.url}/base/`)
    for (const path of ['/gzip', '/trailers', '/large?bytes=100000', '/odd-headers']) {
      const [direct, proxied] = await Promise.all([
        fetch(`${upstream.url}/base${path}`),
        fetch(proxy.url.origin + path),
      ])
      expect(proxied.status).toBe(direct.status)
      const bodies = await Promise.all([direct, proxied].map((each) => each.arrayBuffer()))
      expect(new Set(bodies.map((body) => hashOf(Buffer.from(body)))).size).toBe(1)
      const names = ([name]: [string, string]) =>
        !['date', 'connection', 'keep-alive'].includes(name)
      expect([...proxied.headers].filter(names)).toEqual([...direct.headers].filter(names))
    }
  })

  it('streams in both directions', async () => {
    const proxy = await proxyTo(upstream.url)
    const heard: string[] = []
    const request = httpRequest(`${proxy.url.origin}/wait`, { agent: false })
    request.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => heard.push(text))
    })
    request.end()
    await until(() => heard.length === 1, 'the first event')
    expect(heard).toEqual(['data: one\n\n'])
    upstream.goOn()
    await until(() => heard.length === 2, 'the second event')
    // An answer may start before the request body has ended.
    const early = httpRequest(`${proxy.url.origin}/early`, { method: 'POST', agent: false })
    early.on('error', () => {})
    early.write('the beginning')
    const answered = new Promise<IncomingMessage>((resolve) => early.on('response', resolve))
    expect((await collect(await answered)).body.toString()).toBe('before the body')
    early.destroy()
  })

  it('forwards 100 Continue before the client sends its body', async () => {
    const proxy = await proxyTo(upstream.url)
    const request = httpRequest(`${proxy.url.origin}/x`, {
      method: 'POST',
      agent: false,
      headers: { Expect: '100-continue', 'Content-Length': '2' },
    })
    const answered = new Promise<IncomingMessage>((resolve) => request.on('response', resolve))
    request.flushHeaders()
    await new Promise((resolve) => request.on('continue', resolve))
    request.end('hi')
    expect((await answered).statusCode).toBe(200)
  })

  it('tunnels an upgraded connection', async () => {
    const proxy = await proxyTo(upstream.url)
    const { port } = proxy.url
    const socket = connect(Number(port), '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
    })
    socket.write(
      'GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: abc\r\n\r\nearly ',
    )
    await until(() => heard.includes('EARLY'), 'what was sent at once')
    expect(heard).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: websocket\r\n/)
    socket.write(Buffer.from([0x82, 0x61, 0xd7, 0x00]))
    await until(() => heard.endsWith('\u0082A\u00d7\u0000'), 'the echo')
    socket.end()
    const [event] = await lab.traced(1)
    expect(event).toMatchObject({ op: 'request', result: { ok: true } })
    expect(event?.enrichment?.http).toMatchObject({ status: 101, reqBytes: 10, upgraded: true })
    const refused = await new Promise<string>((resolve) => {
      const other = connect(Number(port), '127.0.0.1')
      let text = ''
      other.on('data', (chunk: Buffer) => (text += chunk.toString()))
      other.on('close', () => resolve(text))
      other.write(
        'GET /no HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      )
    })
    expect(refused).toMatch(/^HTTP\/1\.1 403 Forbidden[\s\S]*\r\n\r\nno!\n$/)
    expect((await lab.traced(2))[1]?.result).toMatchObject({ ok: false, code: 'HTTP_403' })
  })
})
