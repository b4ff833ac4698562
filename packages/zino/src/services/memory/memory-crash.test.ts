// Kills mem repeatedly under load and reads everything back: acknowledged writes are present, others
// are complete or absent, and every file is valid.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Program } from '../../../test/program.ts'
import { askService } from '../../client/client.ts'
import type { Message } from '../../wire/wire.ts'

const rounds = Number(process.env.ZEE_ROUNDS ?? 10)

type Ask = (request: object) => Promise<Message>

/** Sends one request after another and knows which states are allowed afterwards. */
interface Writer {
  /** The next request. */
  step(ask: Ask): Promise<void>
  verify(ask: Ask): Promise<void>
}

const random = (below: number) => Math.floor(Math.random() * below)
const sizes = [3, 3, 40, 40, 300, 300, 900, 900, 5000, 5000, 20_000, 100_000]
const filler = () => 'lorem ☃ '.repeat(Math.ceil((sizes[random(sizes.length)] ?? 0) / 10))
/** Distinguishes texts, and is short enough for a failure report. */
const brief = (content: string) =>
  `${content.slice(0, 25)} ${content.length} ${createHash('md5').update(content).digest('hex')}`
const contentsOf = (answer: Message) =>
  (answer.messages as { content: string }[]).map(({ content }) => brief(content))

/** The only writer of a channel: the history has or lacks exactly the step in progress. */
class ChannelWriter implements Writer {
  #state: string[] = []
  #after: string[] | undefined
  #count = 0
  readonly #id: string

  constructor(id: string) {
    this.#id = id
  }

