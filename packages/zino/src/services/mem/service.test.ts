import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import type { Message } from '../../wire/frame.ts'
import { startMem } from './service.ts'

type Ask = (message: object) => Promise<Message>

async function startIn(folder: string, over: Record<string, unknown> = {}) {
  const data = path.join(folder, 'data')
  const context = contextIn(folder, { mem: { data_dir: data, ...over } })
  const running = await serveHere(startMem(context), context.config.mem.socket)
  const ask: Ask = (message) => lastOf(context.config.mem.socket, message)
  const read = (file: string) => readFileSync(path.join(data, file), 'utf8')
  return { ask, context, data, read, stop: () => running.stop() }
}

const start = (over: Record<string, unknown> = {}) => startIn(tempFolder(), over)

const user = (content: string) => ({ role: 'user', content })
const append = (id: unknown, ...contents: string[]) => ({
  type: 'append_history',
  channel_id: id,
  messages: contents.map(user),
})
const history = (id: unknown, limit?: unknown) => ({ type: 'get_history', channel_id: id, limit })
const store = (content: string, tag?: string) => ({
  type: 'store_hard',
  messages: [user(content)],
  tag,
})
const search = (query: string, top_k?: number) => ({ type: 'search_hard', query, top_k })

async function idsOf(ask: Ask, request: object): Promise<number[]> {
  const { results } = await ask(request)
  return (results as { id: number }[]).map(({ id }) => id)
}

