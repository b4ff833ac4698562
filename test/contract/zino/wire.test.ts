// Frames and connections, the same for every service of the built program.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi, slowly } from '../../support/fake-openai.ts'
import { Sandbox, services, until } from './sandbox.ts'
import { Caller, frame, header, textOf } from './wire.ts'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base })
  await box.up()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

async function poke(name: string, bytes: Buffer) {
  const caller = await Caller.open(box.socket(name))
  caller.socket.write(bytes)
  const packet = await caller.next()
  return { caller, packet }
}

const unusable: [string, Buffer][] = [
  ['of length 0', header(0)],
  ['that is not UTF-8', frame(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))],
  ['with half a character', frame(Buffer.from('{"type":"\xe2\x98"}', 'latin1'))],
  ['that is not JSON', frame(Buffer.from('{"type": "ping"'))],
  ['with a list', frame(Buffer.from('[]'))],
  ['with null', frame(Buffer.from('null'))],
  ['with a type that is not a string', frame({ type: 5 })],
  ['with an unknown type', frame({ type: 'nothing' })],
  ['with the type __proto__', frame({ type: '__proto__' })],
  ['with the type constructor', frame({ type: 'constructor' })],
  ['nested 100,000 deep', frame(Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)))],
]

describe.each([...services])('%s', (name) => {
  it.each(unusable)('answers a frame %s with an error and keeps serving', async (_what, bytes) => {
    const { caller, packet } = await poke(name, bytes)
    expect(packet).toMatchObject({ type: 'error', message: expect.stringMatching(/./) })
    expect(await caller.send({ type: 'ping' }).next()).toMatchObject({ type: 'pong' })
    caller.socket.destroy()
  })

  it('refuses a length of 4 GiB immediately and closes the connection', async () => {
    const { caller, packet } = await poke(
      name,
      Buffer.concat([header(0xff_ff_ff_ff), Buffer.alloc(5000)]),
    )
    expect(packet).toMatchObject({ type: 'error' })
    expect(await caller.next()).toBeUndefined()
  })

  it('answers pipelined requests in order and reads escaped characters', async () => {
    const caller = await Caller.open(box.socket(name))
    const escaped = Buffer.from('{"type":"\\u0070ing","note":"\\ud83d\\ude00"}')
    caller.socket.write(Buffer.concat([frame(escaped), frame({ type: 'x' }), frame(escaped)]))
    const types = [await caller.next(), await caller.next(), await caller.next()].map(
      (packet) => packet?.type,
    )
    expect(types).toEqual(['pong', 'error', 'pong'])
    caller.socket.destroy()
  })

  it('answers a caller that half-closed', async () => {
    const caller = await Caller.open(box.socket(name))
    caller.send({ type: 'ping' }).socket.end()
    expect(await caller.next()).toMatchObject({ type: 'pong' })
    expect(await caller.next()).toBeUndefined()
  })

  it('ignores an incomplete frame', async () => {
    const caller = await Caller.open(box.socket(name))
    caller.socket.end(frame({ type: 'ping' }).subarray(0, 9))
    expect(await caller.next()).toBeUndefined()
    expect(await box.answers(name)).toBe(true)
  })

  it('serves others while 50 callers hold incomplete frames', async () => {
    const idle = await Promise.all(Array.from({ length: 50 }, () => Caller.open(box.socket(name))))
    for (const { socket } of idle) socket.write(header(1000))
    expect(await box.answers(name)).toBe(true)
    for (const { socket } of idle) socket.destroy()
  })
})

