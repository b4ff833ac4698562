// Random sessions against a server that charges by the documented cache rules of the Messages API: the bill has
// the charged tokens, and names AGENTS.md exactly where a change of it broke the cache. A tenth of ZEE_ROUNDS is
// the number of sessions.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHash } from 'node:crypto'
import type { Answer, FakeAnthropic } from '../support/fake-anthropic.ts'
import { fakeAnthropic, openStream, streamOf } from '../support/fake-anthropic.ts'
import { createSandbox, type Sandbox } from '../contract/zdx/sandbox.ts'
import { seededRandom } from '../support/secret-corpus.ts'

const sessions = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 10_000) / 10)
const minCacheableTokens = 4096

interface Charge {
  input_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
  output_tokens: number
}

/** Prefixes that end at a mark, by hash. */
const cached = new Set<string>()
let charges: Charge[] = []

/** The blocks of a request in the order of the cache: tools, system, messages. */
function blocksOf(raw: string): { text: string; isMarked: boolean }[] {
  const body = JSON.parse(raw) as Record<string, unknown>
  const lists = [body.tools, body.system, ...contents(body.messages)]
  return lists
    .flatMap((list) => (Array.isArray(list) ? (list as object[]) : [{ type: 'text', text: list }]))
    .map((block) => {
      const { cache_control: mark, ...rest } = block as Record<string, unknown>
      return { text: JSON.stringify(rest), isMarked: mark !== undefined }
    })
}

function contents(messages: unknown): unknown[] {
  return (messages as { content: unknown }[]).map(({ content }) => content)
}

const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4)

/** Reads the longest cached prefix, and writes every marked one. */
function charge(raw: string): Omit<Charge, 'output_tokens'> {
  const hash = createHash('sha256').update((JSON.parse(raw) as { model: string }).model)
  let tokens = 0
  let read = 0
  let written = 0
  for (const { text, isMarked } of blocksOf(raw)) {
    hash.update(text)
    tokens += tokensOf(text)
    if (tokens < minCacheableTokens) continue
    const prefix = hash.copy().digest('hex')
    if (cached.has(prefix)) read = tokens
    if (!isMarked) continue
    cached.add(prefix)
    written = tokens
  }
  const creation = Math.max(0, written - read)
  return {
    input_tokens: tokens - read - creation,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: creation,
  }
}

let server: FakeAnthropic
let box: Sandbox
let next: () => { tool: string; input: Record<string, unknown> } | undefined
beforeAll(async () => {
  const respond: Answer = (request, response) => {
    const charged = { ...charge(request.raw), output_tokens: 7 }
    charges.push(charged)
    const call = next()
    const lines = streamOf(call === undefined ? [{ text: ['done'] }] : [call], request).join('')
    openStream(response)
    response.end(lines.replace('{"input_tokens":12,"output_tokens":1}', JSON.stringify(charged)))
  }
  server = await fakeAnthropic(respond)
  box = createSandbox(server)
})
afterAll(async () => {
  box.remove()
  await server.close()
})

it(`the bills of ${sessions} random sessions agree with what the server charged`, async () => {
  const random = seededRandom(Number(process.env.ZEE_SEED ?? 1))
  const below = (limit: number) => Math.floor(random() * limit)
  for (let number = 0; number < sessions; number++) {
    const id = `s${number}`
    charges = []
    const guide = () => `guide ${number} ${random()} ${'x'.repeat(20_000 + below(4000))}\n`
    box.put('AGENTS.md', guide())
    const changes: boolean[] = []
    for (let turn = 0; turn < 2 + below(3); turn++) {
      const isChanged = turn > 0 && below(3) === 0
      if (isChanged) box.put('AGENTS.md', guide())
      changes.push(isChanged)
      let calls = below(3)
      next = () => {
        calls -= 1
        const command = `echo ${random()}; head -c ${below(3000)} /dev/zero | tr '\\0' y`
        return calls < 0 ? undefined : { tool: 'bash', input: { command } }
      }
      const ran = await box.exec(`prompt ${turn}`, '--session', id)
      expect(ran.code, ran.stderr).toBe(0)
    }
    const { stdout } = await box.zdx(['sessions', 'bill', id, '--format', 'json'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const sum = (field: keyof Charge) => charges.reduce((all, each) => all + each[field], 0)
    expect(lines.at(-1), `seed session ${number}`).toMatchObject({
      requests: charges.length,
      fresh_input_tokens: sum('input_tokens'),
      cached_input_tokens: sum('cache_read_input_tokens'),
      cache_write_tokens: sum('cache_creation_input_tokens'),
      output_tokens: sum('output_tokens'),
    })
    const named = lines
      .slice(0, -1)
      .map(({ cache_misses: misses }) => misses as { first_changed: string | null }[])
    expect(
      named.map((misses) => misses.map(({ first_changed: segment }) => segment)),
      `session ${number}`,
    ).toEqual(changes.map((isChanged) => (isChanged ? ['AGENTS.md'] : [])))
  }
})
