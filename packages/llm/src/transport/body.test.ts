import { getEventListeners, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { ModelError } from '../errors/errors.ts'
import type { Body } from './body.ts'
import { formatDuration, openBody, readBounded } from './body.ts'

/** A body of these chunks; the error, if any, follows them. `reads` counts the chunks taken. */
function bodyOf(chunks: string[], error?: Error): Body & { reads: number } {
  const body = {
    reads: 0,
    discardRest: () => {},
    async *[Symbol.asyncIterator]() {
      for (const chunk of chunks) {
        body.reads += 1
        yield Buffer.from(chunk)
      }
      if (error !== undefined) throw error
    },
  }
  return body
}

it('a bounded read takes no chunk after the last byte that it may return', async () => {
  const body = bodyOf(['abc', 'def', 'ghi'])
  expect(String(await readBounded(body, 6))).toBe('abcdef')
  expect(body.reads).toBe(2)
  expect(String(await readBounded(bodyOf(['abc', 'def']), 4))).toBe('abcd')
})

it('a bounded read ends at a connection fault and passes on other errors', async () => {
  const lost = new ModelError('timeout', 'lost')
  expect(String(await readBounded(bodyOf(['abc'], lost), 10))).toBe('abc')
  const aborted = new Error('aborted')
  await expect(readBounded(bodyOf(['abc'], aborted), 10)).rejects.toBe(aborted)
})

it('a duration is in milliseconds below one second, else in seconds', () => {
  expect([999, 1000, 1600].map(formatDuration)).toEqual(['999 ms', '1 s', '2 s'])
})

/** Stands in for a response; `destroy` without an error closes it early. */
function openStream(idleMs = 60_000): {
  stream: PassThrough
  body: Body
  listeners: () => number
  abort: AbortController
} {
  const stream = new PassThrough()
  const abort = new AbortController()
  const body = openBody(stream as never, abort.signal, idleMs)
  return { stream, body, abort, listeners: () => getEventListeners(abort.signal, 'abort').length }
}

async function textOf(body: Body): Promise<string> {
  let text = ''
  for await (const chunk of body) text += String(chunk)
  return text
}

it('a body that ends is read to its end and leaves no listener', async () => {
  const { stream, body, listeners } = openStream()
  expect(listeners()).toBe(1)
  stream.end('abc')
  expect(await textOf(body)).toBe('abc')
  expect(listeners()).toBe(0)
})

it('a body that closes early fails, and leaves no listener even if it is never read', async () => {
  const { stream, body, listeners } = openStream()
  stream.write('abc')
  stream.destroy()
  await once(stream, 'close')
  expect(listeners()).toBe(0)
  await expect(textOf(body)).rejects.toMatchObject({
    kind: 'internal',
    message: 'Stream error: the server closed the connection',
    transient: true,
  })
})

it('a body that fails is reported with the reason', async () => {
  const { stream, body } = openStream()
  stream.destroy(new Error('reset'))
  await expect(textOf(body)).rejects.toMatchObject({ message: 'Stream error: reset' })
})

it('a body without data ends at the idle limit', async () => {
  const { stream, body } = openStream(5)
  await expect(textOf(body)).rejects.toMatchObject({
    kind: 'timeout',
    message: 'Stream error: nothing received for 5 ms',
    transient: true,
  })
  expect(stream.destroyed).toBe(true)
})

it('an abort ends the wait for data with its reason', async () => {
  const { stream, body, abort } = openStream()
  const reading = textOf(body)
  abort.abort('enough')
  await expect(reading).rejects.toBe('enough')
  expect(stream.destroyed).toBe(true)
})

it('leaving a body early closes it, unless its rest is unneeded', async () => {
  for (const isUnneeded of [false, true]) {
    const { stream, body } = openStream()
    Object.assign(stream, { socket: { unref: () => {} } })
    stream.write('abc')
    for await (const chunk of body) {
      expect(String(chunk)).toBe('abc')
      if (isUnneeded) body.discardRest()
      break
    }
    expect(stream.destroyed).toBe(!isUnneeded)
    stream.destroy()
  }
})