describe('channel histories', () => {
  it('are appended, read with a limit, and cleared', async () => {
    const { ask } = await start()
    expect(await ask(history('c'))).toEqual({ type: 'history', messages: [] })
    expect(await ask(append('c', 'one', 'two'))).toEqual({ type: 'ok' })
    expect(await ask(append('c', 'three'))).toEqual({ type: 'ok' })
    const all = ['one', 'two', 'three'].map(user)
    for (const limit of [undefined, null, 0, -1, 3, 99]) {
      expect(await ask(history('c', limit))).toEqual({ type: 'history', messages: all })
    }
    expect(await ask(history('c', 2))).toEqual({ type: 'history', messages: all.slice(1) })
    expect(await ask({ type: 'clear_history', channel_id: 'c' })).toEqual({ type: 'ok' })
    expect(await ask({ type: 'clear_history', channel_id: 'never seen' })).toEqual({ type: 'ok' })
    expect(await ask(history('c'))).toEqual({ type: 'history', messages: [] })
  })

  it('are a private JSON list in two-space indent with raw characters', async () => {
    const { ask, data, read } = await start()
    await ask(append('work', 'snow ☃', 'line\nbreak'))
    expect(read('channels/work.json')).toBe(
      JSON.stringify([user('snow ☃'), user('line\nbreak')], undefined, 2),
    )
    expect(read('channels/work.json')).toContain('☃')
    expect(statSync(path.join(data, 'channels/work.json')).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(data, 'channels')).mode & 0o077).toBe(0)
  })

  it('outlive the service', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await first.ask(append('c', 'kept'))
    await first.stop()
    const second = await startIn(folder)
    expect(await second.ask(history('c'))).toEqual({ type: 'history', messages: [user('kept')] })
  })

  it.each(
    [undefined, null, '', 5, ['c'], { a: 1 }].flatMap((id) =>
      ['get_history', 'append_history', 'clear_history'].map((type) => [type, id] as const),
    ),
  )('%s with channel_id %j is refused', async (type, id) => {
    const { ask, data } = await start()
    const answer = await ask({ type, channel_id: id, messages: [user('x')] })
    expect(answer).toEqual({ type: 'error', message: 'channel_id required' })
    expect(readdirSync(path.join(data, 'channels'))).toEqual([])
  })

  it.each([undefined, null, 'x', 5, {}, ['x'], [null], [{ role: 'user' }], [{ content: 'x' }]])(
    'are not changed by messages %j',
    async (messages) => {
      const { ask } = await start()
      await ask(append('c', 'before'))
      expect(await ask({ type: 'append_history', channel_id: 'c', messages })).toMatchObject({
        type: 'error',
      })
      expect(
        await ask({
          type: 'append_history',
          channel_id: 'c',
          messages: [user('a'), { role: 1, content: '' }],
        }),
      ).toMatchObject({ type: 'error' })
      expect(await ask(history('c'))).toMatchObject({ messages: [user('before')] })
    },
  )

  it.each(['x', 1.5, [], {}, true])('are not read with the limit %j', async (limit) => {
    const { ask } = await start()
    expect(await ask(history('c', limit))).toMatchObject({ type: 'error' })
  })

  it('of unusual names never share a file and never leave the folder', async () => {
    const { ask, data } = await start()
    const ids = [
      'a/b',
      'a_b',
      'a b',
      '../../escape',
      '.',
      '..',
      '日本',
      '中国',
      'x'.repeat(3000),
      'é',
      'e\u0301',
    ]
    ids.push(
      'a~b',
      '__proto__',
      'constructor',
      'a\0b',
      '\ud800',
      '\ud801',
      ' ',
      '-',
      'A'.repeat(100),
      'A'.repeat(101),
    )
    for (const id of ids)
      expect(await ask(append(id, `in ${JSON.stringify(id)}`))).toEqual({ type: 'ok' })
    for (const id of ids) {
      expect(await ask(history(id))).toMatchObject({ messages: [user(`in ${JSON.stringify(id)}`)] })
    }
    expect(readdirSync(path.join(data, 'channels')).length).toBe(ids.length)
    expect(readdirSync(path.join(data, 'channels'))).toContain('__proto__.json')
    expect(readdirSync(path.dirname(data))).not.toContain('escape.json')
    const { channels } = await ask({ type: 'list_channels' })
    const listed = (channels as { channel_id: string; messages: number }[]).map((one) => {
      expect(one.messages).toBe(1)
      return one.channel_id
    })
    expect(listed.sort()).toEqual([...ids].sort())
  })

  it('are listed under their ids after a restart too', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await first.ask(append('a/b', 'x', 'y'))
    await first.ask(append('plain', 'x'))
    await first.stop()
    const { ask } = await startIn(folder)
    expect(await ask({ type: 'list_channels' })).toMatchObject({
      type: 'channels',
      channels: [
        { channel_id: 'a/b', messages: 2 },
        { channel_id: 'plain', messages: 1 },
      ],
    })
  })

  it('lose none of sixty parallel appends', async () => {
    const { ask, read } = await start()
    const numbers = Array.from({ length: 60 }, (_, at) => String(at))
    const answers = await Promise.all(numbers.map((number) => ask(append('busy', number))))
    expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['ok']))
    const contents = (JSON.parse(read('channels/busy.json')) as { content: string }[]).map(
      (one) => one.content,
    )
    expect(contents.sort()).toEqual([...numbers].sort())
  })

  it('that are damaged answer an error, are kept aside, and harm nobody else', async () => {
    const { ask, data, read } = await start()
    await ask(append('fine', 'x'))
    writeFileSync(path.join(data, 'channels/bad.json'), '[{"role":"user","content":"precious"},')
    expect(await ask(history('bad'))).toMatchObject({
      type: 'error',
      message: expect.stringContaining('bad.json'),
    })
    const kept = readdirSync(path.join(data, 'channels')).find((name) => name.includes('damaged'))
    expect(read(`channels/${kept}`)).toContain('precious')
    expect(await ask(append('bad', 'new'))).toEqual({ type: 'ok' })
    expect(await ask(history('bad'))).toMatchObject({ messages: [user('new')] })
    expect(await ask(history('fine'))).toMatchObject({ messages: [user('x')] })
  })

  it('take messages of any size and characters that JSON must escape', async () => {
    const { ask } = await start()
    const odd = ['"\\\u0000\u001f\u2028', '\n  {', '\n]', '\ud83d', '', 'z'.repeat(2_000_000)]
    for (const content of odd) expect(await ask(append('odd', content))).toEqual({ type: 'ok' })
    expect(await ask(history('odd'))).toMatchObject({ messages: odd.map(user) })
    expect(await ask(history('odd', 2))).toMatchObject({ messages: odd.slice(-2).map(user) })
    expect(await ask(append('odd'))).toEqual({ type: 'ok' })
  })
})

