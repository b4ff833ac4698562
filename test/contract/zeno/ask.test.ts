// `zeno ask` against a loopback model that plays both models.
import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onLoopback } from '../../support/loopback.ts'
import { builtProgram } from '../../support/paths.ts'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox, readEvents } from './sandbox.ts'
import { readPageFile } from '../pages/page-file.ts'

interface Block {
  type: string
  text?: string
  content?: unknown
}

/** What the played model sees of a request. */
interface Seen {
  model: string
  /** Texts of the tool results so far. */
  results: string[]
  lastText: string
  hasTools: boolean
  size: number
}

type Played = { text?: string; calls?: [string, Json][] } | 'hang'
type Play = (seen: Seen, number: number) => Played | Promise<Played>

let box: Sandbox
let close: (() => Promise<void>) | undefined

beforeEach(() => {
  box = createSandbox({ 'src/cart.ts': 'export const rate = 42\nexport const other = 1\n' })
})
afterEach(async () => {
  await close?.()
  close = undefined
  await box.remove()
})

async function playModel(play: Play) {
  const requests: Seen[] = []
  const loopback = await onLoopback(async (_incoming, raw, response) => {
    const body = JSON.parse(raw) as { model: string; messages: { content: unknown }[]; tools?: [] }
    const blocks = body.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[]),
    )
    const seen: Seen = {
      model: body.model,
      results: blocks.filter(({ type }) => type === 'tool_result').map(textOf),
      lastText: blocks.findLast(({ type }) => type === 'text')?.text ?? '',
      hasTools: (body.tools ?? []).length > 0,
      size: raw.length,
    }
    requests.push(seen)
    const number = requests.filter(({ model }) => model === seen.model).length
    const answer = await play(seen, number)
    if (answer === 'hang') return
    const { text, calls = [] } = answer
    const content = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(([name, input], index) => {
        return { type: 'tool_use', id: `t${requests.length}_${index}`, name, input }
      }),
    ]
    stream(response, content, calls.length > 0 ? 'tool_use' : 'end_turn')
  })
  close = loopback.close
  const env = { ANTHROPIC_BASE_URL: loopback.url, ANTHROPIC_API_KEY: 'test-key-0123456789' }
  return { requests, env, sub: () => requests.filter(({ model }) => model === 'sub') }
}

function textOf({ content }: Block): string {
  return typeof content === 'string'
    ? content
    : (content as Block[]).map(({ text }) => text ?? '').join('')
}

function stream(response: ServerResponse, content: Json[], stop: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, fields: Json): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const usage = { input_tokens: 50, output_tokens: 10 }
  send('message_start', {
    message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage },
  })
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text'
    send('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    })
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  send('message_delta', { delta: { stop_reason: stop }, usage: { output_tokens: 10 } })
  send('message_stop', {})
  response.end()
}

/** Holds requests until a number of them has arrived, and answers the last one first. */
class AllAtOnce {
  readonly #count: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#count = count
  }

  arrive(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.unshift(resolve) < this.#count) return
      for (const answer of this.#waiting) answer()
    })
  }
}

/** A step on the page of `zeno view`. */
interface Step {
  name: string
  id?: string
  call?: string
  depth: number
  details: string
}

const models = ['--provider', 'anthropic', '--model', 'root', '--sub-model', 'sub']

function ask(env: Record<string, string>, ...args: string[]) {
  const cache = path.join(box.base, 'cache')
  return box.zeno(['ask', 'what is the rate?', '--root', box.root, ...models, ...args], {
    env: { ...env, XDG_CACHE_HOME: cache },
  })
}

const search: [string, Json] = ['search', { pattern: 'rate' }]
const map: [string, Json] = ['map', { question: 'find the rate', glob: '**/*' }]

