// A service or the supervisor is killed during a request: the client gets an error, no process of the
// request remains, and the next request is answered.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi, slowly } from '../../support/fake-openai.ts'
import type { Running, ServiceName } from './sandbox.ts'
import { Sandbox, services, until } from './sandbox.ts'
import { ask, Caller } from './wire.ts'

let model: FakeOpenAi
let box: Sandbox
let up: Running
beforeEach(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base, over: { exc: { timeout: 600 } } })
  up = await box.up()
})
afterEach(async () => {
  await box.remove()
  await model.close()
})

/** Starts children in separate groups, ignores TERM, and creates a file once all of it runs. */
const stubborn = () =>
  `sleep 600 & set -m; sleep 601 & trap "" TERM; touch ${box.at('runs')}; sleep 602; sleep 603`
const execute = () => ({ type: 'execute', executor: 'bash', code: stubborn() })
const onlyServices = () => box.processes().length === services.length + 1

function kill(name: ServiceName): number {
  const pid = box.pidOf(name) as number
  process.kill(pid, 'SIGKILL')
  return pid
}

async function isBack(name: ServiceName, before: number): Promise<void> {
  await until(async () => box.pidOf(name) !== before && (await box.answers(name)))
}

describe('exc killed while scripts run', () => {
  it('leaves no process and no file of them, and is restarted', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => Caller.open(box.socket('exc'))))
    for (const caller of callers) caller.send(execute())
    await until(() => existsSync(box.at('runs')) && readdirSync(box.at('tmp')).length === 3)
    const before = kill('exc')
    for (const caller of callers) expect(await caller.next()).toBeUndefined()
    await isBack('exc', before)
    await until(() => onlyServices() && readdirSync(box.at('tmp')).length === 0)
    const request = { type: 'execute', executor: 'bash', code: 'echo again' }
    expect(await box.ask('exc', request)).toMatchObject({ exit_code: 0, stdout: 'again\n' })
  })

  it('leaves no process of a script that was just being started', async () => {
    for (const ms of [5, 20, 40, 80]) {
      const callers = await Promise.all(
        Array.from({ length: 8 }, () => Caller.open(box.socket('exc'))),
      )
      for (const caller of callers) caller.send(execute())
      await pause(ms)
      const before = kill('exc')
      await until(() => onlyServices() && readdirSync(box.at('tmp')).length === 0)
      await isBack('exc', before)
    }
  })

  it('does not end the script of a turn: the restarted exc gets its result', async () => {
    const code = `echo once >> ${box.at('effects')}; touch ${box.at('runs')}; sleep 2; echo finished`
    const call = { name: 'execute_bash', arguments: { code } }
    model.answer = (_, number) =>
      number === 1 ? `<tool_call>${JSON.stringify(call)}</tool_call>` : 'it ran'
    const answer = box.ask('daemon', { message: 'go' })
    await until(() => existsSync(box.at('runs')))
    kill('exc')
    expect(await answer).toMatchObject({ type: 'response', content: 'it ran' })
    const [first, second] = model.requests.map(({ body }) => body.messages.at(-1)?.content)
    expect(first).toBe('go')
    expect(second).toMatch(/<tool_response>\nfinished\n\n?<\/tool_response>/)
    expect(readFileSync(box.at('effects'), 'utf8')).toBe('once\n')
    await until(onlyServices)
  })

  it('does not kill background processes of a finished script', async () => {
    const code = 'sleep 600 >/dev/null 2>&1 & echo $!'
    const { stdout } = await box.ask('exc', { type: 'execute', executor: 'bash', code })
    await isBack('exc', kill('exc'))
    await box.ask('exc', { type: 'execute', executor: 'bash', code: 'true' })
    expect(box.processes()).toContain(Number(stdout))
  })
})

