import { once } from 'node:events'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { json, silence, sse, startServer } from '../../test/server.ts'
import {
  rejectionOf,
  post,
  startSilentListener,
  readBody,
  withTransports,
} from '../../test/transports.ts'

const { keep, transport } = withTransports()

describe('the HTTP transport', () => {
  it('sends the body with its length and does not request compression', async () => {
    const server = keep(await startServer(json(200, { ok: true })))
    const request = post(`${server.url}/a/b?c=d`, { headers: { 'x-test': 'yes' }, body: '{"ä":1}' })
    const response = await transport().send(request)
    expect(response.status).toBe(200)
    expect(await readBody(response)).toBe('{"ok":true}')
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/a/b?c=d', body: '{"ä":1}' })
    expect(server.requests[0]?.headers).toMatchObject({
      'x-test': 'yes',
      host: `127.0.0.1:${server.port}`,
      'content-length': '8',
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('accept-encoding')
  })

  it('reuses a connection, also if the consumer did not read the last response to its end', async () => {
    const server = keep(await startServer(sse('data: 1\n\n')))
    const { send } = transport()
    for (let n = 0; n < 3; n++) {
      const { body } = await send(post(server.url))
      for await (const chunk of body) {
        expect(chunk.length).toBeGreaterThan(0)
        body.discardRest()
        break
      }
      await server.requests[n]?.closed
      await pause(20)
    }
    expect(server.requests).toHaveLength(3)
    expect(server.connections()).toBe(1)
  })

  it('closes an idle connection after the keep-alive time', async () => {
    const server = keep(await startServer(json(200, {})))
    await readBody(await transport({ keepAliveMs: 30 }).send(post(server.url)))
    await server.disconnected()
  })

  it.each([
    ['timeout=0', 2],
    ['timeout=1', 2],
    ['timeout=2', 1],
    ['max=9, timeout=30', 1],
    ['max=9', 1],
  ])('after a keep-alive header of %s, two requests use %i connections', async (header, count) => {
    const server = keep(await startServer(json(200, {}, { 'keep-alive': header })))
    const { send } = transport()
    for (let n = 0; n < 2; n++) {
      await readBody(await send(post(server.url)))
      await turn()
    }
    expect(server.connections()).toBe(count)
  })

  it('keeps no connection without a keep-alive time', async () => {
    const server = keep(await startServer(json(200, {})))
    const { send } = transport({ keepAliveMs: 0 })
    for (let n = 0; n < 2; n++) await readBody(await send(post(server.url)))
    expect(server.connections()).toBe(2)
  })

  it('closes its idle connections when it is closed', async () => {
    const server = keep(await startServer(json(200, {})))
    const used = transport()
    await readBody(await used.send(post(server.url)))
    used.close()
    await server.disconnected()
  })

  it('sends the credentials of the URL, unless the request has its own', async () => {
    const server = keep(await startServer(json(200, {})))
    const url = server.url.replace('://', '://me:p%40ss@')
    const { send } = transport()
    await readBody(await send(post(url)))
    await readBody(await send(post(url, { headers: { authorization: 'Bearer k' } })))
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      'Bearer k',
    ])
  })

  it('reports the whole request as sent before the answer arrives', async () => {
    const seen: string[] = []
    const server = keep(
      await startServer((response, request) => {
        seen.push('answered')
        json(200, {})(response, request)
      }),
    )
    await readBody(
      await transport().send(post(server.url, { onSent: () => void seen.push('sent') })),
    )
    expect(seen).toEqual(['sent', 'answered'])
  })

  it('does not queue requests: 16 slow responses run concurrently', async () => {
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

  it('applies back-pressure while the consumer does not read, and loses no bytes', async () => {
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

  it('before the request prevents it', async () => {
    const server = keep(await startServer(json(200, {})))
    expect(
      await rejectionOf(transport().send(post(server.url, { signal: AbortSignal.abort(reason) }))),
    ).toBe(reason)
    expect(server.connections()).toBe(0)
  })

  it('during the connection attempt ends the wait', async () => {
    const proxy = keep(await startSilentListener())
    const stop = new AbortController()
    const { send } = transport({}, { HTTPS_PROXY: proxy.url })
    const sent = send(post('https://api.test/', { signal: stop.signal }))
    await proxy.connected
    stop.abort(reason)
    expect(await rejectionOf(sent)).toBe(reason)
  })

  it('before the response head closes the connection', async () => {
    const server = keep(await startServer(silence))
    const stop = new AbortController()
    const sent = transport().send(post(server.url, { signal: stop.signal }))
    const seen = await server.request(1)
    stop.abort(reason)
    expect(await rejectionOf(sent)).toBe(reason)
    await seen.closed
  })

  it('during the body closes the connection, whether the consumer is waiting or not', async () => {
    for (const waiting of [true, false]) {
      const server = keep(await startServer((response) => response.write('data: 1\n\n')))
      const stop = new AbortController()
      const { body } = await transport().send(post(server.url, { signal: stop.signal }))
      const chunks = body[Symbol.asyncIterator]()
      await chunks.next()
      if (waiting) {
        const next = chunks.next()
        stop.abort(reason)
        expect(await rejectionOf(next)).toBe(reason)
      } else {
        stop.abort(reason)
        expect(await rejectionOf(chunks.next())).toBe(reason)
      }
      await server.requests[0]?.closed
    }
  })

  it('leaves no listener on a long-lived signal', async () => {
    const server = keep(await startServer(sse('data: 1\n\n')))
    const { send } = transport()
    const { signal } = new AbortController()
    const warnings: unknown[] = []
    const onWarning = (warning: unknown): void => void warnings.push(warning)
    process.on('warning', onWarning)
    for (let n = 0; n < 30; n++) await readBody(await send(post(server.url, { signal })))
    await turn()
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})
