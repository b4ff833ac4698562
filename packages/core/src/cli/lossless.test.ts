import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { streamWriter } from './lossless.ts'

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
