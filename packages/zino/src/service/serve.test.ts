import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerOf, Caller, lastOf } from '../../test/caller.ts'
import { recordingLog } from '../../test/log.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { until } from '../../test/until.ts'
import { encodeFrame } from '../wire/wire.ts'
import type { RunningService } from './serve.ts'
import { serve } from './serve.ts'
import type { Exchange, Handler, Service } from './service.ts'
import { handlersOf } from './service.ts'

async function start(
  table: Record<string, Handler>,
  rest: Partial<Service> = {},
): Promise<{ path: string; running: RunningService }> {
  const socket = path.join(tempFolder(), 's.sock')
  const running = await serve(
    { handlers: handlersOf(table), ...rest },
    { path: socket, log: recordingLog() },
  )
  onTestFinished(() => running.stop())
  return { path: socket, running }
}

/** A handler that runs until its signal fires, and its counters. */
function waiting() {
  const seen = { started: 0, aborted: 0 }
  const handler: Handler = async (_message, { signal }) => {
    seen.started += 1
    if (!signal.aborted) await once(signal, 'abort')
    seen.aborted += 1
    throw signal.reason
  }
  return { seen, handler }
}

const header = (length: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}
const raw = (body: string) => Buffer.concat([header(Buffer.byteLength(body)), Buffer.from(body)])