describe('zeno ask', () => {
  it('prints an answer whose citations it verified, exits 0, and writes a trace for zeno view', async () => {
    const { env, requests } = await playModel((_, number) =>
      number === 1 ? { calls: [search] } : { text: 'The rate is 42 [E1].' },
    )
    const log = path.join(box.base, 'ask.jsonl')
    const ran = await ask(env, '--log', log)
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/^The rate is 42 \[E1\]\.\n\n\[E1\] src\/cart\.ts:1-2 sha256:/)
    expect(requests[1]?.results[0]).toMatch(
      /^\[E1\] src\/cart\.ts:1-2\n1: export const rate = 42\n/,
    )
    const events = readEvents(log).map(({ event }) => event)
    expect(events).toEqual(
      expect.arrayContaining(['ask_start', 'request', 'evidence', 'claim', 'ask_end']),
    )
    expect(await box.zeno(['view', '--log', log, '--root', box.root])).toMatchObject({ code: 0 })
  })

  it('sends wrong citations back once, marks uncited claims and exits 3', async () => {
    const { env, requests } = await playModel((_, number) => ({
      text: number === 1 ? 'It is 42 [E9].' : 'It is 42. It is green.',
    }))
    const ran = await ask(env)
    expect(ran).toMatchObject({
      code: 3,
      stdout: 'It is 42. [unverified] It is green. [unverified]\n',
    })
    expect(requests).toHaveLength(2)
    expect(requests[1]?.lastText).toContain('E9 was never shown')
  })

  it('does not accept a citation of lines that changed after they were read', async () => {
    const { env } = await playModel((_, number) => {
      if (number === 1) return { calls: [search] }
      writeFileSync(path.join(box.root, 'src/cart.ts'), 'export const rate = 43\n')
      return { text: 'The rate is 42 [E1].' }
    })
    const ran = await ask(env)
    expect(ran.code).toBe(3)
    expect(ran.stdout).toContain('[unverified]')
  })

  it('asks for a last answer when the calls are spent, and exits 4', async () => {
    const { env, requests } = await playModel(({ hasTools }) =>
      hasTools ? { calls: [search] } : { text: 'So far it is 42 [E1].' },
    )
    const ran = await ask(env, '--budget', 'calls=3')
    expect(ran.code).toBe(4)
    expect(ran.stdout).toContain('budget spent: calls; this answer is partial')
    expect(requests).toHaveLength(3)
  })

  it('ends with exit 4 when the time is spent while a model does not answer', async () => {
    const { env } = await playModel(() => 'hang')
    const started = Date.now()
    expect(await ask(env, '--budget', 'time=1')).toMatchObject({ code: 4 })
    expect(Date.now() - started).toBeLessThan(15_000)
  })

  it('accepts an empty search as evidence of absence', async () => {
    const { env } = await playModel((_, number) =>
      number === 1
        ? { calls: [['search', { pattern: 'nowhere to be found' }]] }
        : { text: 'No file mentions it [E1].' },
    )
    expect(await ask(env)).toMatchObject({ code: 0 })
  })

  it('asks the sub-model about every chunk at most once for the same content', async () => {
    for (let file = 0; file < 8; file++) {
      box.put({ [`data/f${file}.txt`]: `record ${file}\n`.repeat(120) })
    }
    const play: Play = ({ model, results }) => {
      if (model === 'sub') return { text: 'NONE' }
      return results.length === 0 ? { calls: [map] } : { text: 'Nothing was found?' }
    }
    const model = await playModel(play)
    await ask(model.env, '--chunk-chars', '2000')
    const first = model.sub().length
    expect(first).toBeGreaterThan(5)
    await ask(model.env, '--chunk-chars', '2000')
    expect(model.sub()).toHaveLength(first)
    box.put({ 'data/f3.txt': `changed 3\n`.repeat(120) })
    await ask(model.env, '--chunk-chars', '2000')
    expect(model.sub().length - first).toBeLessThanOrEqual(3)
    expect(model.sub().length).toBeGreaterThan(first)
  })

  it('shows parallel sub-calls as siblings, each with its own read and answer', async () => {
    const files = ['a', 'bb', 'ccc', 'dddd'].map((name) => `data/${name}.txt`)
    for (const file of files) box.put({ [file]: `record of ${file}\n`.repeat(80) })
    const parallel = new AllAtOnce(files.length)
    const model = await playModel(async ({ model: name, results, lastText }) => {
      if (name === 'root') {
        const question = { question: 'what is this?', glob: 'data/*' }
        return results.length === 0 ? { calls: [['map', question]] } : { text: 'Nothing?' }
      }
      await parallel.arrive()
      return { text: `seen ${/record of (\S+)/.exec(lastText)?.[1]}` }
    })
    const log = path.join(box.base, 'ask.jsonl')
    await ask(model.env, '--log', log, '--chunk-chars', '2000', '--parallel', '4')
    const out = path.join(box.base, 'page.html')
    await box.zeno(['view', '--log', log, '--out', out])
    const steps = readPageFile(out).data.steps as unknown as Step[]
    const calls = steps
      .filter(({ name }) => name === 'subcall_start')
      .map(({ id, depth, details }) => {
        const reads = steps.filter((step) => step.call === id && step.name === 'read_file')
        const end = steps.find((step) => step.name === 'subcall_end' && step.id === id)
        return {
          depths: [depth, ...reads.map((read) => read.depth - 1), end?.depth],
          started: (JSON.parse(details) as { paths: string[] }).paths,
          read: reads.map((read) => (JSON.parse(read.details) as { path: string }).path),
          chars: (JSON.parse(end?.details ?? '{}') as { response_chars?: number }).response_chars,
        }
      })
    expect(calls).toHaveLength(files.length)
    for (const file of files) {
      const chars = `seen ${file}`.length
      const call = { depths: [0, 0, 0], started: [file], read: [file], chars }
      expect(calls).toContainEqual(call)
    }
  })

  it('continues from its trace after kill -9 without repeating answered calls', async () => {
    const model = await playModel(({ results }) => {
      if (results.length < 2) return { calls: [search] }
      return isSlow ? 'hang' : { text: 'The rate is 42 [E1].' }
    })
    let isSlow = true
    const env = { ...process.env, ...model.env, XDG_CACHE_HOME: path.join(box.base, 'cache') }
    const args = ['ask', 'what is the rate?', '--root', box.root, ...models]
    const child = spawn(builtProgram('zeno'), args, { env, stdio: 'ignore' })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    while (model.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    await exited
    isSlow = false
    const ran = await ask(model.env)
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).toContain('continues from 2 recorded answers')
    // Two answered calls, the one that was killed, and its repetition.
    expect(model.requests).toHaveLength(4)
  })

  it('ends within 3 s of Ctrl+C, also while sub-calls are under way', async () => {
    for (let file = 0; file < 20; file++) box.put({ [`data/f${file}.txt`]: 'record\n'.repeat(300) })
    const model = await playModel((seen) => (seen.model === 'sub' ? 'hang' : { calls: [map] }))
    const env = { ...process.env, ...model.env, XDG_CACHE_HOME: path.join(box.base, 'cache') }
    const args = ['ask', 'what?', '--root', box.root, ...models, '--chunk-chars', '2000']
    const child = spawn(builtProgram('zeno'), args, { env, stdio: 'ignore' })
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    while (model.sub().length < 8) await new Promise((resolve) => setTimeout(resolve, 20))
    const started = Date.now()
    child.kill('SIGINT')
    expect(await exited).toBe(130)
    expect(Date.now() - started).toBeLessThan(3000)
    expect(model.sub()).toHaveLength(8)
  })

  it('keeps every request within the window', async () => {
    box.put({ 'big.txt': `${'word '.repeat(30)}\n`.repeat(3000) })
    const read = (start: number): [string, Json] => [
      'read',
      { path: 'big.txt', start_line: start, end_line: start + 300 },
    ]
    const { env, requests } = await playModel(({ results }) =>
      results.length < 12 ? { calls: [read(results.length * 200 + 1)] } : { text: 'Done?' },
    )
    await ask(env, '--window', '10000')
    expect(requests.length).toBeGreaterThan(10)
    expect(Math.max(...requests.map(({ size }) => size))).toBeLessThan(60_000)
  })

  it('never writes the key of the provider to its trace or its cache', async () => {
    const { env } = await playModel(() => ({ text: 'The key is test-key-0123456789.' }))
    await ask(env)
    const folder = path.join(box.base, 'cache/zeno/ask')
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
      expect(JSON.stringify(readEvents(path.join(folder, name)))).not.toContain(
        'test-key-0123456789',
      )
    }
  })

  it('answers with the script model, without a network', async () => {
    const play = path.join(box.base, 'play.jsonl')
    const steps = [
      { tool: 'read', input: { path: 'src/cart.ts', start_line: 1, end_line: 1 } },
      { text: 'The rate is 42 [{{find:/(E\\d+)\\] src.cart/}}].' },
    ]
    writeFileSync(play, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
    const args = ['ask', 'what is the rate?', '--root', box.root, '--provider', 'script']
    const ran = await box.zeno([...args, '--model', play, '--json'])
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'verified',
      text: 'The rate is 42 [E1].',
      evidence: [{ id: 'E1', path: 'src/cart.ts', lines: [1, 1] }],
      used: { calls: 2 },
    })
  })

  it('refuses an unknown provider, a wrong budget and an empty question with exit 2', async () => {
    for (const args of [['x', '--provider', 'unknown'], ['x', '--budget', 'calls=x'], ['']]) {
      expect(await box.zeno(['ask', ...args], { cwd: box.root })).toMatchObject({
        code: 2,
        stdout: '',
      })
    }
  })
})
