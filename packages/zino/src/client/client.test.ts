import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordingLog } from '../../test/log.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { until } from '../../test/until.ts'
import { serve } from '../service/serve.ts'
import type { Handler } from '../service/service.ts'
import { handlersOf } from '../service/service.ts'
import type { Message } from '../wire/wire.ts'
import { encodeFrame } from '../wire/wire.ts'
import { askService, callService, SpareConnection } from './client.ts'

async function start(table: Record<string, Handler>): Promise<string> {
  const socket = path.join(tempFolder(), 's.sock')
  const running = await serve(
    { handlers: handlersOf(table), drainMs: 50 },
    { path: socket, log: recordingLog() },
  )
  onTestFinished(() => running.stop())
  return socket
}

/** Serves raw bytes, for answers that no zino service sends. */
async function startRaw(answer: Buffer, end: boolean): Promise<string> {
  const socket = path.join(tempFolder(), 's.sock')
  const server = createServer((caller) => {
    caller.on('error', () => {})
    caller.once('data', () => (end ? caller.end(answer) : caller.write(answer)))
    onTestFinished(() => void caller.destroy())
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  return socket
}

async function all(frames: AsyncIterable<Message>): Promise<Message[]> {
  const seen: Message[] = []
  for await (const frame of frames) seen.push(frame)
  return seen
}

describe('calling a service', () => {
  it('yields chunks and ends with the first frame of another type', async () => {
    const socket = await start({
      talk: async (_message, exchange) => {
        await exchange.send({ type: 'chunk', delta: 'a' })
        await exchange.send({ type: 'chunk', delta: 'b' })
        return { type: 'done', full_text: 'ab' }
      },
    })
    expect(await all(callService(socket, { type: 'talk' }))).toEqual([
      { type: 'chunk', delta: 'a' },
      { type: 'chunk', delta: 'b' },
      { type: 'done', full_text: 'ab' },
    ])
  })

  it('distinguishes a failed connection from an incomplete answer by the error code', async () => {
    const missing = path.join(tempFolder(), 'none.sock')
    await expect(askService(missing, { type: 'x' })).rejects.toMatchObject({
      code: 'service_unreachable',
    })
    const cut = await startRaw(encodeFrame({ type: 'chunk', delta: 'a' }), true)
    await expect(all(callService(cut, { type: 'x' }))).rejects.toMatchObject({
      code: 'service_lost',
    })
    const half = await startRaw(encodeFrame({ type: 'done' }).subarray(0, 7), true)
    await expect(askService(half, { type: 'x' })).rejects.toMatchObject({ code: 'service_lost' })
  })

  it('yields the frames received before the connection broke', async () => {
    const bytes = Buffer.concat([
      encodeFrame({ type: 'chunk', delta: 'a' }),
      encodeFrame({ type: 'chunk', delta: 'b' }),
    ])
    const socket = await startRaw(bytes, true)
    const seen: Message[] = []
    const work = async () => {
      for await (const frame of callService(socket, { type: 'x' })) seen.push(frame)
    }
    await expect(work()).rejects.toThrow(/closed the connection/)
    expect(seen).toHaveLength(2)
  })

  it('refuses an answer that is not a valid frame', async () => {
    const socket = await startRaw(Buffer.from([0, 0, 0, 2, 0x5b, 0x5d]), false)
    await expect(askService(socket, { type: 'x' })).rejects.toThrow(/unusable answer/)
  })

  it('times out at its deadline', async () => {
    const socket = await startRaw(Buffer.alloc(0), false)
    await expect(askService(socket, { type: 'x' }, { deadlineMs: 50 })).rejects.toThrow(/50 ms/)
  })

  it('closes the connection when the signal fires or the caller stops iterating', async () => {
    let aborted = 0
    const socket = await start({
      wait: async (_message, { signal, send }) => {
        signal.addEventListener('abort', () => (aborted += 1))
        void send
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
        return undefined
      },
      talk: async (_message, exchange) => {
        exchange.signal.addEventListener('abort', () => (aborted += 1))
        for (;;) {
          await exchange.send({ type: 'chunk', delta: 'x' })
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      },
    })
    const over = new AbortController()
    const answer = askService(socket, { type: 'wait' }, { signal: over.signal })
    setTimeout(() => over.abort(new Error('enough')), 30)
    await expect(answer).rejects.toThrow('enough')
    await until(() => aborted === 1, 2000)
    for await (const frame of callService(socket, { type: 'talk' })) {
      expect(frame.type).toBe('chunk')
      break
    }
    await until(() => aborted === 2, 2000)
    await expect(askService(socket, { type: 'wait' }, { signal: over.signal })).rejects.toThrow(
      'enough',
    )
  })

  it('closes the connection of a complete answer after the next request is sent', async () => {
    const socket = path.join(tempFolder(), 's.sock')
    const seen: string[] = []
    let accepted = 0
    const server = createServer((caller) => {
      accepted += 1
      caller.on('error', () => {})
      caller.on('end', () => seen.push('closed'))
      caller.on('data', () => {
        seen.push('request')
        caller.write(encodeFrame({ type: 'pong' }))
      })
      onTestFinished(() => void caller.destroy())
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    onTestFinished(() => void server.close())
    const spare = new SpareConnection(socket)
    spare.open()
    await until(() => accepted === 1)
    await askService(socket, { type: 'ping' })
    await askService(socket, { type: 'ping' }, { connection: spare.take() })
    await until(() => seen.length === 4)
    expect(seen).toEqual(['request', 'request', 'closed', 'closed'])
  })

  it('pauses the socket while its caller does not read, and loses nothing', async () => {
    let sent = 0
    const piece = 'x'.repeat(50_000)
    const socket = await start({
      flood: async (_message, exchange) => {
        for (; sent < 400; sent += 1) await exchange.send({ type: 'chunk', delta: piece })
        return { type: 'done', full_text: '' }
      },
    })
    let frames = 0
    for await (const frame of callService(socket, { type: 'flood' })) {
      if (frames === 0) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        expect(sent).toBeLessThan(100)
      }
      if (frame.type === 'chunk') frames += 1
    }
    expect(frames).toBe(400)
  })

  it('carries 16 MiB in both directions', async () => {
    const socket = await start({ echo: ({ text }) => ({ type: 'echo', text }) })
    const text = 'abcdefghij☃klmno'.repeat(1 << 20)
    const answer = await askService(socket, { type: 'echo', text })
    expect(answer.text === text).toBe(true)
  })

  it('keeps the answers of 200 concurrent callers apart', async () => {
    const socket = await start({
      talk: async ({ n }, exchange) => {
        for (let i = 0; i < 20; i += 1) {
          await new Promise(setImmediate)
          await exchange.chunk(`${String(n)}.`)
        }
        return { type: 'done', full_text: `${String(n)}.`.repeat(20) }
      },
    })
    const callers = Array.from({ length: 200 }, async (_, n) => {
      let text = ''
      for await (const frame of callService(socket, { type: 'talk', n })) {
        if (frame.type === 'chunk') text += String(frame.delta)
        else expect(frame.full_text).toBe(text)
      }
      expect(text).toBe(`${n}.`.repeat(20))
    })
    await Promise.all(callers)
  })
})