describe('a service killed in the middle of a message', () => {
  it.each(['rtr', 'agr'] as const)('causes exactly one error when it is %s', async (name) => {
    model.answer = () => slowly(60_000, 'a', 'b')
    const caller = await Caller.open(box.socket('daemon'))
    caller.send({ message: 'hi', stream: true, channel_id: 'c' })
    expect(await caller.next()).toMatchObject({ type: 'chunk', delta: 'a' })
    const before = kill(name)
    expect(await caller.next()).toMatchObject({ type: 'error' })
    caller.socket.end()
    expect(await caller.next()).toBeUndefined()
    await until(() => model.requests[0]?.isAborted === true)
    await isBack(name, before)
    model.answer = () => 'back'
    const answer = await box.ask('daemon', { message: 'hi', channel_id: 'c' })
    expect(answer).toMatchObject({ type: 'response', content: 'back' })
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
    expect(messages).toMatchObject([{ content: 'hi' }, { content: 'hi' }, { content: 'back' }])
  })

  it.each(['sys', 'ctx', 'mem'] as const)(
    'does not prevent an answer when it is %s',
    async (name) => {
      process.kill(box.pidOf(name) as number, 'SIGSTOP')
      const caller = await Caller.open(box.socket('daemon'))
      caller.send({ message: 'hi', channel_id: 'c' })
      // By now the message waits for the stopped service, or will find it dead.
      await box.answers('daemon')
      const before = kill(name)
      expect(await caller.next()).toMatchObject({ type: 'response', content: 'ok' })
      await isBack(name, before)
      expect(await box.ask('daemon', { message: 'hi' })).toMatchObject({ content: 'ok' })
    },
  )

  it('ends the client with one line on stderr when it is the daemon', async () => {
    model.answer = () => slowly(60_000, 'a', 'b')
    const chat = box.start(['chat', '-s', 'hi'])
    await until(() => chat.stdout === 'a')
    await isBack('daemon', kill('daemon'))
    expect(await chat.ended).toMatchObject({
      code: 1,
      stdout: 'a\n',
      stderr: expect.stringMatching(/^zino: [^\n]*daemon\.sock[^\n]*\n$/),
    })
    await until(() => model.requests[0]?.isAborted === true)
  })
})

describe('the supervisor', () => {
  it('leaves nothing running when it is killed during a script, and can be restarted', async () => {
    const caller = await Caller.open(box.socket('exc'))
    caller.send(execute())
    await until(() => existsSync(box.at('runs')))
    up.child.kill('SIGKILL')
    // Immediately, so that the new supervisor meets services that are still stopping.
    const again = box.start(['up', '--config', box.config])
    await until(() => again.stdout.includes('zino is up'))
    await until(onlyServices)
    expect(readdirSync(box.at('tmp'))).toEqual([])
    expect(await box.ask('daemon', { message: 'hi' })).toMatchObject({ content: 'ok' })
  })

  it('can be restarted after all processes were killed, and no script remains', async () => {
    const caller = await Caller.open(box.socket('exc'))
    caller.send(execute())
    await until(() => existsSync(box.at('runs')))
    // A stopped supervisor neither restarts the services nor closes their lifelines.
    up.child.kill('SIGSTOP')
    for (const name of services) kill(name)
    up.child.kill('SIGKILL')
    await until(() => box.processes().length === 0)
    expect(services.filter((name) => existsSync(box.socket(name)))).toEqual([...services])
    await box.up()
    expect(await box.ask('daemon', { message: 'hi' })).toMatchObject({ content: 'ok' })
  })

  it('keeps running when its stdout and stderr are closed', async () => {
    await up.stop()
    const quiet = box.start(['up', '--config', box.config])
    quiet.child.stdout?.destroy()
    quiet.child.stderr?.destroy()
    await until(async () =>
      (await Promise.all(services.map((each) => box.answers(each)))).every(Boolean),
    )
    await isBack('sys', kill('sys'))
    expect(quiet.isOver).toBe(false)
    expect(await quiet.stop()).toMatchObject({ code: 0 })
  })
})

describe('fifty concurrent clients', () => {
  it('all get their complete answers although they half-closed', async () => {
    model.answer = ({ body }) => slowly(50, 'you said ', String(body.messages.at(-1)?.content))
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const caller = await Caller.open(box.socket('daemon'))
        caller.send({ message: `m${n}`, stream: true, channel_id: `c${n % 5}` })
        caller.socket.end()
        const packets = await caller.answer()
        expect(await caller.next()).toBeUndefined()
        return packets.at(-1)
      }),
    )
    expect(answers.map((last) => last?.full_text)).toEqual(
      Array.from({ length: 50 }, (_, n) => `you said m${n}`),
    )
    for (const n of [0, 1, 2, 3, 4]) {
      const request = { type: 'get_history', channel_id: `c${n}` }
      expect((await ask(box.socket('mem'), request)).messages).toHaveLength(20)
    }
  })
})
