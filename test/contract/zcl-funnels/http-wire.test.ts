// The HTTP proxy at the byte level, between a raw client socket and a raw upstream socket.
import { readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { createServer as createSecureServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { selfSigned } from '../../../packages/llm/test/self-signed.ts'
import { createLab, listen, startProxy, until, type Env, type Lab, type Started } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

async function proxyTo(upstream: string, env: Env = {}): Promise<Started & { port: number }> {
  const proxy = await startProxy(lab, 'http', upstream, [], env)
  return { ...proxy, port: Number(proxy.url.port) }
}

interface RawUpstream {
  url: string
  /** Bytes that each connection has sent. */
  heard: string[]
}

/** `answer` receives everything that a connection has sent, after each chunk. */
async function rawUpstream(
  answer: (heard: string, socket: Socket, connection: number) => void,
  server: Server = createServer(),
): Promise<RawUpstream> {
  const heard: string[] = []
  const join = (socket: Socket) => {
    const connection = heard.push('') - 1
    socket.on('data', (chunk: Buffer) => {
      heard[connection] += chunk.toString('latin1')
      answer(heard[connection] ?? '', socket, connection)
    })
    socket.on('error', () => {})
  }
  server.on('secureConnection', join)
  if (!('setSecureContext' in server)) server.on('connection', join)
  return { url: `http://${await listen(lab, server)}`, heard }
}

interface Client {
  socket: Socket
  heard(): string
  closed(): boolean
}

function client(port: number, text: string): Client {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  lab.closeWith(() => socket.destroy())
  let heard = ''
  let isClosed = false
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (isClosed = true))
  socket.write(Buffer.from(text, 'latin1'))
  return { socket, heard: () => heard, closed: () => isClosed }
}

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const short = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

describe('the HTTP proxy on the wire', () => {
  it('answers pipelined requests in order', async () => {
    const upstream = await rawUpstream((heard, socket) => {
      const target = /GET (\S+) HTTP\/1\.1\r\n[^]*\r\n\r\n$/.exec(heard)?.[1]
      if (target === undefined) return
      const body = heard.split('\r\n\r\n').length - 1
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${body}`)
    })
    const proxy = await proxyTo(upstream.url)
    const { heard } = client(proxy.port, get('/a') + get('/b') + get('/c'))
    await until(() => heard().endsWith('\r\n\r\n3'), 'three answers')
    expect(heard().match(/\r\n\r\n\d/g)).toEqual(['\r\n\r\n1', '\r\n\r\n2', '\r\n\r\n3'])
    expect(upstream.heard).toHaveLength(1)
    const trace = await lab.traced(3)
    expect(trace.map(({ input }) => String(input.url).slice(-2))).toEqual(['/a', '/b', '/c'])
  })

  it.each([
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n'],
    ['one length twice', 'Content-Length: 4\r\nContent-Length: 4\r\n'],
    ['a list of lengths', 'Content-Length: 4, 4\r\n'],
    ['a length with a sign', 'Content-Length: +4\r\n'],
    ['a coding that is not the last', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a coding hidden by a tab', 'Transfer-Encoding:\tchunked\x0b\r\n'],
    ['a name with a space', 'Content-Length : 4\r\n'],
    ['a folded header line', 'X: a\r\n\tContent-Length: 4\r\n'],
    ['a line feed alone', 'X: a\nContent-Length: 4\r\n'],
    ['a second host', 'Host: y\r\n'],
  ])('refuses %s and forwards nothing of it', async (_name, fields) => {
    const upstream = await rawUpstream((_heard, socket) => socket.write(short))
    const proxy = await proxyTo(upstream.url)
    const { heard, closed } = client(proxy.port, `${get('/x', fields)}abcd${get('/smuggled')}`)
    await until(closed, 'the end')
    expect(heard()).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    expect(upstream.heard).toEqual([])
  })

  it('keeps Content-Length although Connection names it', async () => {
    const upstream = await rawUpstream((heard, socket) => {
      if (heard.endsWith('hello')) socket.write(short)
    })
    const proxy = await proxyTo(upstream.url)
    const fields = 'Connection: keep-alive, Content-Length\r\nContent-Length: 5\r\n'
    const { heard } = client(proxy.port, `POST /x HTTP/1.1\r\nHost: x\r\n${fields}\r\nhello`)
    await until(() => heard().endsWith('hi'), 'the answer')
    expect(upstream.heard[0]).toContain('\r\nContent-Length: 5\r\n')
  })

  it('reads the rest of a request that was already answered', async () => {
    const upstream = await rawUpstream((heard, socket, connection) => {
      const isFirst = heard.length < 70_000
      if (connection === 0 && heard.includes('/1') && isFirst && !heard.includes('answered')) {
        upstream.heard[0] += 'answered'
        socket.write(short)
      } else if (heard.endsWith('\r\n\r\n')) socket.write(short)
    })
    const proxy = await proxyTo(upstream.url)
    const length = 6_000_000
    const { heard, socket } = client(
      proxy.port,
      `POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`,
    )
    await until(() => heard().endsWith('hi'), 'the first answer')
    socket.write(Buffer.alloc(length, 'x'))
    socket.write(get('/2'))
    await until(() => heard().split('\r\n\r\nhi').length === 3, 'the second answer')
    expect((await lab.traced(2)).map(({ result }) => result.ok)).toEqual([true, true])
  })

  it('refuses endless heads and other protocols', async () => {
    const upstream = await rawUpstream((_heard, socket) => socket.write(short))
    const proxy = await proxyTo(upstream.url)
    const large = client(proxy.port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(1_100_000)}`)
    await until(large.closed, 'the end of a large head')
    expect(large.heard()).toMatch(/^HTTP\/1\.1 431 /)
    const secure = client(proxy.port, '\x16\x03\x01\x02\x00\x01\x00')
    await until(secure.closed, 'the end of TLS')
    expect(secure.heard()).toMatch(/^HTTP\/1\.1 400 /)
    expect(upstream.heard).toEqual([])
  })

  it('sends HTTP/1.0 clients the content without chunks', async () => {
    const upstream = await rawUpstream((_heard, socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n')
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
      socket.write('2;x=y\r\nde\r\n0\r\nX-T: 1\r\n\r\n')
    })
    const proxy = await proxyTo(upstream.url)
    const old = client(proxy.port, 'GET / HTTP/1.0\r\n\r\n')
    await until(old.closed, 'the end')
    expect(old.heard()).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcde')
    const present = client(proxy.port, get('/'))
    await until(() => present.heard().endsWith('X-T: 1\r\n\r\n'), 'the answer')
    expect(present.heard()).toBe(
      'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n' +
        '3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-T: 1\r\n\r\n',
    )
    const [event] = await lab.traced(2)
    expect(event?.io).toMatchObject({ outBytes: 5, outPreview: 'abcde' })
  })

  it('distinguishes a close-delimited answer from a truncated one', async () => {
    const upstream = await rawUpstream((heard, socket) => {
      socket.write('HTTP/1.0 200 Fine\r\n\r\nall of it')
      if (heard.includes('/whole')) socket.end()
      else setTimeout(() => socket.resetAndDestroy(), 50)
    })
    const proxy = await proxyTo(upstream.url)
    const whole = client(proxy.port, get('/whole'))
    await until(() => whole.heard().endsWith('0\r\n\r\n'), 'the end')
    const head = 'HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n'
    expect(whole.heard()).toBe(`${head}9\r\nall of it\r\n0\r\n\r\n`)
    const broken = client(proxy.port, get('/broken'))
    await until(broken.closed, 'the cut')
    expect(broken.heard()).toBe(`${head}9\r\nall of it\r\n`)
    const old = client(proxy.port, 'GET /whole HTTP/1.0\r\n\r\n')
    await until(old.closed, 'the end for a client of old')
    expect(old.heard()).toBe('HTTP/1.1 200 Fine\r\nConnection: close\r\n\r\nall of it')
    const trace = await lab.traced(3)
    expect(trace.map(({ result }) => result.code)).toEqual([
      ...[undefined, 'HTTP_PROXY_ERROR', undefined],
    ])
  })

  it('retries on a closed keep-alive connection only for idempotent requests', async () => {
    const upstream = await rawUpstream((heard, socket, connection) => {
      if (connection > 1 || heard.split('HTTP/1.1').length === 2) socket.write(short)
      else socket.destroy()
    })
    const proxy = await proxyTo(upstream.url)
    const first = client(proxy.port, get('/1'))
    await until(() => first.heard().endsWith('hi'), 'the first')
    first.socket.write(get('/2'))
    await until(() => first.heard().split('\r\n\r\nhi').length === 3, 'the second')
    expect(upstream.heard.map((text) => text.match(/ \/\d/g))).toEqual([[' /1', ' /2'], [' /2']])
    first.socket.write('POST /3 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx')
    await until(() => first.heard().includes('502 Bad Gateway'), 'the refusal')
    const [, , third] = await lab.traced(3)
    expect(third?.enrichment?.http).toMatchObject({ status: 502, error: 'ECONNRESET' })
  })

  it('answers 502 for an upstream that does not speak HTTP', async () => {
    const upstream = await rawUpstream((_heard, socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'))
    const proxy = await proxyTo(upstream.url)
    const { heard } = client(proxy.port, get('/x'))
    await until(() => heard().startsWith('HTTP/1.1 502 Bad Gateway'), 'the answer')
    const [event] = await lab.traced(1)
    expect(event?.enrichment?.http).toMatchObject({ status: 502, error: 'EPROTO' })
  })

  it('does not reuse a connection with surplus bytes', async () => {
    const upstream = await rawUpstream((_heard, socket) => socket.write(`${short}${short}`))
    const proxy = await proxyTo(upstream.url)
    const { heard, socket } = client(proxy.port, get('/1'))
    await until(() => heard().endsWith('hi'), 'the first')
    socket.write(get('/2'))
    await until(() => heard().split('hi').length === 3, 'the second')
    expect(upstream.heard).toHaveLength(2)
  })

  it('connects with TLS to an https upstream', async () => {
    const certificate = selfSigned('localhost')
    const server = createSecureServer({ ...certificate })
    const upstream = await rawUpstream((heard, socket) => {
      if (heard.endsWith('0\r\n\r\n')) socket.write(short)
    }, server)
    const ca = path.join(lab.home, 'ca.pem')
    writeFileSync(ca, certificate.cert)
    const url = upstream.url.replace('http://127.0.0.1', 'https://localhost')
    const body =
      'POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'
    const trusting = await proxyTo(url, { NODE_EXTRA_CA_CERTS: ca })
    const { heard } = client(trusting.port, body)
    await until(() => heard().endsWith('hi'), 'the answer')
    expect(upstream.heard[0]).toMatch(/^POST \/x HTTP\/1\.1\r\nHost: localhost:\d+\r\n/)
    const wary = await proxyTo(url)
    const other = client(wary.port, body)
    await until(() => other.heard().startsWith('HTTP/1.1 502'), 'the refusal')
    const [first, second] = await lab.traced(2)
    expect(first?.input.url).toBe(`${url}/x`)
    expect(second?.result.code).toBe('HTTP_PROXY_ERROR')
  })

  it.each(['answer', 'request'])(
    'buffers little of a large %s for a slow reader',
    async (which) => {
      const bytes = 200_000_000
      const piece = Buffer.alloc(1_000_000, 'x')
      let taken = 0
      const flood = (socket: Socket) => {
        let sent = 0
        const more = () => {
          while (sent < bytes) {
            sent += piece.length
            if (!socket.write(piece)) break
          }
        }
        socket.on('drain', more)
        more()
      }
      const sip = (socket: Socket) => {
        socket.on('data', (chunk: Buffer) => {
          taken += chunk.length
          socket.pause()
          setTimeout(() => socket.resume(), taken < 4_000_000 ? 20 : 0)
        })
      }
      const upstream = await rawUpstream((heard, socket) => {
        if (socket.listenerCount('data') > 1 || heard.length < 20) return
        if (which === 'answer') {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`)
          flood(socket)
        } else {
          taken += heard.length
          socket.removeAllListeners('data')
          sip(socket)
        }
      })
      const proxy = await proxyTo(upstream.url)
      const before = peakMegabytes(proxy.child.pid)
      const asking = connect(proxy.port, '127.0.0.1')
      lab.closeWith(() => asking.destroy())
      asking.on('error', () => {})
      if (which === 'answer') {
        asking.write(get('/large'))
        sip(asking)
      } else {
        asking.write(`POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
        flood(asking)
      }
      await until(() => taken >= bytes, 'all of it', 100_000)
      // Of 200 MB; the rest is garbage that V8 has not collected yet, which differs between Node versions.
      expect(peakMegabytes(proxy.child.pid) - before).toBeLessThan(120)
    },
    120_000,
  )

  it('closes the upstream connection when the client leaves', async () => {
    let isGone = false
    const upstream = await rawUpstream((_heard, socket) => {
      socket.on('close', () => (isGone = true))
    })
    const proxy = await proxyTo(upstream.url)
    const { socket } = client(proxy.port, get('/never'))
    await until(() => (upstream.heard[0] ?? '') !== '', 'the request')
    socket.destroy()
    await until(() => isGone, 'the end of the connection to the upstream')
    expect((await lab.traced(1))[0]?.result.code).toBe('HTTP_CLIENT_ABORTED')
  })

  it('continues after a declined upgrade', async () => {
    const upstream = await rawUpstream((heard, socket) => {
      if (heard.endsWith('\r\n\r\nabc')) socket.write(short)
    })
    const proxy = await proxyTo(upstream.url)
    const answered = await new Promise<IncomingMessage>((resolve) => {
      const request = httpRequest({
        ...{ port: proxy.port, host: '127.0.0.1', method: 'POST', path: '/x' },
        headers: { Connection: 'Upgrade', Upgrade: 'h2c', 'Content-Length': '3' },
      })
      request.on('response', resolve)
      request.end('abc')
    })
    answered.resume()
    expect(answered.statusCode).toBe(200)
    expect((await lab.traced(1))[0]?.enrichment?.http).toMatchObject({
      ...{ status: 200, reqBytes: 3, respBytes: 2, upgraded: false },
    })
  })
})

function peakMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024
}
