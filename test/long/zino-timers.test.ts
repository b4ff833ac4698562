// Kills tmr and the services it needs at random instants while timers are due every second. Each due time
// has exactly one entry in the inbox and one pair of messages in its channel. `ZEE_ROUNDS` scales the
// number of kills.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sandbox, until } from '../contract/zino/sandbox.ts'
import type { FakeOpenAi } from '../support/fake-openai.ts'
import { fakeOpenAi } from '../support/fake-openai.ts'

const kills = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 10_000) / 50)
const reminders = 50
const channels = ['a', 'b', 'c']
/** tmr is killed more often than the others. */
const victims = ['tmr', 'tmr', 'tmr', 'daemon', 'mem', 'agr']

interface Entry {
  text: string
  turn: string
  channel: string | null
  failed: boolean
}

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi(({ body }) => `heard ${body.messages.at(-1)?.content}`)
  box = new Sandbox({ base: model.base, over: { tmr: { enabled: true } } })
  await box.up()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

const ask = (request: object) => box.ask('tmr', request)
const timers = async () => (await ask({ type: 'list_timers' })).timers as { id: string }[]

function kill(name: string): void {
  for (const pid of box.processes()) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (words.includes(name)) process.kill(pid, 'SIGKILL')
    } catch {
      // It has exited meanwhile.
    }
  }
}

it('timers run exactly once for each due time under random kills', async () => {
  for (const channel_id of channels) {
    await ask({ type: 'every', when: '2 seconds', text: `look at ${channel_id}`, channel_id })
  }
  for (let n = 0; n < reminders; n += 1) {
    await ask({ type: 'remind', when: `in ${5 + (n % 9)} seconds`, text: `reminder ${n}.` })
  }
  for (let n = 0; n < kills; n += 1) {
    await pause(200 + Math.random() * 1500)
    kill(victims[Math.floor(Math.random() * victims.length)] ?? 'tmr')
  }
  await until(() => box.answers('tmr'), 60_000)
  for (const { id } of await timers()) await ask({ type: 'pause_timer', id })
  const isIdle = async () => !JSON.stringify(await timers()).includes('"running"')
  await until(isIdle, 60_000)
  // A paused timer may still finish a run.
  await pause(15_000)
  const entries = (await ask({ type: 'inbox' })).entries as Entry[]
  expect(entries.filter(({ failed }) => failed)).toEqual([])
  expect(new Set(entries.map(({ turn }) => turn)).size).toBe(entries.length)
  for (let n = 0; n < reminders; n += 1) {
    expect(entries.filter(({ text }) => text === `reminder ${n}.`)).toHaveLength(1)
  }
  for (const channel_id of channels) {
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id })
    const runs = entries.filter(({ channel }) => channel === channel_id)
    expect(messages).toHaveLength(2 * runs.length)
  }
})