describe('a request with a field of the wrong type', () => {
  const messages = [{ role: 'user', content: 'x' }]
  it.each<[string, object]>([
    ['daemon', { message: 'x', channel_id: 5 }],
    ['daemon', { message: 'x', stream: 'yes' }],
    ['rtr', { type: 'infer' }],
    ['rtr', { type: 'infer', messages: 'x' }],
    ['rtr', { type: 'infer', messages: [5] }],
    ['rtr', { type: 'infer', messages: [{ role: 'user', content: 5 }] }],
    ['rtr', { type: 'infer', messages, temperature: 'hot' }],
    ['rtr', { type: 'infer', messages, stream: 1 }],
    ['agr', { type: 'run', messages: {} }],
    ['agr', { type: 'run', messages, top_p: [] }],
    ['agr', { type: 'run', messages, max_iterations: 1.5 }],
    ['sys', { type: 'set_soft_memory' }],
    ['sys', { type: 'set_soft_memory', content: null }],
    ['exc', { type: 'execute', executor: 'bash' }],
    ['exc', { type: 'execute', executor: 'bash', code: 5 }],
    ['exc', { type: 'validate', code: 'x' }],
    ['mem', { type: 'get_history' }],
    ['mem', { type: 'append_history', channel_id: 'c', messages: [{ role: 'user' }] }],
    ['ctx', { type: 'build', user_message: 5 }],
    ['ctx', { type: 'build', user_message: 'x', channel_id: {} }],
  ])('makes %s answer %j with an error', async (name, request) => {
    const before = model.requests.length
    expect(await box.exchange(name, request)).toEqual([
      { type: 'error', message: expect.stringMatching(/./) },
    ])
    expect(model.requests).toHaveLength(before)
    expect(await box.answers(name)).toBe(true)
  })
})

describe('large frames', () => {
  it('of 16 MiB work in both directions, also in pieces of 1 KiB', async () => {
    const content = 'soft ☃ '.repeat(1_800_000)
    const bytes = frame({ type: 'set_soft_memory', content })
    const caller = await Caller.open(box.socket('sys'))
    for (let at = 0; at < bytes.length; at += 1024) {
      if (!caller.socket.write(bytes.subarray(at, at + 1024))) {
        await new Promise((resolve) => caller.socket.once('drain', resolve))
      }
    }
    const packet = await caller.next()
    expect(packet?.type).toBe('system_prompt')
    expect(String(packet?.content)).toContain(content)
    caller.socket.destroy()
    await box.ask('sys', { type: 'set_soft_memory', content: '' })
  })

  it('above 64 MiB are refused by their header, without allocating memory', async () => {
    const { caller, packet } = await poke('sys', header(64 * 1024 * 1024 + 1))
    expect(packet).toMatchObject({ type: 'error' })
    expect(await caller.next()).toBeUndefined()
    const status = readFileSync(`/proc/${box.pidOf('sys')}/status`, 'latin1')
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(600_000)
  })
})

describe('a streamed answer', () => {
  it('is complete for a caller that half-closed', async () => {
    model.answer = () => slowly(40, 'one ', 'two ', 'three')
    const caller = await Caller.open(box.socket('daemon'))
    caller.send({ message: 'x', stream: true }).socket.end()
    const packets = await caller.answer()
    expect(textOf(packets)).toBe('one two three')
    expect(packets.at(-1)).toMatchObject({ type: 'done', full_text: 'one two three' })
  })

  it.each(['at once', 'after half-closing'])(
    'aborts the model request when the caller disconnects %s',
    async (how) => {
      model.answer = () => slowly(60_000, 'begin', 'end')
      const caller = await Caller.open(box.socket('daemon'))
      caller.send({ message: 'x', stream: true })
      expect(await caller.next()).toMatchObject({ type: 'chunk', delta: 'begin' })
      const request = model.requests.at(-1)
      if (how !== 'at once') {
        caller.socket.end()
        await pause(100)
        expect(request?.isAborted).toBe(false)
      }
      caller.socket.destroy()
      await until(() => request?.isAborted === true, 1500)
    },
  )

  it('waits for a caller that does not read, without delaying others', async () => {
    const piece = 'x'.repeat(20_000)
    model.answer = ({ body }) =>
      body.messages.at(-1)?.content === 'much'
        ? slowly(0, ...Array.from({ length: 700 }, () => piece))
        : 'quick'
    const slow = await Caller.open(box.socket('daemon'))
    slow.socket.pause()
    slow.send({ message: 'much', stream: true })
    for (let round = 0; round < 5; round += 1) {
      expect(await box.ask('daemon', { message: 'x' })).toMatchObject({ content: 'quick' })
    }
    slow.socket.resume()
    const packets = await slow.answer()
    expect(textOf(packets)).toHaveLength(700 * 20_000)
    expect(packets.at(-1)?.type).toBe('done')
  })
})