  async step(ask: Ask): Promise<void> {
    const clears = random(40) === 0
    const added = Array.from({ length: 1 + random(3) }, () => `${(this.#count += 1)} ${filler()}`)
    this.#after = clears ? [] : [...this.#state, ...added.map((content) => brief(content))]
    const messages = added.map((content) => ({ role: 'user', content }))
    const type = clears ? 'clear_history' : 'append_history'
    expect(await ask({ type, channel_id: this.#id, messages })).toEqual({ type: 'ok' })
    this.#state = this.#after
    this.#after = undefined
  }

  async verify(ask: Ask): Promise<void> {
    const there = contentsOf(await ask({ type: 'get_history', channel_id: this.#id }))
    const allowed = [this.#state, this.#after ?? this.#state]
    expect(allowed.map((state) => state.length)).toContain(there.length)
    expect(there).toEqual(allowed.find((state) => state.length === there.length))
    this.#state = there
    this.#after = undefined
    const last = await ask({ type: 'get_history', channel_id: this.#id, limit: 3 })
    expect(contentsOf(last)).toEqual(there.slice(-3))
  }
}

/** One of several writers of a channel: all its acknowledged messages are present, in order. */
class SharedWriter implements Writer {
  #sent = 0
  #acknowledged = 0
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  async step(ask: Ask): Promise<void> {
    this.#sent += 1
    const messages = [{ role: 'user', content: `${this.#name} ${this.#sent}` }]
    expect(await ask({ type: 'append_history', channel_id: 'shared', messages })).toEqual({
      type: 'ok',
    })
    this.#acknowledged = this.#sent
  }

  async verify(ask: Ask): Promise<void> {
    const { messages } = await ask({ type: 'get_history', channel_id: 'shared' })
    const own = (messages as { content: string }[])
      .map(({ content }) => content.split(' '))
      .filter(([name]) => name === this.#name)
      .map(([, number]) => Number(number))
    expect([this.#acknowledged, this.#sent]).toContain(own.length)
    expect(own).toEqual(own.map((_, at) => at + 1))
    this.#acknowledged = own.length
    this.#sent = own.length
  }
}

/** Stores and forgets hard memories: ids never change. */
class HardWriter implements Writer {
  readonly #kept = new Map<number, string>()
  readonly #gone = new Set<number>()
  #forgetting: number | undefined
  #count = 0
  readonly #tag: string

  constructor(tag: string) {
    this.#tag = tag
  }

  async step(ask: Ask): Promise<void> {
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && random(6) === 0) {
      this.#forgetting = oldest
      expect(await ask({ type: 'forget_hard', id: oldest })).toMatchObject({ type: 'ok' })
      this.#kept.delete(oldest)
      this.#gone.add(oldest)
      this.#forgetting = undefined
      return
    }
    const content = `${this.#tag} unique${this.#tag}${(this.#count += 1)} ${filler()}`
    const messages = [{ role: 'user', content }]
    const answer = await ask({ type: 'store_hard', messages, tag: this.#tag })
    expect(answer.type).toBe('ok')
    this.#kept.set(answer.id as number, brief(content))
  }

  async verify(ask: Ask): Promise<void> {
    const found = await everyMemory(ask)
    for (const [id, content] of this.#kept) {
      if (id === this.#forgetting && !found.has(id)) continue
      expect(found.get(id)).toBe(content)
    }
    for (const id of this.#gone) expect(found.has(id)).toBe(false)
    if (this.#forgetting !== undefined && !found.has(this.#forgetting)) {
      this.#kept.delete(this.#forgetting)
    }
    this.#forgetting = undefined
    const [id, content] = [...this.#kept].at(-1) ?? []
    if (content === undefined) return
    const query = content.split(' ')[1]
    const { results } = await ask({ type: 'search_hard', query, top_k: 1 })
    expect(results).toMatchObject([{ id, tag: this.#tag }])
  }
}

async function everyMemory(ask: Ask): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (let after = -1; ;) {
    const { results } = await ask({ type: 'list_hard', after, limit: 200 })
    const list = results as { id: number; messages: { content: string }[] }[]
    for (const { id, messages } of list) found.set(id, brief(messages[0]?.content ?? ''))
    const last = list.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

class SoftWriter implements Writer {
  #state = brief('')
  #after = brief('')
  #count = 0

  async step(ask: Ask): Promise<void> {
    const content = `${(this.#count += 1)} ${filler()}`
    this.#after = brief(content)
    expect(await ask({ type: 'set_soft', content })).toEqual({ type: 'ok' })
    this.#state = this.#after
  }

  async verify(ask: Ask): Promise<void> {
    const { content } = await ask({ type: 'get_soft' })
    const there = brief(content as string)
    expect([this.#state, this.#after]).toContain(there)
    this.#state = there
    this.#after = this.#state
  }
}

it(
  `mem loses no acknowledged write and damages no file when it is killed at any instant (${rounds} kills)`,
  async () => {
    const program = new Program({ mem: { data_dir: 'data' } })
    const ask: Ask = (request) => askService(program.socket('mem'), request)
    const writers: Writer[] = [
      ...['plain', 'a/b', 'ü', 'x'.repeat(300)].map((id) => new ChannelWriter(id)),
      ...['s1', 's2', 's3', 's4'].map((name) => new SharedWriter(name)),
      ...['hard1', 'hard2'].map((tag) => new HardWriter(tag)),
      new SoftWriter(),
    ]
    let answered = 0
    for (let round = 0; round <= rounds; round += 1) {
      const running = await program.serve('mem')
      for (const writer of writers) await writer.verify(ask)
      checkFiles(path.join(program.folder, 'data'))
      const counter = new AnswerCounter(ask)
      const work = writers.map((writer) => workOn(writer, counter.ask))
      await counter.reached(random(40))
      await pause(random(5))
      running.child.kill('SIGKILL')
      await Promise.all(work)
      await running.ended
      answered += counter.count
    }
    expect(answered).toBeGreaterThan(rounds * 5)
  },
  rounds * 5000 + 60_000,
)

/** Kills are timed by the number of answers, not by a clock, so that slow machines test as much. */
class AnswerCounter {
  count = 0
  #wanted = Infinity
  #tell = () => {}
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  ask: Ask = async (request) => {
    const answer = await this.#ask(request)
    this.count += 1
    if (this.count >= this.#wanted) this.#tell()
    return answer
  }

  async reached(wanted: number): Promise<void> {
    if (this.count >= wanted) return
    await new Promise<void>((resolve) => {
      this.#wanted = wanted
      this.#tell = resolve
    })
  }
}

/** Writes until the service is gone. */
async function workOn(writer: Writer, ask: Ask): Promise<void> {
  const lost = new Error('lost')
  const step: Ask = (request) =>
    ask(request).catch(() => {
      throw lost
    })
  try {
    for (;;) await writer.step(step)
  } catch (error) {
    if (error !== lost) throw error
  }
}

function checkFiles(data: string): void {
  const channels = readdirSync(path.join(data, 'channels'))
  const names = [...channels.map((name) => `channels/${name}`), ...readdirSync(data)]
  expect(names.filter((name) => name.includes('damaged') || name.endsWith('.tmp'))).toEqual([])
  for (const name of names.filter((name) => name.endsWith('.json'))) {
    expect(Array.isArray(JSON.parse(readFileSync(path.join(data, name), 'utf8')))).toBe(true)
  }
}
