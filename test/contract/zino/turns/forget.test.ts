// Forgetting the message of an unfinished turn, over the built program: no file keeps a byte of it.
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../../support/fake-openai.ts'
import { delta, fakeOpenAi, refuse, streaming } from '../../../support/fake-openai.ts'
import { filesWith as filesIn } from '../../../support/files-with.ts'
import { Sandbox, until } from '../sandbox.ts'

const marker = 'okapi-4711'
const call = (code: string) =>
  `<tool_call>${JSON.stringify({ name: 'execute_bash', arguments: { code } })}</tool_call>`

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

const filesWith = (text: string) => filesIn(box.at('data'), text)

const statesOfTurns = async () => {
  const { turns } = await box.ask('daemon', { type: 'turns' })
  return (turns as { state: string }[]).map(({ state }) => state)
}

const history = async () => {
  const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
  return messages as { content: string }[]
}

const forget = async (id: string) => {
  const forgotten = await box.zino(['memory', 'forget', id, '--yes'])
  expect(forgotten).toMatchObject({ code: 0, stderr: '' })
}

it('forgetting the message of a running turn ends the turn with its script, and leaves no bytes', async () => {
  model.answer = () => [
    'look: ',
    call(`touch ${box.at('started')}; echo ${marker}; exec sleep 300`),
  ]
  const chat = box.start(['chat', '-s', '-ch', 'c', `what is ${marker}?`])
  await until(() => existsSync(box.at('started')))
  process.kill(box.pidOf('daemon') as number, 'SIGKILL')
  await chat.ended
  await until(async () => (await history()).length === 1)
  expect(await statesOfTurns()).toEqual(['running'])
  expect(filesWith(marker).length).toBeGreaterThan(2)
  await forget('c:0')
  expect(filesWith(marker)).toEqual([])
  expect(await statesOfTurns()).toEqual([])
  const sleeping = box.processes().filter((pid) => {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep\0')
  })
  expect(sleeping).toEqual([])
  await box.zino(['restart', 'daemon'])
  await until(() => box.answers('daemon'))
  expect(filesWith(marker)).toEqual([])
  expect(await history()).toMatchObject([{ content: '', forgotten: true }])
})

it.each(['interrupted', 'answered', 'failed'] as const)(
  'forgetting the messages of a turn that is %s, and that no client follows, leaves no bytes',
  async (state) => {
    let isOpen = false
    model.answer = ({ body }) => {
      if (body.messages.at(-1)?.content.includes('<tool_response>') !== true) {
        return ['look: ', call(`echo ${marker}`)]
      }
      if (!isOpen) return streaming(async (response) => void response.write(delta('it is ')))
      return state === 'answered' ? `it is ${marker}` : (response) => refuse(response, 400, 'no')
    }
    const chat = box.start(['chat', '-s', '-ch', 'c', `what is ${marker}?`])
    await until(() => chat.stdout.includes('it is '))
    isOpen = true
    if (state === 'interrupted') chat.child.kill('SIGINT')
    else process.kill(box.pidOf('daemon') as number, 'SIGKILL')
    await chat.ended
    const length = state === 'answered' ? 2 : 1
    await until(async () => (await history()).length === length)
    const left = state === 'interrupted' ? ['interrupted'] : []
    await until(async () => JSON.stringify(await statesOfTurns()) === JSON.stringify(left))
    expect(filesWith(marker)).not.toEqual([])
    for (let position = 0; position < length; position += 1) await forget(`c:${position}`)
    expect(filesWith(marker)).toEqual([])
    await box.zino(['restart', 'daemon'])
    await until(() => box.answers('daemon'))
    expect(filesWith(marker)).toEqual([])
    expect(await history()).toMatchObject(Array.from({ length }, () => ({ forgotten: true })))
  },
)

it('forgetting the message of a background turn leaves no bytes of it in inbox and timers', async () => {
  let isOpen = true
  model.answer = ({ body }) => {
    if (isOpen) return `heard ${body.messages.at(-1)?.content}`
    return streaming(async (response) => void response.write(delta('it is ')))
  }
  const inbox = async () =>
    (await box.ask('tmr', { type: 'inbox' })).entries as { prompt: string }[]
  await box.zino(['chat', '--background', '-ch', 'other', 'stay'])
  await box.zino(['chat', '--background', '-ch', 'c', `what is ${marker}?`])
  await until(async () => (await inbox()).length === 2)
  isOpen = false
  await box.zino(['chat', '--background', '-ch', 'c', `and ${marker}?`])
  await until(async () => JSON.stringify(await statesOfTurns()) === JSON.stringify(['running']))
  process.kill(box.pidOf('daemon') as number, 'SIGKILL')
  await until(async () => (await box.answers('daemon')) && (await history()).length === 3)
  for (const id of ['c:0', 'c:1', 'c:2']) await forget(id)
  expect(filesWith(marker)).toEqual([])
  expect(await inbox()).toMatchObject([{ prompt: 'stay' }])
  await box.zino(['restart', 'tmr'])
  await until(() => box.answers('tmr'))
  expect(await box.ask('tmr', { type: 'list_timers' })).toEqual({ type: 'timers', timers: [] })
  expect(await statesOfTurns()).toEqual([])
  expect(filesWith(marker)).toEqual([])
})

it('clearing a channel ends its interrupted turn, and leaves no bytes', async () => {
  model.answer = () => [
    'look: ',
    call(`touch ${box.at('started')}; echo ${marker}; exec sleep 300`),
  ]
  const chat = box.start(['chat', '-s', '-ch', 'c', `what is ${marker}?`])
  await until(() => existsSync(box.at('started')))
  chat.child.kill('SIGINT')
  await chat.ended
  await until(async () => (await history()).length === 1)
  expect(await box.zino(['memory', 'clear', 'c', '--yes'])).toMatchObject({ stdout: 'cleared\n' })
  expect(filesWith(marker)).toEqual([])
  await box.zino(['restart', 'daemon'])
  await until(() => box.answers('daemon'))
  expect(filesWith(marker)).toEqual([])
  expect(await history()).toEqual([])
})
