import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { brokenAfter, hangUp, json, silence, startServer } from '../../test/server.ts'
import {
  rejectionOf,
  post,
  startListener,
  startRefusingProxy,
  startSilentListener,
  readBody,
  withTransports,
} from '../../test/transports.ts'
import { ModelError } from '../errors/errors.ts'
import { connectionError } from './connection-error.ts'

const { keep, transport } = withTransports()

describe('a deadline', () => {
  it('for the connection, the response head or the next bytes ends in a timeout error', async () => {
    const proxy = keep(await startSilentListener())
    const tunnel = transport({ connectMs: 30 }, { https_proxy: proxy.url })
    expect(await rejectionOf(tunnel.send(post('https://api.test/')))).toMatchObject({
      kind: 'timeout',
      message: 'Connection failed: no connection to api.test within 30 ms',
      transient: true,
    })

    const silent = keep(await startServer(silence))
    expect(await rejectionOf(transport({ firstByteMs: 30 }).send(post(silent.url)))).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^Connection failed: no answer from /) as string,
      transient: true,
    })
    await silent.requests[0]?.closed

    const stalls = keep(await startServer((response) => response.write('data: 1\n\n')))
    const response = await transport({ idleMs: 30 }).send(post(stalls.url))
    expect(await rejectionOf(readBody(response))).toMatchObject({
      kind: 'timeout',
      message: 'Stream error: nothing received for 30 ms',
    })
    await stalls.requests[0]?.closed
  })

  it('for the next bytes does not run while the consumer is busy', async () => {
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

describe('a connection fault', () => {
  it('is reported with host, port and reason', async () => {
    const closed = await startServer(silence)
    await closed.close()
    expect(await rejectionOf(transport().send(post(closed.url)))).toMatchObject({
      kind: 'timeout',
      message: `Connection failed: 127.0.0.1:${closed.port}: connection refused (ECONNREFUSED)`,
      transient: true,
    })
    const both = await rejectionOf(transport().send(post(`http://localhost:${closed.port}`)))
    expect(both).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') as string })
  })

  it('caused by an unknown host is reported with its name and is not transient', async () => {
    expect(await rejectionOf(transport().send(post('http://nowhere.invalid/')))).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^Connection failed: nowhere\.invalid: /) as string,
    })
    // Without any network the resolver reports EAI_AGAIN instead of ENOTFOUND.
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND x'), { code: 'ENOTFOUND' })
    expect(connectionError(unknown, 'x', false)).toMatchObject({
      message: 'Connection failed: x: no such host (ENOTFOUND)',
      transient: false,
    })
  })

  it('before the response head is a failed connection, and after it a stream error with all received bytes', async () => {
    const rude = keep(await startServer(hangUp))
    expect(await rejectionOf(transport().send(post(rude.url)))).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('the server closed the connection (ECONNRESET)') as string,
      transient: true,
    })
    const server = keep(await startServer(brokenAfter('data: 1\n\n')))
    const { body } = await transport().send(post(server.url))
    const seen: string[] = []
    const error = await rejectionOf(
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

  it('does not discard bytes that a slow consumer has yet to read', async () => {
    const server = keep(
      await startServer((response) => {
        response.write('one')
        setTimeout(() => brokenAfter('two')(response), 30)
      }),
    )
    const { body } = await transport().send(post(server.url))
    let text = ''
    const error = await rejectionOf(
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

  it('caused by a malformed response is a network error, not a failed connection', async () => {
    const telnet = keep(
      await startListener((socket) => socket.once('data', () => socket.end('Welcome!\r\n'))),
    )
    expect(await rejectionOf(transport().send(post(telnet.url)))).toMatchObject({
      kind: 'http_status',
      message: expect.stringMatching(/^Network error: 127\.0\.0\.1:\d+: Parse Error/) as string,
      transient: false,
    })
  })

  it('does not hang if the server switches protocols or closes without a response', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
    for (const [answer, reason] of [
      [upgrade, 'the connection was closed'],
      ['', 'the server closed the connection (ECONNRESET)'],
    ] as const) {
      const odd = keep(
        await startListener((socket) => socket.once('data', () => socket.end(answer))),
      )
      expect(await rejectionOf(transport().send(post(odd.url)))).toMatchObject({
        message: `Connection failed: 127.0.0.1:${odd.port}: ${reason}`,
      })
    }
  })

  it('on a reused connection can be retried at once', async () => {
    const server = keep(await startServer(json(200, {}), hangUp))
    const { send } = transport()
    await readBody(await send(post(server.url)))
    await pause(20)
    expect(await rejectionOf(send(post(server.url)))).toMatchObject({ retryAfterMs: 0 })
  })

  it('caused by an invalid header is reported without its value', async () => {
    const error = await rejectionOf(
      transport().send(post('http://127.0.0.1:9', { headers: { k: 'se\ncret' } })),
    )
    expect(error).toMatchObject({ message: expect.not.stringContaining('cret') as string })
  })
})

describe('a proxy', () => {
  it('receives http requests with the full URL and its credentials', async () => {
    const proxy = keep(await startServer(json(200, { via: 'proxy' })))
    const environment = { http_proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` }
    const response = await transport({}, environment).send(post('http://api.test:81/v1/x?y=1'))
    expect(await readBody(response)).toBe('{"via":"proxy"}')
    expect(proxy.requests[0]).toMatchObject({ path: 'http://api.test:81/v1/x?y=1' })
    expect(proxy.requests[0]?.headers).toMatchObject({
      host: 'api.test:81',
      'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    })
  })

  it('is found by its own name, even if a request replaces the lookup of the server', async () => {
    const proxy = keep(await startServer(json(200, {})))
    const { send } = transport({}, { http_proxy: `http://localhost:${proxy.port}` })
    const lookup = (host: string): never => {
      throw new Error(`looked up ${host}`)
    }
    expect(await send(post('http://api.test/', { lookup }))).toMatchObject({ status: 200 })
  })

  it('receives a password with a bare percent sign unchanged', async () => {
    const proxy = keep(await startServer(json(200, {})))
    const environment = { http_proxy: `http://me:50%@127.0.0.1:${proxy.port}` }
    await readBody(await transport({}, environment).send(post('http://api.test/')))
    expect(proxy.requests[0]?.headers).toMatchObject({
      'proxy-authorization': `Basic ${Buffer.from('me:50%').toString('base64')}`,
    })
  })

  it('that refuses a tunnel is named in the error without its password', async () => {
    const proxy = keep(await startRefusingProxy())
    const { send } = transport({}, { HTTPS_PROXY: `http://me:hidden@127.0.0.1:${proxy.port}` })
    const error = await rejectionOf(send(post('https://api.test/')))
    expect(error).toMatchObject({
      message: `Connection failed: the proxy 127.0.0.1:${proxy.port} answered 407 to CONNECT`,
      transient: false,
    })
  })
})
