import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { brokenAfter, hangUp, json, silence, sse, startServer } from '../test/server.ts'
import { ModelError } from './model-error.ts'
import {
  createTransport,
  type Deadlines,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from './transport.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

function keep<T extends { close(): unknown }>(thing: T): T {
  open.push(thing)
  return thing
}

const transport = (
  deadlines: Partial<Deadlines> = {},
  environment: Record<string, string> = {},
): Transport => keep(createTransport({ environment, deadlines }))

function post(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  const signal = new AbortController().signal
  return { method: 'POST', url: new URL(url), headers: {}, body: '{}', signal, ...more }
}

async function textOf(response: HttpResponse): Promise<string> {
  let text = ''
  for await (const chunk of response.body) text += chunk.toString('utf8')
  return text
}

/** What the promise was rejected with. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

describe('an exchange', () => {
  it('sends the body with its length, and asks for no compression', async () => {
    const server = keep(await startServer(json(200, { ok: true })))
    const request = post(`${server.url}/a/b?c=d`, { headers: { 'x-test': 'yes' }, body: '{"ä":1}' })
    const response = await transport().send(request)
    expect(response.status).toBe(200)
    expect(await textOf(response)).toBe('{"ok":true}')
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/a/b?c=d', body: '{"ä":1}' })
    expect(server.requests[0]?.headers).toMatchObject({
      'x-test': 'yes',
      host: `127.0.0.1:${server.port}`,
      'content-length': '8',
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('accept-encoding')
  })

  it('uses a connection again, also when the end of the last answer was not waited for', async () => {
    const server = keep(await startServer(sse('data: 1\n\n')))
    const { send } = transport()
    for (let n = 0; n < 3; n++) {
      const { body } = await send(post(server.url))
      for await (const chunk of body) {
        expect(chunk.length).toBeGreaterThan(0)
        body.finish()
        break
      }
      await pause(20)
    }
    expect(server.requests).toHaveLength(3)
    expect(server.connections()).toBe(1)
  })

  it('lets an unused connection go after a while', async () => {
    const server = keep(await startServer(json(200, {})))
    await textOf(await transport({ keepMs: 30 }).send(post(server.url)))
    await server.disconnected()
  })

  it('does not keep a connection that the server is about to close', async () => {
    const server = keep(await startServer(json(200, {}, { 'keep-alive': 'timeout=1' })))
    await textOf(await transport().send(post(server.url)))
    await server.disconnected()
  })

  it('does not queue: sixteen slow answers run side by side', async () => {
    let waiting: (() => void)[] = []
    const server = keep(
      await startServer((response) => {
        waiting.push(() => json(200, {})(response, server.requests[0]!))
        if (waiting.length < 16) return
        for (const answer of waiting) answer()
        waiting = []
      }),
    )
    const { send } = transport()
    const all = await Promise.all(Array.from({ length: 16 }, () => send(post(server.url))))
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
  })

  it('holds the server back while the consumer does not read, and loses nothing', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const pieces = 64
    let written = 0
    const server = keep(
      await startServer(async (response) => {
        for (; written < pieces; written++) {
          if (!response.write(piece)) await once(response, 'drain')
        }
        response.end()
      }),
    )
    const { body } = await transport().send(post(server.url))
    const chunks = body[Symbol.asyncIterator]()
    let size = (await chunks.next()).value?.length ?? 0
    for (let n = 0; n < 200; n++) await turn()
    expect(written).toBeLessThan(pieces / 2)
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      size += next.value.length
    }
    expect(size).toBe(pieces * piece.length)
  }, 20_000)
})

describe('an abort', () => {
  const reason = new Error('enough')

  it('before the request sends nothing', async () => {
    const server = keep(await startServer(json(200, {})))
    expect(
      await failureOf(transport().send(post(server.url, { signal: AbortSignal.abort(reason) }))),
    ).toBe(reason)
    expect(server.connections()).toBe(0)
  })

  it('while connecting ends the wait', async () => {
    const proxy = keep(await startSilentListener())
    const stop = new AbortController()
    const { send } = transport({}, { HTTPS_PROXY: proxy.url })
    const sent = send(post('https://api.test/', { signal: stop.signal }))
    await proxy.connected
    stop.abort(reason)
    expect(await failureOf(sent)).toBe(reason)
  })

  it('while waiting for the head drops the connection', async () => {
    const server = keep(await startServer(silence))
    const stop = new AbortController()
    const sent = transport().send(post(server.url, { signal: stop.signal }))
    const seen = await server.request(1)
    stop.abort(reason)
    expect(await failureOf(sent)).toBe(reason)
    await seen.closed
  })

  it('while the body arrives drops the connection, whether anyone is waiting or not', async () => {
    for (const waiting of [true, false]) {
      const server = keep(await startServer((response) => response.write('data: 1\n\n')))
      const stop = new AbortController()
      const { body } = await transport().send(post(server.url, { signal: stop.signal }))
      const chunks = body[Symbol.asyncIterator]()
      await chunks.next()
      if (waiting) {
        const next = chunks.next()
        stop.abort(reason)
        expect(await failureOf(next)).toBe(reason)
      } else {
        stop.abort(reason)
        expect(await failureOf(chunks.next())).toBe(reason)
      }
      await server.requests[0]?.closed
    }
  })

  it('leaves no listener behind on a signal that lives on', async () => {
    const server = keep(await startServer(sse('data: 1\n\n')))
    const { send } = transport()
    const { signal } = new AbortController()
    const warnings: unknown[] = []
    const onWarning = (warning: unknown): void => void warnings.push(warning)
    process.on('warning', onWarning)
    for (let n = 0; n < 30; n++) await textOf(await send(post(server.url, { signal })))
    await turn()
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})

describe('a deadline', () => {
  it('for the connection, for the head and for the next bytes is a timeout', async () => {
    const proxy = keep(await startSilentListener())
    const tunnel = transport({ connectMs: 30 }, { https_proxy: proxy.url })
    expect(await failureOf(tunnel.send(post('https://api.test/')))).toMatchObject({
      kind: 'timeout',
      message: 'Connection failed: no connection to api.test within 30 ms',
      transient: true,
    })

    const silent = keep(await startServer(silence))
    expect(await failureOf(transport({ firstByteMs: 30 }).send(post(silent.url)))).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^Connection failed: no answer from /) as string,
      transient: true,
    })
    await silent.requests[0]?.closed

    const stalls = keep(await startServer((response) => response.write('data: 1\n\n')))
    const response = await transport({ idleMs: 30 }).send(post(stalls.url))
    expect(await failureOf(textOf(response))).toMatchObject({
      kind: 'timeout',
      message: 'Stream error: nothing received for 30 ms',
    })
    await stalls.requests[0]?.closed
  })

  it('does not run while the consumer is busy', async () => {
    const server = keep(
      await startServer((response) => {
        response.write('1')
        setTimeout(() => response.end('2'), 100)
      }),
    )
    const { body } = await transport({ idleMs: 2000 }).send(post(server.url))
    let text = ''
    for await (const chunk of body) {
      text += chunk.toString()
      await pause(150)
    }
    expect(text).toBe('12')
    const eager = await transport({ idleMs: 60 }).send(
      post(keep(await startServer(json(200, 1))).url),
    )
    const chunks = eager.body[Symbol.asyncIterator]()
    await pause(120)
    expect((await chunks.next()).value?.toString()).toBe('1')
  })
})

describe('a fault', () => {
  it('names who could not be reached and why', async () => {
    const closed = await startServer(silence)
    await closed.close()
    expect(await failureOf(transport().send(post(closed.url)))).toMatchObject({
      kind: 'timeout',
      message: `Connection failed: 127.0.0.1:${closed.port}: nobody is listening there (ECONNREFUSED)`,
      transient: true,
    })
    const both = await failureOf(transport().send(post(`http://localhost:${closed.port}`)))
    expect(both).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') as string })
  })

  it('of a name that does not exist is not worth another try', async () => {
    expect(await failureOf(transport().send(post('http://nowhere.invalid/')))).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^Connection failed: nowhere\.invalid: /) as string,
    })
  })

  it('before the head is a failed connection, after it a stream error with all that came', async () => {
    const rude = keep(await startServer(hangUp))
    expect(await failureOf(transport().send(post(rude.url)))).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('the server closed the connection (ECONNRESET)') as string,
      transient: true,
    })
    const server = keep(await startServer(brokenAfter('data: 1\n\n')))
    const { body } = await transport().send(post(server.url))
    const seen: string[] = []
    const error = await failureOf(
      (async () => {
        for await (const chunk of body) seen.push(chunk.toString())
      })(),
    )
    expect(seen.join('')).toBe('data: 1\n\n')
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/^Stream error: ./) as string,
    })
  })

  it('does not take away what had arrived before a slow consumer came to read it', async () => {
    const server = keep(
      await startServer((response) => {
        response.write('one')
        setTimeout(() => brokenAfter('two')(response), 30)
      }),
    )
    const { body } = await transport().send(post(server.url))
    let text = ''
    const error = await failureOf(
      (async () => {
        for await (const chunk of body) {
          text += chunk.toString()
          await pause(200)
        }
      })(),
    )
    expect(text).toBe('onetwo')
    expect(error).toMatchObject({ message: expect.stringMatching(/^Stream error: /) as string })
  })

  it('in the language of the server is not a failed connection', async () => {
    const telnet = keep(
      await startListener((socket) => socket.once('data', () => socket.end('Welcome!\r\n'))),
    )
    expect(await failureOf(transport().send(post(telnet.url)))).toMatchObject({
      kind: 'http_status',
      message: expect.stringMatching(/^Network error: 127\.0\.0\.1:\d+: Parse Error/) as string,
      transient: false,
    })
  })

  it('of a server that switches protocols, or closes without a word, does not hang', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
    for (const answer of [upgrade, '']) {
      const odd = keep(
        await startListener((socket) => socket.once('data', () => socket.end(answer))),
      )
      expect(await failureOf(transport().send(post(odd.url)))).toMatchObject({
        message: expect.stringMatching(/^Connection failed: /) as string,
      })
    }
  })

  it('on a connection that had been idle may be tried again at once', async () => {
    const server = keep(await startServer(json(200, {}), hangUp))
    const { send } = transport()
    await textOf(await send(post(server.url)))
    await pause(20)
    expect(await failureOf(send(post(server.url)))).toMatchObject({ retryAfterMs: 0 })
  })

  it('in a header is reported without its value', async () => {
    const error = await failureOf(
      transport().send(post('http://127.0.0.1:9', { headers: { k: 'se\ncret' } })),
    )
    expect(error).toMatchObject({ message: expect.not.stringContaining('cret') as string })
  })
})

describe('a proxy', () => {
  it('gets plain requests whole, with its credentials', async () => {
    const proxy = keep(await startServer(json(200, { via: 'proxy' })))
    const environment = { http_proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` }
    const response = await transport({}, environment).send(post('http://api.test:81/v1/x?y=1'))
    expect(await textOf(response)).toBe('{"via":"proxy"}')
    expect(proxy.requests[0]).toMatchObject({ path: 'http://api.test:81/v1/x?y=1' })
    expect(proxy.requests[0]?.headers).toMatchObject({
      host: 'api.test:81',
      'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    })
  })

  it('that refuses a tunnel is named, its password is not', async () => {
    const proxy = keep(await startRefusingProxy())
    const { send } = transport({}, { HTTPS_PROXY: `http://me:hidden@127.0.0.1:${proxy.port}` })
    const error = await failureOf(send(post('https://api.test/')))
    expect(error).toMatchObject({
      message: `Connection failed: the proxy 127.0.0.1:${proxy.port} answered 407 to CONNECT`,
      transient: false,
    })
  })
})

interface Listener {
  url: string
  port: number
  connected: Promise<unknown>
  close(): void
}

/** Accepts connections and says nothing. */
async function startSilentListener(): Promise<Listener> {
  return startListener(() => {})
}

async function startRefusingProxy(): Promise<Listener> {
  return startListener((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  })
}

async function startListener(onSocket: (socket: net.Socket) => void): Promise<Listener> {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  const connected = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connected,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
