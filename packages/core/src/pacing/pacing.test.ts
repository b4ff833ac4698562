/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is not an EventTarget */
import { expect, it } from 'vitest'
import { PacedTransport, type MessageTransport } from './pacing.ts'

type Message = Record<string, unknown>

/** A transport whose answers are read on demand. */
function setUp() {
  const inner: MessageTransport<Message, object> = {
    start: async () => {},
    close: async () => {},
    send: () => new Promise((resolve) => unread.push(resolve)),
  }
  const unread: (() => void)[] = []
  const calls: string[] = []
  const input = {
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
  } as never
  const paced = new PacedTransport(inner, input)
  const delivered: unknown[] = []
  paced.onmessage = (message) => void delivered.push(message.id ?? message.method)
  const receive = (message: Message) => inner.onmessage?.(message)
  const request = (id: unknown) => receive({ jsonrpc: '2.0', id, method: 'ping' })
  return { paced, inner, unread, calls, delivered, receive, request }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('input waits while 128 requests have no answer that the client has read', async () => {
  const { paced, unread, calls, delivered, request } = setUp()
  await paced.start()
  for (let id = 1; id <= 130; id++) request(id)
  expect(delivered).toHaveLength(128)
  expect(calls).toContain('pause')
  void paced.send({ jsonrpc: '2.0', id: 1, result: {} })
  await settle()
  expect(delivered).toHaveLength(128)
  unread.shift()?.()
  await settle()
  expect(delivered.at(-1)).toBe(129)
  expect(calls).not.toContain('resume')
  void paced.send({ jsonrpc: '2.0', id: 2, error: {} })
  unread.shift()?.()
  await settle()
  expect(delivered.at(-1)).toBe(130)
  expect(calls.at(-1)).toBe('resume')
})

it('requests with the same id count each', async () => {
  const { paced, delivered, request } = setUp()
  await paced.start()
  for (let count = 0; count < 200; count++) request(1)
  expect(delivered).toHaveLength(128)
})

it('notifications and answers of the client pass while requests wait', async () => {
  const { paced, delivered, receive, request } = setUp()
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  receive({ jsonrpc: '2.0', id: 'own', result: {} })
  receive({ jsonrpc: '2.0', method: 'notifications/progress' })
  expect(delivered.slice(-3)).toEqual([128, 'own', 'notifications/progress'])
})

it('a cancelled request counts until the server answers it, and the answer is not sent', async () => {
  const { paced, unread, delivered, receive, request } = setUp()
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  const { signal: closed } = new AbortController()
  const signal = paced.signalOf({ id: 5, signal: closed })
  expect(signal.aborted).toBe(false)
  receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  expect(signal.aborted).toBe(true)
  expect(paced.signalOf({ id: 6, signal: closed }).aborted).toBe(false)
  expect(delivered).toHaveLength(128)
  await paced.send({ jsonrpc: '2.0', id: 5, result: {} })
  expect(unread).toHaveLength(0)
  expect(delivered.at(-1)).toBe(129)
  expect(paced.signalOf({ id: 5, signal: closed })).toBe(closed)
})

it('a request that is cancelled while it waits is not delivered', async () => {
  const { paced, unread, calls, delivered, receive, request } = setUp()
  await paced.start()
  for (let id = 1; id <= 130; id++) request(id)
  receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 129 } })
  receive({ jsonrpc: '2.0', method: 'notifications/cancelled' })
  void paced.send({ jsonrpc: '2.0', id: 1, result: {} })
  unread.shift()?.()
  await settle()
  expect(delivered.at(-1)).toBe(130)
  expect(calls.at(-1)).toBe('resume')
})

it('the signal of a request aborts with that of its connection', async () => {
  const { paced, request } = setUp()
  await paced.start()
  request(1)
  const signal = paced.signalOf({ id: 1, signal: AbortSignal.abort() })
  expect(signal.aborted).toBe(true)
})

it('the end of the connection and its errors are reported', async () => {
  const { paced, inner } = setUp()
  const seen: unknown[] = []
  paced.onclose = () => void seen.push('closed')
  paced.onerror = (error) => void seen.push(error.message)
  await paced.start()
  inner.onerror?.(new Error('broken'))
  inner.onclose?.()
  await paced.close()
  expect(seen).toEqual(['broken', 'closed'])
})

it('messages of the server other than answers are sent as they are', async () => {
  const { paced, inner, delivered, request } = setUp()
  const sent: unknown[] = []
  inner.send = async (message, options) => void sent.push([message, options])
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  const messages = [{ method: 'ping', id: 1 }, { method: 'note' }, { odd: true }]
  for (const message of messages) await paced.send(message, { a: message })
  expect(sent).toEqual(messages.map((message) => [message, { a: message }]))
  expect(delivered).toHaveLength(128)
  await paced.send({ id: 2, result: {} }, { b: 1 })
  expect(sent.at(-1)).toEqual([{ id: 2, result: {} }, { b: 1 }])
  expect(delivered.at(-1)).toBe(129)
})

it('an answer that cannot be sent makes room for the next request, too', async () => {
  const { paced, inner, delivered, request } = setUp()
  inner.send = () => Promise.reject(new Error('gone'))
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  await expect(paced.send({ id: 1, result: {} })).rejects.toThrow(new Error('gone'))
  expect(delivered).toHaveLength(129)
})

it('an answer to no open request makes no room', async () => {
  const { paced, inner, calls, delivered, request } = setUp()
  inner.send = async () => {}
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  await paced.send({ id: 'unknown', result: {} })
  expect([delivered.length, calls]).toEqual([128, ['pause']])
})

it('input waits from request 129 on, and not before', async () => {
  const { paced, inner, calls, request } = setUp()
  inner.send = async () => {}
  await paced.start()
  for (let id = 1; id <= 128; id++) request(id)
  expect(calls).toEqual([])
  request(129)
  expect(calls).toEqual(['pause'])
  await paced.send({ id: 1, result: {} })
  expect(calls).toEqual(['pause', 'resume'])
})

it('two requests with one id are open until both have their answers', async () => {
  const { paced, inner, request } = setUp()
  inner.send = async () => {}
  await paced.start()
  request(1)
  request(1)
  const { signal } = new AbortController()
  await paced.send({ id: 1, result: {} })
  expect(paced.signalOf({ id: 1, signal })).not.toBe(signal)
  await paced.send({ id: 1, result: {} })
  expect(paced.signalOf({ id: 1, signal })).toBe(signal)
})

it('a closed connection delivers no waiting request', async () => {
  const { paced, inner, delivered, request } = setUp()
  let closed = 0
  inner.send = async () => {}
  inner.close = async () => void closed++
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  await paced.close()
  await paced.send({ id: 1, result: {} })
  expect([closed, delivered.length]).toEqual([1, 128])
})

it('a cancellation without a known request changes nothing', async () => {
  const { paced, delivered, receive, request } = setUp()
  await paced.start()
  for (let id = 1; id <= 129; id++) request(id)
  for (const params of [undefined, null, 5, {}, { requestId: 'unknown' }]) {
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
  receive({ jsonrpc: '2.0', method: 'notifications/other', params: { requestId: 1 } })
  const { signal } = new AbortController()
  expect(paced.signalOf({ id: 1, signal }).aborted).toBe(false)
  expect(delivered.slice(128)).toEqual(['notifications/other'])
})
