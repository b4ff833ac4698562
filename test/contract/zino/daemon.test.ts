// The daemon of the built program, with the other services up or down.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi, slowly, status } from '../../support/fake-openai.ts'
import type { SandboxOptions, ServiceName } from './sandbox.ts'
import { Sandbox, services, shellSkill, until } from './sandbox.ts'
import { Caller, textOf } from './wire.ts'

let model: FakeOpenAi
let box: Sandbox | undefined
beforeEach(async () => {
  model = await fakeOpenAi(({ body }) => ['you: ', body.messages.at(-1)?.content ?? ''])
})
afterEach(async () => {
  await box?.remove()
  await model.close()
})

async function start(names: readonly ServiceName[], options: SandboxOptions = {}) {
  box = new Sandbox({ base: model.base, ...options })
  await box.serve(...names)
  return box
}

const without = (...away: ServiceName[]) => services.filter((name) => !away.includes(name))

describe('daemon', () => {
  it('sends system prompt, context and trimmed message with the configured sampling', async () => {
    const zino = await start(services)
    const packets = await zino.exchange('daemon', { message: '  hello\n' })
    expect(packets).toMatchObject([{ type: 'response', content: 'you: hello' }])
    const { body } = model.requests[0] ?? {}
    expect(body).toMatchObject({ model: 'fake', temperature: 0.25, top_p: 0.5, stream: false })
    expect(body?.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/^PERSONALITY/),
    })
    expect(body?.messages.slice(1)).toEqual([
      ...shellSkill.fabricator.slice(1),
      { role: 'user', content: 'hello' },
    ])
  })

  it('streams chunks, then done with the complete text and the number of iterations', async () => {
    const zino = await start(services)
    const packets = await zino.exchange('daemon', { message: 'x', stream: true })
    expect(textOf(packets)).toBe('you: x')
    expect(packets.at(-1)).toMatchObject({ type: 'done', full_text: 'you: x', iterations: 1 })
  })

  it.each([{}, { message: '' }, { message: ' \n\t' }, { message: 5 }, { message: null }])(
    'answers %j with "Empty message." and does not call the model',
    async (request) => {
      const zino = await start(['daemon', 'rtr'])
      expect(await zino.exchange('daemon', request)).toEqual([
        { type: 'error', message: 'Empty message.' },
      ])
      expect(model.requests).toEqual([])
    },
  )

  it('stores the exchange before the last frame, in each of ten turns', async () => {
    const zino = await start(services)
    const caller = await Caller.open(zino.socket('daemon'))
    for (let turn = 1; turn <= 10; turn += 1) {
      caller.send({ message: `turn ${turn}`, channel_id: 'c', stream: turn % 2 === 0 })
      expect((await caller.answer()).at(-1)?.type).toMatch(/done|response/)
      const { messages } = await zino.ask('mem', { type: 'get_history', channel_id: 'c' })
      expect(messages).toHaveLength(2 * turn)
    }
    caller.socket.destroy()
    expect(model.requests.at(-1)?.body.messages.slice(-3)).toEqual([
      { role: 'user', content: 'turn 9' },
      { role: 'assistant', content: 'you: turn 9' },
      { role: 'user', content: 'turn 10' },
    ])
  })

  it('stores nothing without a channel, and only the message after a failure', async () => {
    const zino = await start(services)
    await zino.ask('daemon', { message: 'x' })
    model.answer = () => status(400, 'no')
    const packets = await zino.exchange('daemon', { message: 'x', channel_id: 'c', stream: true })
    expect(packets).toMatchObject([{ type: 'error', message: expect.stringMatching(/no/) }])
    const { messages } = await zino.ask('mem', { type: 'get_history', channel_id: 'c' })
    expect(messages).toMatchObject([{ role: 'user', content: 'x' }])
  })

  it.each<[string, ServiceName[]]>([
    ['sys', ['sys']],
    ['ctx', ['ctx']],
    ['mem', ['mem']],
    ['all optional services', ['sys', 'ctx', 'mem', 'exc']],
  ])('answers without %s', async (_what, away) => {
    const zino = await start(without(...away))
    const packets = await zino.exchange('daemon', { message: 'x', channel_id: 'c', stream: true })
    expect(packets.at(-1)).toMatchObject({ type: 'done', full_text: 'you: x' })
    const roles = model.requests[0]?.body.messages.map(({ role }) => role)
    expect(roles?.includes('system')).toBe(!away.includes('sys'))
  })

  it.each([true, false])(
    'calls rtr directly without agr, with streaming of rtr set to %s',
    async (streaming) => {
      const zino = await start(without('agr'), { over: { rtr: { streaming } } })
      const packets = await zino.exchange('daemon', { message: 'x', channel_id: 'c', stream: true })
      expect(textOf(packets)).toBe('you: x')
      expect(packets.at(-1)).toMatchObject({ type: 'done', full_text: 'you: x' })
      expect(await zino.exchange('daemon', { message: 'y' })).toMatchObject([
        { type: 'response', content: 'you: y' },
      ])
      const { messages } = await zino.ask('mem', { type: 'get_history', channel_id: 'c' })
      expect(messages).toHaveLength(2)
    },
  )

  it('answers without memories when mem hangs', async () => {
    const zino = await start(without('mem'))
    const [mem] = await zino.serve('mem')
    mem?.child.kill('SIGSTOP')
    try {
      const packets = await zino.exchange('daemon', { message: 'x' })
      expect(packets).toMatchObject([{ type: 'response', content: 'you: x' }])
      expect(model.requests[0]?.body.messages).toHaveLength(4)
    } finally {
      mem?.child.kill('SIGCONT')
    }
  })

  it('answers exactly one error when agr dies during the answer', async () => {
    const zino = await start(without('agr'))
    const agr = zino.start(['agr', '--config', zino.config])
    await until(() => zino.answers('agr'))
    model.answer = () => slowly(60_000, 'begin', 'end')
    const caller = await Caller.open(zino.socket('daemon'))
    caller.send({ message: 'x', channel_id: 'c', stream: true })
    expect(await caller.next()).toMatchObject({ type: 'chunk', delta: 'begin' })
    agr.child.kill('SIGKILL')
    expect(await caller.next()).toMatchObject({ type: 'error' })
    caller.send({ type: 'ping' })
    expect(await caller.next()).toMatchObject({ type: 'pong' })
    caller.socket.destroy()
    expect(model.requests).toHaveLength(1)
  })

  it('answers one error when neither agr nor rtr is up', async () => {
    const zino = await start(['daemon'])
    expect(await zino.exchange('daemon', { message: 'x', stream: true })).toMatchObject([
      { type: 'error' },
    ])
  })

  it('uses a service as soon as it comes up', async () => {
    const zino = await start(['daemon', 'rtr'])
    await zino.ask('daemon', { message: 'x' })
    expect(model.requests.at(-1)?.body.messages).toHaveLength(1)
    await zino.serve('sys')
    await zino.ask('daemon', { message: 'x' })
    expect(model.requests.at(-1)?.body.messages).toHaveLength(2)
  })
})