describe('hard memories', () => {
  it('get ids in order and are found best first with falling scores', async () => {
    const { ask, data, read } = await start()
    expect(await ask(store('my dog is called Rex', 'pets'))).toEqual({ type: 'ok', id: 0 })
    expect(await ask(store('the dentist is on Tuesday'))).toEqual({ type: 'ok', id: 1 })
    expect(await ask(store('Rex the dog likes the beach', 'pets'))).toEqual({ type: 'ok', id: 2 })
    const answer = await ask(search('where does my dog Rex like to go?'))
    expect(answer.type).toBe('hard_memories')
    const results = answer.results as {
      id: number
      score: number
      messages: object[]
      tag: string
      why: string[]
    }[]
    expect(results.map(({ id }) => id)).toEqual([2, 0])
    expect(results[0]).toMatchObject({
      messages: [user('Rex the dog likes the beach')],
      tag: 'pets',
    })
    expect(results[0]?.why).toEqual(['dog', 'rex', 'like'])
    for (const [at, { score }] of results.entries()) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(results[at - 1]?.score ?? 1)
    }
    const list = JSON.parse(read('hard_memories.json')) as object[]
    expect(list[0]).toEqual({ messages: [user('my dog is called Rex')], tag: 'pets' })
    expect(list.length).toBe(3)
    expect(statSync(path.join(data, 'hard_memories.json')).mode & 0o777).toBe(0o600)
  })

  it.each(['', '   ', '?!', 'unheardof', '__proto__ constructor toString'])(
    'are none for the query %j',
    async (query) => {
      const { ask } = await start()
      await ask(store('something else'))
      expect(await ask(search(query))).toEqual({ type: 'hard_memories', results: [] })
    },
  )

  it('are three unless more or fewer are wanted', async () => {
    const { ask } = await start()
    for (let at = 0; at < 6; at += 1) await ask(store(`giraffe fact ${at}`))
    expect((await idsOf(ask, search('giraffe'))).length).toBe(3)
    expect((await idsOf(ask, search('giraffe', 5))).length).toBe(5)
    expect((await idsOf(ask, search('giraffe', 1_000_000))).length).toBe(6)
    expect(await idsOf(ask, search('giraffe', 0))).toEqual([])
    expect(await idsOf(ask, search('giraffe', -3))).toEqual([])
  })

  it('are found by their tag', async () => {
    const { ask } = await start()
    await ask(store('buy milk', 'shopping'))
    await ask(store('call Ada', 'phone'))
    expect(await idsOf(ask, search('shopping'))).toEqual([0])
  })

  it.each([
    { type: 'store_hard' },
    { type: 'store_hard', messages: 'x' },
    { type: 'store_hard', messages: [5] },
    { type: 'store_hard', messages: [user('x')], tag: 5 },
    { type: 'store_hard', messages: [user('x')], dedupe: 'yes' },
    { type: 'search_hard' },
    { type: 'search_hard', query: 5 },
    { type: 'search_hard', query: 'x', top_k: 'many' },
    { type: 'search_hard', query: 'x', top_k: 1.5 },
    { type: 'search_hard', query: 'x', dedupe: 1 },
    { type: 'forget_hard' },
    { type: 'forget_hard', id: '0' },
    { type: 'forget_hard', id: 7 },
    { type: 'forget_hard', id: -1 },
    { type: 'list_hard', limit: 'x' },
    { type: 'list_hard', after: [] },
  ])('are not changed by %j', async (request) => {
    const { ask } = await start()
    await ask(store('only one'))
    expect(await ask(request)).toMatchObject({ type: 'error' })
    expect(await ask({ type: 'list_hard' })).toMatchObject({ total: 1 })
    expect(await ask(store('second'))).toEqual({ type: 'ok', id: 1 })
  })

  it.each(['recall', 'tfidf'])('outlive the service with ids and order (%s)', async (ranking) => {
    const folder = tempFolder()
    const first = await startIn(folder, { ranking })
    for (const text of ['blue harbour', 'blue boat', 'old tea']) await first.ask(store(text))
    await first.ask({ type: 'forget_hard', id: 0 })
    const before = await first.ask(search('the blue boat'))
    await first.stop()
    const { ask } = await startIn(folder, { ranking })
    expect(await ask(search('the blue boat'))).toEqual(before)
    expect(await ask(store('new'))).toEqual({ type: 'ok', id: 3 })
    expect(await ask(search('new'))).toMatchObject({ results: [{ id: 3, score: 1 }] })
  })

  it('that are forgotten are gone from the file, and the others keep their ids', async () => {
    const folder = tempFolder()
    const { ask, read, stop } = await startIn(folder)
    const secret = `secret ${'word '.repeat(20_000)}`
    for (const text of ['first', secret, 'third', '']) await ask(store(text))
    expect(await ask({ type: 'store_hard', messages: [] })).toEqual({ type: 'ok', id: 4 })
    for (const id of [1, 3, 4])
      expect(await ask({ type: 'forget_hard', id })).toEqual({ type: 'ok', id })
    expect(await ask({ type: 'forget_hard', id: 1 })).toMatchObject({ type: 'error' })
    expect(await idsOf(ask, search('secret'))).toEqual([])
    expect(await idsOf(ask, search('third'))).toEqual([2])
    expect(read('hard_memories.json')).not.toContain('secret')
    const list = JSON.parse(read('hard_memories.json')) as { messages: object[]; tag: string }[]
    expect(list.map(({ messages }) => messages.length)).toEqual([1, 0, 1, 0, 0])
    expect(list.every(({ tag }) => typeof tag === 'string')).toBe(true)
    expect(await ask(store('sixth'))).toEqual({ type: 'ok', id: 5 })
    await stop()
    const again = await startIn(folder)
    expect(await idsOf(again.ask, { type: 'list_hard' })).toEqual([0, 2, 5])
    expect(await idsOf(again.ask, search('sixth'))).toEqual([5])
  })

  it('are listed in pages', async () => {
    const { ask } = await start()
    for (let at = 0; at < 5; at += 1) await ask(store(`m${at}`, 't'))
    expect(await ask({ type: 'list_hard', after: 1, limit: 2 })).toEqual({
      type: 'hard_memories',
      results: [2, 3].map((id) => ({ id, messages: [user(`m${id}`)], tag: 't' })),
      total: 5,
    })
    expect((await idsOf(ask, { type: 'list_hard' })).length).toBe(5)
  })

  it('that say nearly the same are collapsed when asked', async () => {
    const { ask } = await start()
    for (let at = 0; at < 9; at += 1) await ask(store('the backup of the server runs at three'))
    await ask(store('the backup disk is almost full'))
    expect((await idsOf(ask, { ...search('backup', 5) })).length).toBe(5)
    const distinct = await idsOf(ask, { ...search('backup', 5), dedupe: true })
    expect(distinct.sort()).toEqual([8, 9])
  })

  it('that are there already answer the old id when asked to', async () => {
    const { ask } = await start()
    const again = { ...store('the code is 4711', 'a'), dedupe: true }
    expect(await ask(again)).toEqual({ type: 'ok', id: 0 })
    expect(await ask(again)).toEqual({ type: 'ok', id: 0, duplicate: true })
    expect(await ask({ ...store('the code is 4711!', 'a'), dedupe: true })).toEqual({
      type: 'ok',
      id: 1,
    })
    expect(await ask({ ...store('the code is 4711', 'b'), dedupe: true })).toEqual({
      type: 'ok',
      id: 2,
    })
    const same = { ...store('all at once'), dedupe: true }
    const ids = await Promise.all(Array.from({ length: 20 }, () => ask(same)))
    expect(new Set(ids.map(({ id }) => id))).toEqual(new Set([3]))
  })

  it('stored in parallel get the ids of their places', async () => {
    const { ask, read } = await start()
    const stored = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => [(await ask(store(`fact number${at}`))).id, at]),
    )
    const list = JSON.parse(read('hard_memories.json')) as { messages: { content: string }[] }[]
    for (const [id, at] of stored) {
      expect(list[id as number]?.messages[0]?.content).toBe(`fact number${at}`)
      expect(await idsOf(ask, search(`number${at}`, 1))).toEqual([id])
    }
  })

  it('written by others, in any indent, are taken over, also while the service runs', async () => {
    const folder = tempFolder()
    const file = path.join(folder, 'data/hard_memories.json')
    mkdirSync(path.dirname(file))
    writeFileSync(
      file,
      JSON.stringify([
        { messages: [user('from before')], tag: 'x' },
        { messages: [user('older')] },
      ]),
    )
    const { ask } = await startIn(folder)
    expect(await idsOf(ask, search('older'))).toEqual([1])
    expect(await ask(store('mine'))).toEqual({ type: 'ok', id: 2 })
    writeFileSync(file, JSON.stringify([{ messages: [user('edited by hand')], tag: '' }]))
    expect(await idsOf(ask, search('mine'))).toEqual([])
    expect(await idsOf(ask, search('hand'))).toEqual([0])
    expect(await ask(store('next'))).toEqual({ type: 'ok', id: 1 })
  })

  it.each(['{', '{"a":1}', '[{"messages":[', 'x'])(
    'damaged as %j answer an error once and are kept aside',
    async (text) => {
      const folder = tempFolder()
      mkdirSync(path.join(folder, 'data'))
      writeFileSync(path.join(folder, 'data/hard_memories.json'), text)
      const { ask, read } = await startIn(folder)
      expect(await ask(search('x'))).toMatchObject({
        type: 'error',
        message: expect.stringContaining('hard_memories'),
      })
      expect(read('hard_memories.json.damaged-1')).toBe(text)
      expect(await ask(store('fresh'))).toEqual({ type: 'ok', id: 0 })
      expect(await ask({ type: 'ping' })).toEqual({ type: 'pong' })
    },
  )
})

