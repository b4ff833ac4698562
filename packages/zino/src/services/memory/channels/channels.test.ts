import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { append, history, start, startIn, user } from '../../../../test/mem.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'

describe('channel histories', () => {
  it('are appended, read with a limit, and cleared', async () => {
    const { ask } = await start()
    expect(await ask(history('c'))).toEqual({ type: 'history', messages: [] })
    expect(await ask(append('c', 'one', 'two'))).toEqual({ type: 'ok' })
    expect(await ask(append('c', 'three'))).toEqual({ type: 'ok' })
    const all = ['one', 'two', 'three'].map(user)
    for (const limit of [undefined, null, 0, -1, 3, 99]) {
      expect(await ask(history('c', limit))).toMatchObject({ type: 'history', messages: all })
    }
    expect(await ask(history('c', 2))).toMatchObject({ type: 'history', messages: all.slice(1) })
    expect(await ask({ type: 'clear_history', channel_id: 'c' })).toEqual({ type: 'ok' })
    const unknown = { type: 'clear_history', channel_id: 'never seen' }
    expect(await ask(unknown)).toEqual({ type: 'ok' })
    expect(await ask({ ...unknown, report: true })).toEqual({ type: 'ok', existed: false })
    expect(await ask(history('c'))).toEqual({ type: 'history', messages: [] })
  })

  it('are searchable at their positions when a message arrives while the channel is cleared', async () => {
    const { ask } = await start()
    const search = { type: 'search_all', query: 'quokka', scope: 'history' }
    await ask(append('c', 'the wombat'))
    await ask(search)
    for (let round = 0; round < 10; round += 1) {
      const [cleared, appended] = [
        ask({ type: 'clear_history', channel_id: 'c' }),
        ask(append('c', 'the quokka')),
      ]
      await Promise.all([cleared, appended])
      const { messages } = (await ask(history('c'))) as { messages: object[] }
      if (messages.length === 0) continue
      expect(messages).toHaveLength(1)
      expect(await ask(search)).toMatchObject({ results: [{ id: 'c:0' }] })
    }
  })

  it('are private JSON files with two-space indentation and unescaped characters', async () => {
    const { ask, data, read } = await start()
    await ask(append('work', 'snow ☃', 'line\nbreak'))
    const list = JSON.parse(read('channels/work.json')) as { ts: string }[]
    const ts = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
    expect(list).toEqual(['snow ☃', 'line\nbreak'].map((text) => ({ ...user(text), ts })))
    expect(read('channels/work.json')).toBe(JSON.stringify(list, undefined, 2))
    expect(read('channels/work.json')).toContain('☃')
    expect(statSync(path.join(data, 'channels/work.json')).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(data, 'channels')).mode & 0o077).toBe(0)
  })

  it('survive a restart', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await first.ask(append('c', 'kept'))
    await first.stop()
    const second = await startIn(folder)
    expect(await second.ask(history('c'))).toMatchObject({
      type: 'history',
      messages: [user('kept')],
    })
  })

  it.each(
    [undefined, null, '', 5, ['c'], { a: 1 }].flatMap((id) =>
      ['get_history', 'append_history', 'clear_history'].map((type) => [type, id] as const),
    ),
  )('are not touched by %s with channel_id %j', async (type, id) => {
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

  it('never share a file and never leave the folder, whatever their ids', async () => {
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

  it('are listed by id after a restart', async () => {
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

  it('lose none of sixty concurrent appends', async () => {
    const { ask, read } = await start()
    const numbers = Array.from({ length: 60 }, (_, at) => String(at))
    const answers = await Promise.all(numbers.map((number) => ask(append('busy', number))))
    expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['ok']))
    const contents = (JSON.parse(read('channels/busy.json')) as { content: string }[]).map(
      (one) => one.content,
    )
    expect(contents.sort()).toEqual([...numbers].sort())
  })

  it('answer an error and are moved aside when damaged; others are not affected', async () => {
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

  it('hold messages of any size and with characters that JSON escapes', async () => {
    const { ask } = await start()
    const odd = ['"\\\u0000\u001f\u2028', '\n  {', '\n]', '\ud83d', 'z'.repeat(2_000_000)]
    for (const content of odd) expect(await ask(append('odd', content))).toEqual({ type: 'ok' })
    expect(await ask(history('odd'))).toMatchObject({ messages: odd.map(user) })
    expect(await ask(history('odd', 2))).toMatchObject({ messages: odd.slice(-2).map(user) })
  })

  it.each([
    [[], 'messages must not be empty'],
    [[{ role: 'user', content: ' ' }], 'messages[0]: the content must not be empty'],
    [
      [{ role: 'robot', content: 'x' }],
      'messages[0]: the role must be one of user, assistant, system, tool, not "robot"',
    ],
  ])('refuse %j', async (messages, message) => {
    const { ask } = await start()
    const request = { type: 'append_history', channel_id: 'c', messages }
    expect(await ask(request)).toEqual({ type: 'error', message })
    expect(await ask({ ...request, type: 'store_hard' })).toEqual({ type: 'error', message })
  })

  it('store an empty answer of the assistant', async () => {
    const { ask } = await start()
    const messages = [{ role: 'assistant', content: '' }]
    const request = { type: 'append_history', channel_id: 'c', messages }
    expect(await ask(request)).toEqual({ type: 'ok' })
    expect(await ask(history('c'))).toMatchObject({ messages })
  })

  it('store a turn once, and its late answer next to its message', async () => {
    const { ask } = await start()
    const request = (turn: string, ...contents: string[]) => ({ ...append('c', ...contents), turn })
    await ask(request('one', 'u1'))
    await ask(request('two', 'u2', 'a2'))
    await ask(request('two', 'u2', 'a2'))
    await ask({ ...request('one', 'u1', 'a1'), amend: true })
    await ask(request('one', 'u1', 'a1'))
    const contents = ['u1', 'a1', 'u2', 'a2']
    expect(await ask(history('c'))).toMatchObject({ messages: contents.map(user) })
    expect(await ask({ ...history('c'), without_turn: 'one' })).toMatchObject({
      messages: contents.slice(2).map(user),
    })
  })

  it('find what another program stored: without a role it is of the user', async () => {
    const { ask, data } = await start()
    const list = [
      { content: 'one lighthouse' },
      { role: 'assistant', content: 'two lighthouse', turn: 5 },
      { role: 'user', content: 7 },
    ]
    writeFileSync(path.join(data, 'channels/c.json'), JSON.stringify(list))
    const found = await ask({ type: 'search_all', query: 'lighthouse', top_k: 9 })
    const results = (found as { results: { position: number; messages: object[] }[] }).results
    expect(results.map(({ position, messages }) => [position, ...messages]).sort()).toEqual([
      [0, user('one lighthouse')],
      [1, { role: 'assistant', content: 'two lighthouse' }],
    ])
  })
})
