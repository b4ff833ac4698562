// Memories over the built program: searchable histories, filters, time travel, forgetting, archives.
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filesWith } from '../../support/files-with.ts'
import { Sandbox } from './sandbox.ts'
import type { Packet } from './wire.ts'

let box: Sandbox
beforeAll(async () => {
  box = new Sandbox({ over: { ctx: { history_limit: 4 } } })
  await box.serve('mem', 'ctx')
})
afterAll(() => box.remove())

const mem = (request: object) => box.ask('mem', request)
const results = (answer: Packet) => answer.results as Record<string, unknown>[]
const append = (channel_id: string, ...contents: string[]) =>
  mem({
    type: 'append_history',
    channel_id,
    messages: contents.map((content, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content,
    })),
  })
const memory = async (...args: string[]) => {
  const { code, stdout, stderr } = await box.zino(['memory', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

it('stored messages are found by search_all with source, position and time', async () => {
  await append('home', 'my bicycle is a red Peugeot', 'noted')
  await append('work', 'the bicycle shed is locked at night', 'good to know')
  const request = { type: 'search_all', query: 'which bicycle is red?', scope: 'history' }
  const [best] = results(await mem(request))
  expect(best).toMatchObject({
    id: 'home:0',
    source: { channel: 'home', position: 0 },
    messages: [{ role: 'user', content: 'my bicycle is a red Peugeot' }],
    ts: expect.stringMatching(/^\d{4}-/),
  })
  const inWork = results(await mem({ ...request, query: 'bicycle', channel: 'work' }))
  expect(inWork.map(({ channel }) => channel)).toEqual(['work'])
  expect(results(await mem({ ...request, until: '2020-01-01' }))).toEqual([])
  expect(results(await mem({ ...request, since: '2020-01-01' })).length).toBeGreaterThan(0)
  expect(results(await mem({ ...request, min_score: 1.1 }))).toEqual([])
  expect(await mem({ ...request, scope: 'nope' })).toMatchObject({ type: 'error' })
})

it('ctx adds earlier messages of the channel that match and are not in the recent window', async () => {
  await append('trip', 'the ferry to Gotland leaves at seven', 'noted')
  for (let at = 0; at < 3; at += 1) await append('trip', `small talk ${at}`, 'yes')
  const build = (user_message: string) =>
    box.ask('ctx', { type: 'build', channel_id: 'trip', user_message })
  const contents = async (text: string) =>
    ((await build(text)).messages as { content: string }[]).map(({ content }) => content)
  expect(await contents('when does the ferry to Gotland leave?')).toContain(
    'the ferry to Gotland leaves at seven',
  )
  expect(await contents('is 3 a prime number?')).not.toContain(
    'the ferry to Gotland leaves at seven',
  )
})

it('a hard memory is listed, shown, edited, and found as of an earlier time', async () => {
  const before = new Date().toISOString()
  const added = await memory('add', 'the gate code is 1111', '--tag', 'codes')
  const [, id = ''] = /remembered as (\d+)/.exec(added) ?? []
  const stored = new Date().toISOString()
  expect(await memory('list', '--tag', 'codes', '--since', '1h')).toContain('the gate code is 1111')
  await new Promise((resolve) => setTimeout(resolve, 5))
  await memory('edit', id, 'the gate code is 2222')
  expect(await memory('show', id)).toContain('2222')
  expect(await memory('search', 'gate', 'code')).toContain('2222')
  expect(await memory('search', 'gate', 'code')).not.toContain('1111')
  expect(await memory('at', stored, 'search', 'gate code')).toContain('1111')
  expect(await memory('at', before, 'search', 'gate code')).not.toContain('gate code')
})

it('a forgotten memory is in no file; its tombstone says when and why', async () => {
  const secret = 'the walrus password is zanzibar'
  const added = await memory('add', secret)
  const [, id = ''] = /remembered as (\d+)/.exec(added) ?? []
  await append('secrets', secret, 'noted')
  await memory('forget', id, '--yes', '--reason', 'leaked')
  await memory('forget', 'secrets:0', '--yes')
  expect(filesWith(box.at('data'), 'zanzibar')).toEqual([])
  expect(await memory('list', '--channel', 'secrets')).not.toContain('secrets:0')
  expect(await memory('show', id)).toMatch(/^forgotten at .* \(leaked\), sha256 [0-9a-f]{64}\n$/)
  expect(results(await mem({ type: 'search_all', query: 'zanzibar' }))).toEqual([])
  const unsure = await box.zino(['memory', 'forget', '99999'])
  expect(unsure).toMatchObject({ code: 2 })
  expect(unsure.stderr).toContain('There is no terminal to ask on: add --yes')
  const again = await box.zino(['memory', 'forget', '99999', '--yes'])
  expect(again).toMatchObject({ code: 1, stderr: 'zino: there is no hard memory 99999\n' })
})

it('an export is imported again, and so are exports of ChatGPT and Claude', async () => {
  const exported = await memory('export')
  expect(exported).toContain('red Peugeot')
  const file = box.put('claude.json', [
    {
      name: 'Garden plans',
      chat_messages: [
        { sender: 'human', text: 'plant tulips', created_at: '2025-10-01T10:00:00Z' },
        { sender: 'assistant', text: 'in autumn', created_at: '2025-10-01T10:00:05Z' },
      ],
    },
  ])
  expect(await memory('import', file)).toBe('imported 0 memories and 2 messages in 1 channels\n')
  const message = (role: string, part: string, create_time: number) => ({
    message: { author: { role }, content: { parts: [part] }, create_time },
  })
  const mapping = { b: message('assistant', 'sure', 20), a: message('user', 'bake bread', 10) }
  const chat = box.put('chatgpt.json', [{ title: 'Bread', mapping }])
  await memory('import', chat)
  expect(await memory('history', 'Bread')).toBe('user: bake bread\nassistant: sure\n')
  expect(await memory('import', file)).toBe(
    'imported 0 memories and 0 messages in 1 channels (2 were already stored)\n',
  )
  expect(await memory('import', box.put('own.jsonl', exported))).toContain(
    'imported 0 memories and 0',
  )
  const [tulips] = results(await mem({ type: 'search_all', query: 'tulips', scope: 'history' }))
  expect(tulips).toMatchObject({ channel: 'Garden plans', ts: '2025-10-01T10:00:00.000Z' })
  const wrong = await box.zino(['memory', 'import', box.put('x.txt', 'nothing')])
  expect(wrong.code).toBe(1)
})

it('an import keeps the times of memories, and only the shown branch of a ChatGPT conversation', async () => {
  const ts = '2025-01-02T03:04:05.000Z'
  const messages = [{ role: 'user', content: 'the kiosk sells stamps' }]
  const own = box.put('kiosk.jsonl', JSON.stringify({ kind: 'hard', messages, tag: '', ts }))
  await memory('import', own)
  const [kiosk] = results(await mem({ type: 'search_hard', query: 'kiosk stamps' }))
  expect(kiosk).toMatchObject({ messages, ts })
  const node = (parent: string | null, role: string, part: string) => ({
    ...{ parent, message: { author: { role }, content: { parts: [part] } } },
  })
  const mapping = {
    second: node('ask', 'assistant', 'eight minutes'),
    first: node('ask', 'assistant', 'seven minutes'),
    ask: node('root', 'user', 'boil an egg'),
    root: { parent: null, message: null },
  }
  const chat = box.put('eggs.json', [{ title: 'Eggs', mapping, current_node: 'second' }])
  await memory('import', chat)
  expect(await memory('history', 'Eggs')).toBe('user: boil an egg\nassistant: eight minutes\n')
})

it('an import takes a byte order mark, and gives its own time to messages with impossible times', async () => {
  const node = (part: string, create_time: number) => ({
    ...{ message: { author: { role: 'user' }, content: { parts: [part] }, create_time } },
  })
  const mapping = { a: node('fix the sundial', 1e300), b: node('oil the sundial', -1e15) }
  const chat = { title: 'Sundial', mapping }
  const far = { sender: 'human', text: 'sell the sundial', created_at: '+275760-01-01T00:00:00Z' }
  const file = JSON.stringify([chat, { name: 'Sale', chat_messages: [far] }])
  const summary = 'imported 0 memories and 3 messages in 2 channels\n'
  expect(await memory('import', box.put('sundial.json', `\ufeff${file}`))).toBe(summary)
  const request = {
    type: 'search_all',
    query: 'sundial',
    since: new Date(Date.now() - 3_600_000).toISOString(),
    top_k: 9,
  }
  expect(results(await mem(request))).toHaveLength(3)
})

it('a backup is restored while mem runs, and a damaged one changes nothing', async () => {
  const file = box.at('all.backup')
  await memory('backup', file)
  const before = await memory('export')
  await append('home', 'after the backup')
  await memory('add', 'another memory after the backup')
  writeFileSync(box.at('bad.backup'), readFileSync(file, 'utf8').replace('Peugeot', 'Peugeof'))
  const bad = await box.zino(['memory', 'restore', box.at('bad.backup'), '--yes'])
  expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was changed') })
  expect(await memory('export')).toContain('after the backup')
  await memory('restore', file, '--yes')
  expect(await memory('export')).toBe(before)
})

it('clearing a channel that does not exist says so', async () => {
  expect(await memory('clear', 'never', '--yes')).toBe('there is no channel never\n')
  expect(await memory('clear', 'never')).toBe('there is no channel never\n')
  expect(await memory('clear', 'work', '--yes')).toBe('cleared\n')
})

it('an import of messages without a time is not stored twice, and keeps those that are repeated in it', async () => {
  const said = (text: string) => ({ sender: 'human', text })
  const file = box.put('no-times.json', [
    { name: 'Untimed', chat_messages: [said('more'), said('why'), said('more')] },
  ])
  expect(await memory('import', file)).toContain('and 3 messages')
  expect(await memory('import', file)).toContain('and 0 messages')
  expect(await memory('history', 'Untimed')).toBe('user: more\nuser: why\nuser: more\n')
})
