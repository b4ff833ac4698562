// Kills random services while a scripted conversation runs. The client resumes each interrupted turn. In
// the end the history is that of an undisturbed conversation, and every side effect happened once.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../../support/fake-openai.ts'
import { fakeOpenAi } from '../../../support/fake-openai.ts'
import type { Packet } from '../wire.ts'
import { exchange } from '../wire.ts'
import { Sandbox, services, until } from '../sandbox.ts'

const kills = Math.min(1000, Number(process.env.ZEE_ROUNDS ?? 60))
/** A client gets a packet, an error or the end of its connection within this time. */
const maxSilenceMs = 10_000

let model: FakeOpenAi
let box: Sandbox
beforeEach(async () => {
  model = await fakeOpenAi(({ body }) => {
    const asked = body.messages.findLast(({ role }) => role === 'user')?.content ?? ''
    const [, number = '0'] = /step (\d+)/.exec(asked) ?? []
    const last = body.messages.at(-1)?.content ?? ''
    if (last.includes(`ran-${number}-b`)) return `answer ${number}`
    const name = last.includes(`ran-${number}-a`) ? 'b' : 'a'
    const code = `echo ${number}${name} >> ${box.at('effects')}; sleep 0.0${number.length}; echo ran-${number}-${name}`
    const call = JSON.stringify({ name: 'execute_bash', arguments: { code } })
    return [`now ${name} of ${number}: `, `<tool_call>${call}</tool_call>`]
  })
  box = new Sandbox({ base: model.base, over: { logging: { level: 'WARN' } } })
})
afterEach(async () => {
  await box.remove()
  await model.close()
})

/** Sends a message and resumes its turn until it is answered. */
async function converse(number: number): Promise<Packet> {
  const turn = `turn-${number}`
  const message = { message: `step ${number}`, channel_id: 'c', stream: true, turn }
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      // daemon knows a turn by its id, so sending the message again does not begin it twice.
      const last = (await exchange(box.socket('daemon'), message, maxSilenceMs)).at(-1)
      if (last?.type === 'done') return last
      if (last?.type === 'error' && last.code === undefined) throw new Error(String(last.message))
    } catch (error) {
      if (error instanceof Error && /Agentic|HTTP|no packet within/.test(error.message)) throw error
    }
    await pause(20)
  }
  throw new Error(`turn ${turn} did not end`)
}

it(
  `a conversation survives random kills of its services, and each side effect happens once (${kills} kills)`,
  async () => {
    const up = await box.up()
    const over = new AbortController()
    let done = 0
    const talk = (async () => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        expect(await converse(number)).toMatchObject({ turn: `turn-${number}` })
        done = number + 1
      }
    })()
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(Math.random() * 150)
      const name = services[Math.floor(Math.random() * services.length)] ?? 'daemon'
      const pid = box.pidOf(name)
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await Promise.race([
        talk,
        until(async () => box.pidOf(name) !== pid && (await box.answers(name)), 40_000),
      ])
    }
    over.abort()
    await talk
    await until(async () => {
      const { turns } = await box.ask('daemon', { type: 'turns' })
      return Array.isArray(turns) && turns.length === 0
    }, 20_000)
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'c' })
    const list = messages as { role: string; content: string }[]
    const effects = readFileSync(box.at('effects'), 'utf8').trim().split('\n')
    const expected = Array.from({ length: done }, (_, at) => [`${at}a`, `${at}b`]).flat()
    const wrong = expected.findIndex((effect, at) => effects[at] !== effect)
    const turnOfWrong = list.slice(wrong - (wrong % 2), wrong - (wrong % 2) + 2)
    expect(effects, JSON.stringify(turnOfWrong)).toEqual(expected)
    const roles = list.map(({ role }) => role)
    expect(roles).toEqual(expected.map((_, at) => (at % 2 === 0 ? 'user' : 'assistant')))
    for (let at = 0; at < done; at += 1) {
      expect(list[2 * at]?.content).toBe(`step ${at}`)
      const answer = list[2 * at + 1]?.content ?? ''
      expect(answer).toContain(`ran-${at}-a`)
      expect(answer).toContain(`ran-${at}-b`)
      expect(answer.endsWith(`answer ${at}`)).toBe(true)
      expect(answer.split(`answer ${at}`)).toHaveLength(2)
    }
    const { receipts } = JSON.parse((await box.zino(['receipts', 'show', '--json'])).stdout) as {
      receipts: { turn: string }[]
    }
    const turns = Array.from({ length: done }, (_, at) => `turn-${at}`)
    const why = (up.stdout + up.stderr).split('\n').filter((line) => line.includes('receipt'))
    expect(receipts.map(({ turn }) => turn).sort(), why.join('\n')).toEqual(turns.sort())
    expect(await box.zino(['receipts', 'verify'])).toMatchObject({ code: 0 })
    const replayed = await box.zino(['replay', '--since', '1h'])
    expect(replayed.stdout).toBe(`replayed ${done} turns: 0 differences\n`)
    expect(done).toBeGreaterThan(kills / 30)
  },
  kills * 10_000 + 60_000,
)
