// `zino chat` of the built program: arguments, stdin, streaming, channels, failures.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, slowly, status, streaming } from '../../support/fake-openai.ts'
import { Sandbox, until } from './sandbox.ts'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base })
  await box.up()
})
beforeEach(() => {
  model.requests.length = 0
  model.answer = ({ body }) => `you said: ${body.messages.at(-1)?.content}`
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

const lastUser = () => model.requests.at(-1)?.body.messages.at(-1)

describe('zino chat', () => {
  it.each([
    ['chat', 'two', 'words'],
    ['cli', 'two', 'words'],
    ['chat', 'two words', '--stream'],
    ['chat', '-s', 'two words'],
    ['chat', '--config=./ZINO.toml', 'two words'],
  ])('joins words by spaces and prints the answer: %s %s %s', async (...args) => {
    const ran = await box.zino(args.filter((word) => word !== undefined))
    expect(ran).toMatchObject({ code: 0, stdout: 'you said: two words\n', stderr: '' })
  })

  it('reads the message from stdin without arguments', async () => {
    const ran = await box.zino(['chat'], { input: 'from a pipe\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'you said: from a pipe\n' })
  })

  it('sends words after -- unchanged', async () => {
    const ran = await box.zino(['chat', '--', '-ch', '--stream'])
    expect(ran).toMatchObject({ code: 0, stdout: 'you said: -ch --stream\n' })
  })

  it.each([
    [['-ch', 'one'], 'one'],
    [['-ch=two'], 'two'],
    [['--channel', 'three'], 'three'],
    [['--channel=four'], 'four'],
  ])('continues the channel named by %j', async (flags, channel) => {
    expect(await box.zino(['chat', ...flags, 'first'])).toMatchObject({ code: 0 })
    expect(await box.zino(['chat', 'second', ...flags])).toMatchObject({ code: 0 })
    expect(lastUser()).toEqual({ role: 'user', content: 'second' })
    const history = await box.ask('mem', { type: 'get_history', channel_id: channel })
    expect(history.messages).toHaveLength(4)
    expect(model.requests.at(-1)?.body.messages.slice(-3)).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'you said: first' },
      { role: 'user', content: 'second' },
    ])
  })

  it('prints deltas as they arrive with --stream', async () => {
    let more = () => {}
    model.answer = () =>
      streaming((response) => {
        response.write(delta('begin '))
        more = () => response.end(delta('end') + ending)
      })
    const running = box.start(['chat', '--stream', 'x'])
    await until(() => running.stdout === 'begin ')
    more()
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'begin end\n' })
  })

  it('never prints half a surrogate pair', async () => {
    model.answer = () => slowly(5, 'a\ud83d', '\ude00b')
    expect(await box.zino(['chat', '-s', 'x'])).toMatchObject({ stdout: 'a😀b\n' })
  })

  it('prints an error as one line', async () => {
    model.answer = () => status(400, 'the model\nis unwell')
    for (const flags of [[], ['-s']]) {
      const ran = await box.zino(['chat', ...flags, 'x'])
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toMatch(/^zino: [^\n]*400[^\n]*unwell\n$/)
    }
    expect(await box.zino(['chat', ' '])).toMatchObject({
      code: 1,
      stderr: 'zino: Empty message.\n',
    })
  })

  it('refuses an empty message on stdin with exit code 2', async () => {
    const ran = await box.zino(['chat'], { input: ' \n' })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/^zino: no message[^\n]*\n$/)
  })

  it('exits immediately on SIGINT and says how to resume the turn', async () => {
    model.answer = () => slowly(60_000, 'a', 'b')
    const running = box.start(['chat', '-s', 'x'])
    await until(() => running.stdout === 'a')
    const { signal, code, stderr } = await running.stop('SIGINT')
    expect(signal === 'SIGINT' || code === 130).toBe(true)
    expect(stderr).toMatch(/^\ninterrupted; continue with: zino chat --resume [\w-]+\n$/)
    await until(() => model.requests.at(-1)?.isAborted === true, 3000)
  })

  it('exits silently when stdout is closed', async () => {
    model.answer = () => slowly(1, ...Array.from({ length: 200 }, () => 'x'.repeat(1000)))
    const running = box.start(['chat', '-s', 'x'])
    await once(running.child.stdout as NodeJS.ReadableStream, 'data')
    running.child.stdout?.destroy()
    expect((await running.ended).stderr).toBe('')
  })
})

describe('zino chat without a daemon', () => {
  it('reports it in one line, with or without a configuration', async () => {
    const away = new Sandbox()
    try {
      for (const args of [['--config', away.config], []]) {
        const ran = await away.zino(['chat', ...args, 'x'], { cwd: away.at('home') })
        expect(ran).toMatchObject({ code: 1, stdout: '' })
        expect(ran.stderr).toMatch(/^zino: cannot reach [^\n]*daemon\.sock[^\n]*\n$/)
      }
    } finally {
      await away.remove()
    }
  })

  it('reports a closed connection in one line', async () => {
    const away = new Sandbox()
    away.put('r/keep', '')
    const server = createServer((socket) => socket.once('data', () => socket.end()))
    await new Promise<void>((resolve) => server.listen(away.socket('daemon'), resolve))
    try {
      const ran = await away.zino(['chat', 'x'])
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toMatch(/^zino: [^\n]*closed the connection[^\n]*\n$/)
    } finally {
      server.close()
      await away.remove()
    }
  })
})
