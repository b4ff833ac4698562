import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { streamWriter, terminalSafeWriter } from './lossless.ts'

describe('a stream writer', () => {
  it('waits while the buffer is full and loses nothing', async () => {
    const stream = new PassThrough({ highWaterMark: 4 })
    const write = streamWriter(stream)
    let settled = false
    const waiting = write('more than four bytes').then(() => (settled = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toBe(false)
    expect(String(stream.read())).toBe('more than four bytes')
    await waiting
    expect(stream.listenerCount('drain') + stream.listenerCount('close')).toBeLessThanOrEqual(1)
  })

  it('does not wait for a reader that closed the stream', async () => {
    const stream = new PassThrough({ highWaterMark: 1 })
    const waiting = streamWriter(stream)('text')
    stream.destroy()
    await waiting
    await streamWriter(stream)('after the end')
  })
})

it('a stream writer does not wait for its reader after an interrupt', async () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const interrupt = new AbortController()
  const write = streamWriter(stream, interrupt.signal)
  const waiting = write('before')
  interrupt.abort()
  await waiting
  await write('after')
  expect(String(stream.read())).toBe('beforeafter')
})

it('a stream writer does not wait while the stream takes more', async () => {
  const stream = new PassThrough()
  await streamWriter(stream)('text')
  expect(stream.listenerCount('close')).toBe(new PassThrough().listenerCount('close'))
  expect(String(stream.read())).toBe('text')
})

it('a stream writer writes nothing to a stream that is destroyed', async () => {
  const written: unknown[] = []
  const stream = Object.assign(new PassThrough(), { write: (text: unknown) => written.push(text) })
  await streamWriter(stream)('before')
  stream.destroy()
  await streamWriter(stream)('after')
  expect(written).toEqual(['before'])
})

it('a stream writer leaves no listener on the stream or the interrupt', async () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const interrupt = new AbortController()
  const before = ['drain', 'close'].map((event) => stream.listenerCount(event))
  const waiting = streamWriter(stream, interrupt.signal)('text')
  expect(getEventListeners(interrupt.signal, 'abort')).toHaveLength(1)
  stream.read()
  await waiting
  expect(getEventListeners(interrupt.signal, 'abort')).toHaveLength(0)
  expect(['drain', 'close'].map((event) => stream.listenerCount(event))).toEqual(before)
})

describe('a writer of external text', () => {
  const written = async (isTTY: boolean | undefined, ...pieces: (string | Uint8Array)[]) => {
    const stream = Object.assign(new PassThrough(), { isTTY })
    const write = terminalSafeWriter(stream)
    for (const piece of pieces) await write(piece)
    return String(stream.read())
  }

  it('removes control characters on a terminal only', async () => {
    expect(await written(true, 'a\u001b[2Jb', Buffer.from('\u0007c'))).toBe('a[2Jbc')
    expect(await written(false, 'a\u001b[2Jb')).toBe('a\u001b[2Jb')
    expect(await written(undefined, 'a\u001b[2Jb')).toBe('a\u001b[2Jb')
  })

  it('decodes a character that comes in two pieces', async () => {
    const bytes = Buffer.from('é')
    expect(await written(true, bytes.subarray(0, 1), bytes.subarray(1))).toBe('é')
  })
})