describe('the soft memory', () => {
  it('is one text, replaced as a whole, private, kept over a restart', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    expect(await first.ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: '' })
    const odd = 'line\ntwo ☃\r\n\0 $&'
    expect(await first.ask({ type: 'set_soft', content: odd })).toEqual({ type: 'ok' })
    expect(first.read('soft_memory.txt')).toBe(odd)
    expect(statSync(path.join(first.data, 'soft_memory.txt')).mode & 0o777).toBe(0o600)
    await first.stop()
    const { ask } = await startIn(folder)
    expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: odd })
  })

  it.each([undefined, null, 5, ['x'], { a: 1 }, '\ud800'])(
    'stays as it is for the content %j',
    async (content) => {
      const { ask } = await start()
      await ask({ type: 'set_soft', content: 'old' })
      expect(await ask({ type: 'set_soft', content })).toMatchObject({ type: 'error' })
      expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: 'old' })
    },
  )

  it('that is not text is kept aside', async () => {
    const { ask, data } = await start()
    await ask({ type: 'get_soft' })
    writeFileSync(path.join(data, 'soft_memory.txt'), Buffer.from([0xff, 0xfe]))
    expect(await ask({ type: 'get_soft' })).toMatchObject({ type: 'error' })
    expect(readFileSync(path.join(data, 'soft_memory.txt.damaged-1'))).toEqual(
      Buffer.from([0xff, 0xfe]),
    )
    expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: '' })
  })
})

