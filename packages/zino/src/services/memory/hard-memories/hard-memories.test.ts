import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { idsOf, search, start, startIn, store, user } from '../../../../test/mem.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'

describe('hard memories', () => {
  it('get consecutive ids and are found best first with descending scores', async () => {
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
    expect(list[0]).toMatchObject({ messages: [user('my dog is called Rex')], tag: 'pets' })
    expect(list.length).toBe(3)
    expect(statSync(path.join(data, 'hard_memories.json')).mode & 0o777).toBe(0o600)
  })

  it.each(['', '   ', '?!', 'unheardof', '__proto__ constructor toString'])(
    'are not found by the query %j',
    async (query) => {
      const { ask } = await start()
      await ask(store('something else'))
      expect(await ask(search(query))).toEqual({ type: 'hard_memories', results: [] })
    },
  )

  it('are limited to three results by default, else to top_k', async () => {
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

  it.each(['recall', 'tfidf'])('keep ids and ranking across a restart (%s)', async (ranking) => {
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

  it('are erased from the file when forgotten, and the others keep their ids', async () => {
    const folder = tempFolder()
    const { ask, read, stop } = await startIn(folder)
    const secret = `secret ${'word '.repeat(20_000)}`
    for (const text of ['first', secret, 'third', '.', '?']) await ask(store(text))
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

  it('name the file when it cannot be opened', async () => {
    const { ask, data } = await start()
    const file = path.join(data, 'hard_memories.json')
    symlinkSync('hard_memories.json', file)
    expect(await ask(search('boat'))).toEqual({
      type: 'error',
      message: `cannot open ${file}: too many levels of symbolic links`,
    })
  })

  it('are listed in pages', async () => {
    const { ask } = await start()
    for (let at = 0; at < 5; at += 1) await ask(store(`m${at}`, 't'))
    expect(await ask({ type: 'list_hard', after: 1, limit: 2 })).toMatchObject({
      type: 'hard_memories',
      results: [2, 3].map((id) => ({ id, messages: [user(`m${id}`)], tag: 't' })),
      total: 5,
    })
    expect((await idsOf(ask, { type: 'list_hard' })).length).toBe(5)
  })

  it('are collapsed when nearly equal, with dedupe in a search', async () => {
    const { ask } = await start()
    for (let at = 0; at < 9; at += 1) await ask(store('the backup of the server runs at three'))
    await ask(store('the backup disk is almost full'))
    expect((await idsOf(ask, { ...search('backup', 5) })).length).toBe(5)
    const distinct = await idsOf(ask, { ...search('backup', 5), dedupe: true })
    expect(distinct.sort()).toEqual([8, 9])
  })

  it('are not stored twice with dedupe: the old id is returned', async () => {
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

  it('stored concurrently get the ids of their list positions', async () => {
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

  it('written by another program are read, in any indentation and while mem runs', async () => {
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
    'damaged as %j answer an error once and are moved aside',
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
