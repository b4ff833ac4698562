import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { append, history, idsOf, search, start, store, user } from '../../../test/mem.ts'

interface Listed {
  id: number
  tag: string
  messages: { content: string }[]
}

describe('the requests of mem', () => {
  it('answer with all their fields', async () => {
    const { ask } = await start()
    expect(await ask(append('a', 'one'))).toEqual({ type: 'ok' })
    expect(await ask(store('two', 'x'))).toEqual({ type: 'ok', id: 0 })
    const again = { ...store('two', 'x'), dedupe: true }
    expect(await ask(again)).toEqual({ type: 'ok', id: 0, duplicate: true })
    expect(await ask({ type: 'list_channels' })).toEqual({
      type: 'channels',
      channels: [{ channel_id: 'a', messages: 1, bytes: expect.any(Number) as number }],
    })
    expect(await ask({ type: 'edit_memory', id: 0, content: 'three' })).toEqual({
      type: 'ok',
      id: 1,
    })
    expect(await ask({ type: 'edit_memory', id: 'a:0', content: 'four' })).toEqual({
      type: 'ok',
      id: 'a:0',
    })
    expect(await ask({ type: 'forget', id: 'a:0' })).toEqual({ type: 'ok' })
    expect(await ask({ type: 'forget_hard', id: 1 })).toEqual({ type: 'ok', id: 1 })
    expect(await ask({ type: 'clear_history', channel_id: 'a' })).toEqual({ type: 'ok' })
    const clear = { type: 'clear_history', report: true }
    expect(await ask({ ...clear, channel_id: 'a' })).toEqual({ type: 'ok', existed: false })
    await ask(append('a', 'one'))
    expect(await ask({ ...clear, channel_id: 'a' })).toEqual({ type: 'ok', existed: true })
  })

  it.each([
    [{ type: 'get_history' }, 'channel_id required'],
    [{ type: 'get_history', channel_id: '' }, 'channel_id required'],
    [{ type: 'append_history', channel_id: 5, messages: [user('x')] }, 'channel_id required'],
    [{ type: 'clear_history', channel_id: null }, 'channel_id required'],
    [{ type: 'forget_hard' }, 'id is required'],
    [{ type: 'forget_hard', id: 7 }, 'there is no hard memory 7'],
    [{ type: 'forget', id: 'a:1' }, 'there is no message a:1'],
    [{ type: 'get_memory', id: 'a:1' }, 'there is no message a:1'],
    [{ type: 'get_memory', id: '3' }, 'there is no hard memory 3'],
    [
      { type: 'get_memory', id: 'x' },
      'id must be the number of a hard memory, or CHANNEL:POSITION',
    ],
    [{ type: 'get_memory' }, 'id must be the number of a hard memory, or CHANNEL:POSITION'],
    [{ type: 'edit_memory', id: '3', content: 'x' }, 'there is no hard memory 3'],
    [{ type: 'edit_memory', id: 'a:1', content: 'x' }, 'there is no message a:1'],
    [{ type: 'edit_memory', id: '0', content: ' \n' }, 'the content must not be empty'],
    [{ type: 'set_soft', content: '\ud800' }, 'content contains an unpaired surrogate'],
    [{ type: 'backup' }, 'file is required'],
    [{ type: 'restore', file: '/nowhere/x' }, 'cannot read /nowhere/x: no such file or folder'],
  ])('refuse %j', async (request, message) => {
    const { ask } = await start()
    expect(await ask(request)).toMatchObject({ type: 'error', message })
  })

  it('a history shows the messages of one turn, or those of all others, without turns', async () => {
    const { ask } = await start()
    const inTurn = (turn: string, content: string) => ({ ...append('c', content), turn })
    await ask(append('c', 'plain'))
    await ask(inTurn('t1', 'first'))
    await ask(inTurn('t2', 'second'))
    const contents = async (more: object) => {
      const { messages } = await ask({ ...history('c'), ...more })
      expect(JSON.stringify(messages)).not.toContain('turn')
      return (messages as { content: string }[]).map(({ content }) => content)
    }
    expect(await contents({})).toEqual(['plain', 'first', 'second'])
    expect(await contents({ turn: 't1' })).toEqual(['first'])
    expect(await contents({ without_turn: 't1' })).toEqual(['plain', 'second'])
    expect(await contents({ limit: 1 })).toEqual(['second'])
    expect(await contents({ limit: -1 })).toEqual(['plain', 'first', 'second'])
  })

  it('lists hard memories after an id, with a tag and since a time', async () => {
    const { ask } = await start()
    for (const [at, tag] of ['x', 'y', 'x', 'x'].entries()) {
      const messages = [{ ...user(`memory ${at}`), ts: `2026-03-0${at + 1}T00:00:00Z` }]
      await ask({ type: 'store_hard', messages, tag })
    }
    const list = async (more: object) => {
      const { type, results, total } = await ask({ type: 'list_hard', ...more })
      expect([type, total]).toEqual(['hard_memories', 4])
      return (results as Listed[]).map(({ id }) => id)
    }
    expect(await list({})).toEqual([0, 1, 2, 3])
    expect(await list({ after: 0 })).toEqual([1, 2, 3])
    expect(await list({ after: -5 })).toEqual([0, 1, 2, 3])
    expect(await list({ after: 3 })).toEqual([])
    expect(await list({ limit: 2 })).toEqual([0, 1])
    expect(await list({ after: 1, limit: 1 })).toEqual([2])
    expect(await list({ tag: 'x' })).toEqual([0, 2, 3])
    expect(await list({ since: '2026-03-03' })).toEqual([2, 3])
    expect(await list({ tag: 'x', since: '2026-03-02', limit: 1 })).toEqual([2])
  })

  it('lists 100 hard memories by default and at most 1,000', async () => {
    const { ask } = await start()
    await Promise.all(Array.from({ length: 1001 }, (_, at) => ask(store(`memory ${at}`))))
    const count = async (more: object) =>
      ((await ask({ type: 'list_hard', ...more })).results as Listed[]).length
    expect(await count({})).toBe(100)
    expect(await count({ limit: 1000 })).toBe(1000)
    expect(await count({ limit: 5000 })).toBe(1000)
  }, 60_000)

  it('answers with as many large messages and memories as fit into a frame', async () => {
    const { ask } = await start()
    const text = 'word '.repeat(600_000)
    await ask(append('c', text, text, 'short', text))
    const pageFrom = async (from: number) => {
      const { messages, more } = await ask({ ...history('c'), from })
      return [(messages as object[]).length, more]
    }
    const last = [2, 1, 0, 0].map((length) => [length, undefined])
    expect(await Promise.all([0, 1, 2, 3, 4, 5].map(pageFrom))).toEqual([
      [1, true],
      [2, true],
      ...last,
    ])
    for (let at = 0; at < 3; at += 1) await ask(store(text.repeat(3)))
    expect(await idsOf(ask, { type: 'list_hard' })).toEqual([0])
    expect(await idsOf(ask, { type: 'list_hard', after: 0 })).toEqual([1])
    expect(await idsOf(ask, { type: 'list_hard', after: 2 })).toEqual([])
  }, 60_000)

  it('answers with messages of 4 Mi characters together, but not more', async () => {
    const { ask } = await start()
    const half = 'x'.repeat(2 ** 21)
    await ask(append('c', half, half, 'y', half, `${half}z`))
    const lengthFrom = async (from: number) =>
      ((await ask({ ...history('c'), from })).messages as object[]).length
    expect(await Promise.all([0, 3].map(lengthFrom))).toEqual([2, 1])
  })

  it('lists two memories of 16 MiB together, but not more', async () => {
    const { ask } = await start()
    const words = (bytes: number): string => 'word '.repeat(bytes / 5)
    for (const bytes of [2 ** 23 - 4096, 2 ** 23 - 4096, 2 ** 23 + 4096])
      await ask(store(words(bytes)))
    expect(await idsOf(ask, { type: 'list_hard' })).toEqual([0, 1])
    await ask({ type: 'forget_hard', id: 0 })
    await ask(store(words(2 ** 23 + 4096)))
    expect(await idsOf(ask, { type: 'list_hard', after: 1 })).toEqual([2])
  }, 60_000)

  it('shows a memory with its newest text, and a forgotten one as a tombstone', async () => {
    const { ask } = await start()
    await ask(append('c', 'first'))
    await ask({ ...store('old', 'x'), messages: [{ role: 'assistant', content: 'old' }] })
    await ask({ type: 'edit_memory', id: 0, content: 'new' })
    const shown = await ask({ type: 'get_memory', id: 0 })
    expect(shown).toMatchObject({
      ...{ type: 'memory', source: 'hard', id: 1, tag: 'x', replaces: 0 },
      messages: [{ role: 'assistant', content: 'new' }],
    })
    expect(await ask({ type: 'get_memory', id: 'c:0' })).toMatchObject({
      ...{ id: 'c:0', source: { channel: 'c', position: 0 }, channel: 'c', position: 0 },
      messages: [user('first')],
    })
    await ask({ type: 'forget', id: 0, reason: 'private' })
    await ask({ type: 'forget', id: 'c:0' })
    const forgotten = async (id: unknown) => (await ask({ type: 'get_memory', id })).forgotten
    expect(await forgotten(0)).toMatchObject({ id: '0', reason: 'private' })
    expect(await forgotten(1)).toMatchObject({ id: '1', reason: 'private' })
    expect(await forgotten('c:0')).toMatchObject({ id: 'c:0', reason: '' })
    expect(await idsOf(ask, search('old new'))).toEqual([])
  })

  it('counts no messages of a damaged channel', async () => {
    const { ask, data } = await start()
    await ask(append('c', 'one', 'two'))
    writeFileSync(path.join(data, 'channels/bad.json'), '[{')
    expect(await ask({ type: 'stats' })).toMatchObject({ channels: 2, channel_messages: 2 })
  })

  it('an edited text belongs to the user when the memory has no message', async () => {
    const { ask, data } = await start()
    writeFileSync(
      `${data}/hard_memories.json`,
      '[\n  {\n    "messages": [],\n    "tag": "t"\n  }\n]',
    )
    await ask({ type: 'edit_memory', id: 0, content: 'new' })
    expect(await ask({ type: 'get_memory', id: 0 })).toMatchObject({
      messages: [user('new')],
      tag: 't',
    })
  })

  it('counts nothing in an empty data folder', async () => {
    const { ask } = await start()
    expect(await ask({ type: 'stats' })).toEqual({
      type: 'stats',
      channels: 0,
      channel_messages: 0,
      channel_bytes: 0,
      hard_memories: 0,
      hard_forgotten: 0,
      hard_never_found: 0,
      hard_bytes: 0,
      index_bytes: expect.any(Number) as number,
      soft_bytes: 0,
    })
  })
})