describe('mem', () => {
  it('counts what it keeps', async () => {
    const { ask } = await start()
    await ask(append('a', 'x', 'y'))
    await ask(append('b', 'z'))
    for (const text of ['one', 'two', 'three']) await ask(store(text))
    await ask({ type: 'forget_hard', id: 0 })
    await ask(search('two'))
    await ask({ type: 'set_soft', content: 'é' })
    expect(await ask({ type: 'stats' })).toMatchObject({
      type: 'stats',
      channels: 2,
      channel_messages: 3,
      hard_memories: 2,
      hard_forgotten: 1,
      hard_never_found: 1,
      soft_bytes: 2,
    })
  })

  it('waits for a predecessor that still holds the data folder', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await first.ask(append('c', 'x'))
    const context = contextIn(folder, {
      mem: { data_dir: first.data, socket: path.join(folder, 'second.sock') },
    })
    await serveHere(startMem(context), context.config.mem.socket)
    expect(await lastOf(context.config.mem.socket, { type: 'ping' })).toEqual({ type: 'pong' })
    const answer = lastOf(context.config.mem.socket, history('c'))
    await first.stop()
    expect(await answer).toMatchObject({ messages: [user('x')] })
  })

  it('does not start without a usable data folder', async () => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'file'), '')
    const context = contextIn(folder, { mem: { data_dir: path.join(folder, 'file/data') } })
    expect(() => startMem(context)).toThrow(/data folder/)
  })

  it('answers an unknown message with its name', async () => {
    const { ask } = await start()
    expect(await ask({ type: 'frobnicate' })).toEqual({
      type: 'error',
      message: 'Unknown message type: frobnicate',
    })
  })
})
