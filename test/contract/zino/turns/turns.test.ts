// Turns over the built program: a killed service, a client that resumes, a mem that is away.
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, streaming } from '../../../support/fake-openai.ts'
import type { ServiceName } from '../sandbox.ts'
import { Sandbox, until } from '../sandbox.ts'

let model: FakeOpenAi
let box: Sandbox
beforeEach(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base })
  await box.up()
})
afterEach(async () => {
  await box.remove()
  await model.close()
})

async function kill(name: ServiceName): Promise<void> {
  const pid = box.pidOf(name) as number
  process.kill(pid, 'SIGKILL')
  await until(async () => box.pidOf(name) !== pid && (await box.answers(name)))
}

it.each(['daemon', 'agr', 'rtr'] as const)(
  'a turn whose %s is killed keeps its message, is listed, and is resumed by its id',
  async (name) => {
    let isOpen = false
    model.answer = () =>
      streaming(async (response) => {
        response.write(delta('begin '))
        await until(() => isOpen || response.destroyed, 20_000)
        response.end(delta('end') + ending)
      })
    const chat = box.start(['chat', '-s', '-ch', 'c', 'hello'])
    await until(() => chat.stdout.includes('begin'))
    await kill(name)
    const { code, stderr } = await chat.ended
    expect(code).toBe(1)
    const [, turn = ''] = /; continue with: zino chat --resume (\S+)\n$/.exec(stderr) ?? []
    expect(stderr.trim().split('\n')).toHaveLength(1)
    await until(async () => {
      const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
      return (messages as { content: string }[]).some(({ content }) => content === 'hello')
    })
    expect((await box.zino(['status'])).stdout).toContain(turn)
    isOpen = true
    const resumed = await box.zino(['chat', '-s', '--resume', turn])
    expect(resumed).toMatchObject({ code: 0, stdout: 'begin end\n' })
    await until(async () => !(await box.zino(['status'])).stdout.includes(turn))
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
    expect(messages).toMatchObject([{ content: 'hello' }, { content: 'begin end' }])
  },
)

it.each([true, false])(
  'a turn goes on by itself when daemon is restarted, and its script runs once (streamed: %s)',
  async (stream) => {
    const code = `echo run >> ${box.at('effects')}; until [ -e ${box.at('go')} ]; do sleep 0.05; done; echo seen`
    const call = JSON.stringify({ name: 'execute_bash', arguments: { code } })
    model.answer = ({ body }) =>
      body.messages.at(-1)?.content.includes('seen\n') === true
        ? 'done'
        : `look <tool_call>${call}</tool_call>`
    const request = { message: 'hello', channel_id: 'c', stream, turn: 'turn-1' }
    const answer = box.ask('daemon', request)
    await until(() => existsSync(box.at('effects')))
    expect(await box.zino(['restart', 'daemon'])).toMatchObject({ code: 0 })
    expect(await answer).toMatchObject({ type: 'error', code: 'interrupted', turn: 'turn-1' })
    box.put('go', '')
    await until(async () => {
      const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
      return Array.isArray(messages) && messages.length === 2
    })
    expect(readFileSync(box.at('effects'), 'utf8')).toBe('run\n')
    expect(await box.ask('daemon', { resume: 'turn-1' })).toMatchObject({ type: 'response' })
  },
)

it('zino stop ends the script of a turn, and the resumed turn says so to the model', async () => {
  const code = `echo $$ > ${box.at('pid')}; sleep 30; echo seen`
  const call = JSON.stringify({ name: 'execute_bash', arguments: { code } })
  model.answer = (_, number) => (number === 1 ? `look <tool_call>${call}</tool_call>` : 'done')
  const answer = box.ask('daemon', { message: 'hello', stream: true, turn: 'turn-1' })
  const script = (): number => Number(existsSync(box.at('pid')) && readFileSync(box.at('pid')))
  await until(() => script() > 0)
  expect(await box.zino(['stop'])).toMatchObject({ code: 0 })
  expect(await answer).toMatchObject({ type: 'error', code: 'interrupted' })
  expect(box.processes()).not.toContain(script())
  await box.up()
  expect(await box.ask('daemon', { resume: 'turn-1' })).toMatchObject({ type: 'response' })
  expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toMatch(/\[exit code: -|interrupted/)
})

it('a second daemon on the data folder ends with a reason and leaves the turns of the first alone', async () => {
  let isOpen = false
  model.answer = () =>
    streaming(async (response) => {
      response.write(delta('begin '))
      await until(() => isOpen || response.destroyed, 60_000)
      response.end(delta('end') + ending)
    })
  const chat = box.start(['chat', '-s', '-ch', 'c', 'hello'])
  await until(() => chat.stdout.includes('begin'))
  const elsewhere = readFileSync(box.config, 'utf8').replace('daemon.sock', 'other.sock')
  const configs = [box.config, box.put('other.toml', elsewhere)]
  const seconds = await Promise.all(configs.map((config) => box.zino(['daemon', '-c', config])))
  for (const { code, stderr } of seconds) {
    expect(code).toBe(1)
    expect(stderr).toContain(`another daemon uses ${box.at('data/mem')}`)
  }
  isOpen = true
  expect(await chat.ended).toMatchObject({ code: 0, stdout: 'begin end\n' })
  expect(model.requests).toHaveLength(1)
  const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
  expect(messages).toMatchObject([{ content: 'hello' }, { content: 'begin end' }])
})

it('a turn that mem does not store is answered, listed, and stored when mem is back', async () => {
  process.kill(box.pidOf('mem') as number, 'SIGTERM')
  await until(async () => !(await box.answers('mem')))
  const answer = await box.ask('daemon', { message: 'hi', channel_id: 'c' })
  expect(answer).toMatchObject({ type: 'response', content: 'ok', stored: false })
  expect((await box.zino(['status'])).stdout).toContain('unstored')
  await box.zino(['restart', 'mem'])
  await until(async () => {
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
    return Array.isArray(messages) && messages.length === 2
  }, 20_000)
  expect(await box.ask('daemon', { message: 'hi', channel_id: 'c' })).toMatchObject({
    stored: true,
  })
})

it('streamed and collected turns store the same history, calls and results included', async () => {
  const call = JSON.stringify({ name: 'execute_bash', arguments: { code: 'echo seen' } })
  model.answer = ({ body }) =>
    body.messages.at(-1)?.content.includes('seen\n') === true
      ? 'done'
      : `look <tool_call>${call}</tool_call>`
  for (const stream of [true, false]) {
    await box.exchange('daemon', { message: 'go', channel_id: `s-${stream}`, stream })
  }
  const [one, other] = await Promise.all(
    [true, false].map(async (stream) => {
      const request = { type: 'get_history', channel_id: `s-${stream}` }
      const { messages } = await box.ask('mem', request)
      return (messages as { role: string; content: string }[]).map(({ role, content }) => [
        role,
        content,
      ])
    }),
  )
  expect(one).toEqual(other)
  expect(one?.[1]?.[1]).toBe(
    `look <tool_call>${call}</tool_call>\n<tool_response>\nseen\n\n</tool_response>\ndone`,
  )
})
