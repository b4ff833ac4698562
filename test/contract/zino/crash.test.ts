// Kills each service in turn under load: the others keep working, the killed one comes back, and no
// write that mem has acknowledged is lost or damaged, even across a complete restart.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi } from '../../support/fake-openai.ts'
import { Sandbox, services, until } from './sandbox.ts'
import { ask } from './wire.ts'

/** The restart back-off grows with every kill, so more rounds would mostly wait. */
const rounds = Math.min(6, Math.ceil(Number(process.env.ZEE_ROUNDS ?? 7) / 7))

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi(({ body }) => `echo ${body.messages.at(-1)?.content}`)
  box = new Sandbox({ base: model.base, over: { logging: { level: 'ERROR' } } })
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

interface Load {
  /** Acknowledged messages by channel. */
  kept: Map<string, string[]>
  memories: Map<number, string>
  answers: number
  stop(): Promise<void>
}

describe('zino up', () => {
  it(
    'loses no acknowledged write when its services are killed',
    async () => {
      const up = await box.up()
      const load = startLoad()
      for (let round = 0; round < rounds; round += 1) {
        for (const name of services) {
          const pid = box.pidOf(name) as number
          process.kill(pid, 'SIGKILL')
          await until(async () => {
            const now = box.pidOf(name)
            return now !== undefined && now !== pid && (await box.answers(name))
          }, 40_000)
          const before = load.answers
          await until(() => load.answers > before + 4)
        }
      }
      await load.stop()
      await checkMemory(load)
      await up.stop()
      checkFiles()
      await box.up()
      await checkMemory(load)
    },
    rounds * 60_000 + 60_000,
  )
})

function startLoad(): Load {
  const over = new AbortController()
  const load: Load = { kept: new Map(), memories: new Map(), answers: 0, stop }
  const work = [
    ...Array.from({ length: 4 }, (_, n) => again(() => chat(n))),
    ...Array.from({ length: 3 }, (_, n) => again((turn) => append(`direct-${n}`, turn))),
    again((turn) => storeHard(turn)),
  ]
  async function stop() {
    over.abort()
    await Promise.all(work)
  }
  async function again(step: (turn: number) => Promise<void>) {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      // A request to a service that is being killed fails.
      await step(turn).catch(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
  }
  async function chat(n: number) {
    const message = `from ${n} at ${performance.now()}`
    const answer = await ask(box.socket('daemon'), { message, channel_id: `chat-${n}` })
    if (answer.type === 'response') {
      expect(answer.content).toBe(`echo ${message}`)
      load.answers += 1
    } else expect(answer.type).toMatch(/^error$/)
  }
  async function append(channel: string, turn: number) {
    const content = `${channel} ${turn} ☃`
    const messages = [{ role: 'user', content }]
    const request = { type: 'append_history', channel_id: channel, messages }
    const { type } = await ask(box.socket('mem'), request)
    if (type === 'ok') load.kept.set(channel, [...(load.kept.get(channel) ?? []), content])
  }
  async function storeHard(turn: number) {
    const content = `memory number ${turn}`
    const messages = [{ role: 'user', content }]
    const { type, id } = await ask(box.socket('mem'), { type: 'store_hard', messages, tag: 'x' })
    if (type === 'ok') load.memories.set(Number(id), content)
  }
  return load
}

interface ChatMessage {
  role: string
  content: string
}

async function historyOf(channel: string): Promise<ChatMessage[]> {
  const { type, messages } = await box.ask('mem', { type: 'get_history', channel_id: channel })
  expect(type).toBe('history')
  return messages as ChatMessage[]
}

async function checkMemory({ kept, memories }: Load): Promise<void> {
  expect(kept.size).toBe(3)
  for (const [channel, contents] of kept) {
    const found = new Set((await historyOf(channel)).map(({ content }) => content))
    expect(contents.filter((content) => !found.has(content))).toEqual([])
  }
  for (const n of [0, 1, 2, 3]) {
    const messages = await historyOf(`chat-${n}`)
    for (const [at, { role, content }] of messages.entries()) {
      // A message whose turn was interrupted stays without an answer.
      if (role === 'assistant') expect(content).toBe(`echo ${messages[at - 1]?.content}`)
    }
  }
  expect(memories.size).toBeGreaterThan(0)
  for (const content of [...memories.values()].slice(-20)) {
    const request = { type: 'search_hard', query: content, top_k: 3 }
    const { results } = (await box.ask('mem', request)) as unknown as {
      results: { messages: ChatMessage[] }[]
    }
    const found = results.flatMap(({ messages }) => messages.map((message) => message.content))
    expect(found).toContain(content)
  }
}

/** After a stop every file is valid JSON. */
function checkFiles(): void {
  const folder = box.at('data/mem/channels')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(files.length).toBeGreaterThanOrEqual(7)
  for (const name of files) {
    const content: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
    expect(Array.isArray(content)).toBe(true)
  }
  expect(JSON.parse(readFileSync(box.at('data/mem/hard_memories.json'), 'utf8'))).toBeInstanceOf(
    Array,
  )
}