describe('a connection', () => {
  it('answers ping with pong in every service', async () => {
    const { path } = await start({})
    expect(await lastOf(path, { type: 'ping', more: 1 })).toEqual({ type: 'pong' })
  })

  it.each([
    ['no type', { hello: 1 }],
    ['an unknown type', { type: 'nope' }],
    ['a number for a type', { type: 5 }],
    ['null for a type', { type: null }],
    ['a list for a type', { type: ['ping'] }],
    ['__proto__', { type: '__proto__' }],
    ['constructor', { type: 'constructor' }],
    ['toString', { type: 'toString' }],
  ])('answers %s with an error frame', async (_name, message) => {
    const { path } = await start({})
    expect(await lastOf(path, message)).toMatchObject({
      type: 'error',
      message: expect.any(String),
    })
  })

  it.each([
    ['an answer', () => ({ type: 'ok' })],
    [
      'an error',
      () => {
        throw new Error('no')
      },
    ],
  ])('reports that the last frame has left after %s', async (_name, answer: () => object) => {
    const sent: boolean[] = []
    const handler: Handler = (_message, exchange) => {
      exchange.onLastSent((isSent) => sent.push(isSent))
      return answer()
    }
    const { path } = await start({ go: handler })
    await lastOf(path, { type: 'go' })
    await until(() => sent.length > 0, 5000)
    expect(sent).toEqual([true])
  })

  it('reports that the last frame has not left when the caller is gone', async () => {
    const sent: boolean[] = []
    let isStarted = false
    const handler: Handler = async (_message, exchange) => {
      exchange.onLastSent((isSent) => sent.push(isSent))
      isStarted = true
      await once(exchange.signal, 'abort')
      return { type: 'ok' }
    }
    const { path } = await start({ go: handler })
    const caller = await Caller.open(path)
    caller.send({ type: 'go' })
    await until(() => isStarted, 5000)
    caller.socket.destroy()
    await until(() => sent.length > 0, 5000)
    expect(sent).toEqual([false])
  })

  it('answers each unusable frame with an error frame and keeps serving', async () => {
    const { path } = await start({})
    const caller = await Caller.open(path)
    const bad = ['', '{"a"', '[1]', 'null', '"ping"', '7']
    for (const body of bad) caller.sendRaw(raw(body))
    caller.sendRaw(Buffer.concat([header(3), Buffer.from([0x22, 0xff, 0x22])]))
    caller.send({ type: 'ping' })
    for (let i = 0; i < bad.length + 1; i += 1) {
      expect(await caller.next()).toMatchObject({ type: 'error' })
    }
    expect(await caller.next()).toEqual({ type: 'pong' })
  })

  it('refuses an oversized header immediately and closes the connection', async () => {
    const { path } = await start({})
    const caller = await Caller.open(path)
    caller.sendRaw(Buffer.concat([header(0xffffffff), Buffer.alloc(1000)]))
    expect(await caller.next()).toMatchObject({ type: 'error' })
    expect(await caller.next()).toBeUndefined()
    expect(await lastOf(path, { type: 'ping' })).toEqual({ type: 'pong' })
  })

  it('answers pipelined requests one at a time, in order', async () => {
    const order: number[] = []
    const { path } = await start({
      count: async ({ n }) => {
        await new Promise((resolve) => setTimeout(resolve, 20 - Number(n) * 4))
        order.push(Number(n))
        return { type: 'n', n }
      },
    })
    const caller = await Caller.open(path)
    caller.sendRaw(Buffer.concat([0, 1, 2, 3].map((n) => encodeFrame({ type: 'count', n }))))
    for (let n = 0; n < 4; n += 1) expect(await caller.next()).toEqual({ type: 'n', n })
    expect(order).toEqual([0, 1, 2, 3])
  })

  it('turns an exception of a handler into one error frame', async () => {
    const { path } = await start({
      boom: () => {
        throw new TypeError('x is not a function')
      },
    })
    expect(await answerOf(path, { type: 'boom' })).toEqual([
      { type: 'error', message: 'internal error: x is not a function' },
    ])
  })

  it('answers an error when a reply is not JSON or above the frame limit', async () => {
    const round: Record<string, unknown> = {}
    round.self = round
    const { path } = await start({
      round: () => round,
      large: () => ({ text: 'x'.repeat(65 << 20) }),
    })
    expect(await lastOf(path, { type: 'round' })).toMatchObject({ type: 'error' })
    expect(await lastOf(path, { type: 'large' })).toMatchObject({ type: 'error' })
  })

  it('sends the first delta alone, merges those of one later tick and keeps their order', async () => {
    const { path } = await start({
      talk: async (_message, exchange) => {
        await Promise.resolve()
        for (const word of ['a', 'b', 'c']) await exchange.chunk(word)
        await new Promise(setImmediate)
        await exchange.chunk('d')
        return { type: 'done', full_text: 'abcd' }
      },
    })
    expect(await answerOf(path, { type: 'talk' })).toEqual([
      { type: 'chunk', delta: 'a' },
      { type: 'chunk', delta: 'bc' },
      { type: 'chunk', delta: 'd' },
      { type: 'done', full_text: 'abcd' },
    ])
  })

  it('delivers the complete answer to a caller that half-closed', async () => {
    const { path } = await start({
      talk: async (_message, exchange) => {
        for (let n = 0; n < 4; n += 1) {
          // Several probes run during this time.
          await new Promise((resolve) => setTimeout(resolve, 150))
          await exchange.chunk(String(n))
        }
        return { type: 'done', full_text: '0123' }
      },
    })
    const caller = await Caller.open(path)
    caller.send({ type: 'talk' })
    caller.socket.end()
    const frames = await caller.answer()
    expect(frames.at(-1)).toEqual({ type: 'done', full_text: '0123' })
    expect(frames).toHaveLength(5)
    expect(await caller.next()).toBeUndefined()
  })

  it.each(['at once', 'after half-closing'])(
    'fires the signal of a running request when the caller disconnects %s',
    async (how) => {
      const { seen, handler } = waiting()
      const { path } = await start({ wait: handler })
      const caller = await Caller.open(path)
      caller.send({ type: 'wait' })
      await until(() => seen.started === 1)
      if (how === 'after half-closing') {
        caller.socket.end()
        await new Promise((resolve) => setTimeout(resolve, 450))
        expect(seen.aborted).toBe(0)
      }
      caller.socket.destroy()
      await until(() => seen.aborted === 1, 2000)
    },
  )

  it('detects a disconnect although more requests are queued than are read', async () => {
    const { seen, handler } = waiting()
    const { path } = await start({ wait: handler })
    const caller = await Caller.open(path)
    caller.send({ type: 'wait' })
    await until(() => seen.started === 1)
    for (let n = 0; n < 40; n += 1) caller.send({ type: 'wait', pad: 'x'.repeat(100_000) })
    await new Promise((resolve) => setTimeout(resolve, 100))
    caller.socket.destroy()
    await until(() => seen.aborted === 1, 2000)
    expect(seen.started).toBe(1)
  })

  it('applies back-pressure to a handler while the caller does not read', async () => {
    let sent = 0
    const piece = 'x'.repeat(64 * 1024)
    const { path } = await start({
      flood: async (_message, exchange: Exchange) => {
        for (; sent < 1000; sent += 1) await exchange.send({ type: 'chunk', delta: piece })
        return { type: 'done', full_text: '' }
      },
    })
    const caller = await Caller.open(path)
    caller.socket.pause()
    caller.send({ type: 'flood' })
    await until(() => sent > 0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(sent).toBeLessThan(50)
    expect(await lastOf(path, { type: 'ping' })).toEqual({ type: 'pong' })
    caller.socket.resume()
    const frames = await caller.answer()
    expect(frames.at(-1)).toMatchObject({ type: 'done' })
    expect(frames).toHaveLength(1001)
  })

  it('ignores an incomplete frame at the end of input', async () => {
    let served = 0
    const { path } = await start({ count: () => ({ type: 'ok', n: (served += 1) }) })
    const caller = await Caller.open(path)
    caller.sendRaw(encodeFrame({ type: 'count' }).subarray(0, -1))
    caller.socket.end()
    expect(await caller.next()).toBeUndefined()
    expect(served).toBe(0)
  })

  it('survives JSON with 200,000 nested arrays', async () => {
    const { path } = await start({ echo: (message) => message })
    const deep = `{"type":"echo","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const caller = await Caller.open(path)
    caller.sendRaw(raw(deep))
    expect(await caller.next()).toMatchObject({ type: expect.any(String) })
    expect(await lastOf(path, { type: 'ping' })).toEqual({ type: 'pong' })
  })
})

describe('stopping a service', () => {
  it('finishes running requests, closes idle connections and removes the socket', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { path, running } = await start({
      slow: async () => {
        await held
        return { type: 'ok' }
      },
    })
    const idle = await Caller.open(path)
    const busy = await Caller.open(path)
    busy.send({ type: 'slow' })
    busy.send({ type: 'ping' })
    await lastOf(path, { type: 'ping' })
    const stopped = running.stop()
    expect(await idle.next()).toBeUndefined()
    expect(existsSync(path)).toBe(false)
    release()
    expect(await busy.next()).toEqual({ type: 'ok' })
    expect(await busy.next()).toBeUndefined()
    await stopped
  })

  it('fails requests that do not finish in time, with a reason', async () => {
    const { seen, handler } = waiting()
    const { path, running } = await start({ wait: handler }, { drainMs: 50 })
    const caller = await Caller.open(path)
    caller.send({ type: 'wait' })
    await until(() => seen.started === 1)
    await running.stop()
    expect(await caller.next()).toEqual({
      type: 'error',
      message: 'the service is stopping',
      code: 'stopping',
    })
    expect(seen.aborted).toBe(1)
  })

  it('does not wait for a caller that never reads', async () => {
    const { path, running } = await start(
      {
        flood: async (_message, exchange) => {
          for (;;) await exchange.send({ type: 'chunk', delta: 'x'.repeat(100_000) })
        },
      },
      { drainMs: 50 },
    )
    const caller = await Caller.open(path)
    caller.socket.pause()
    caller.send({ type: 'flood' })
    await lastOf(path, { type: 'ping' })
    await running.stop()
  })
})
