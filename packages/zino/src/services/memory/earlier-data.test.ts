// Data that the original program or an earlier zino has written: without times, with unknown roles.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { append, history, search, startIn, store, user } from '../../../test/mem.ts'
import { tempFolder } from '../../../test/temp-folder.ts'

const written = new Date('2025-06-01T12:00:00.000Z')

/** A data folder as the original leaves it; every file has the time `written`. */
function originalData(): string {
  const folder = tempFolder()
  const channels = path.join(folder, 'data', 'channels')
  mkdirSync(channels, { recursive: true })
  const put = (file: string, list: unknown) => {
    writeFileSync(file, typeof list === 'string' ? list : JSON.stringify(list, null, 2))
    utimesSync(file, written, written)
  }
  put(path.join(channels, 'home.json'), [
    user('the wombat lives in the shed'),
    { role: 'robot', content: 'a wombat, noted' },
  ])
  put(path.join(folder, 'data', 'hard_memories.json'), [
    { messages: [user('the kiosk sells stamps')], tag: null },
    { messages: [user('the quay is flooded')], tag: 'port' },
  ])
  put(path.join(folder, 'data', 'soft_memory.txt'), 'speak plainly')
  return folder
}

const timesOf = async (answer: Promise<{ results?: unknown }>) =>
  ((await answer).results as { id: unknown; ts: unknown }[]).map(({ id, ts }) => [id, ts])

describe('data of the original program', () => {
  it('is read without loss and not rewritten', async () => {
    const folder = originalData()
    const file = (name: string) => readFileSync(path.join(folder, 'data', name), 'utf8')
    const before = [file('channels/home.json'), file('hard_memories.json')]
    const mem = await startIn(folder)
    const { messages } = await mem.ask(history('home'))
    expect(messages).toEqual([
      user('the wombat lives in the shed'),
      { role: 'robot', content: 'a wombat, noted' },
    ])
    expect(await mem.ask({ type: 'list_hard' })).toMatchObject({ total: 2 })
    expect(await mem.ask({ type: 'get_soft' })).toMatchObject({ content: 'speak plainly' })
    expect([file('channels/home.json'), file('hard_memories.json')]).toEqual(before)
    await mem.stop()
  })

  it('is found with the time of its file, and stays older than what is stored later', async () => {
    const folder = originalData()
    const mem = await startIn(folder)
    const inShed = { type: 'search_all', query: 'wombat shed', scope: 'history', top_k: 1 }
    expect(await timesOf(mem.ask(search('kiosk')))).toEqual([[0, written.toISOString()]])
    expect(await timesOf(mem.ask(inShed))).toEqual([['home:0', written.toISOString()]])
    expect(await timesOf(mem.ask({ ...search('kiosk'), since: '2025-06-02' }))).toEqual([])
    const between = new Date().toISOString()
    await mem.ask(append('home', 'the wombat moved out'))
    await mem.ask(store('the kiosk has closed'))
    await mem.stop()
    const next = await startIn(folder)
    const stored = (await next.ask(history('home', 1))).messages as { ts: string }[]
    const [first] = await timesOf(next.ask({ ...inShed, until: stored[0]?.ts }))
    expect(first).toEqual(['home:0', stored[0]?.ts])
    const second = await timesOf(next.ask({ ...inShed, query: 'noted' }))
    expect(second).toEqual([['home:1', stored[0]?.ts]])
    const later = await timesOf(next.ask({ ...search('kiosk'), since: between }))
    expect(later.map(([id]) => id)).toContain(2)
    expect((await next.ask(history('home'))).messages).toHaveLength(3)
    await next.stop()
  })
})

it('a message at the position of a forgotten one is shown after its channel was cleared', async () => {
  const mem = await startIn(tempFolder())
  await mem.ask(append('home', 'the first'))
  await mem.ask({ type: 'forget', id: 'home:0' })
  expect(await mem.ask({ type: 'get_memory', id: 'home:0' })).toHaveProperty('forgotten')
  await mem.ask({ type: 'clear_history', channel_id: 'home' })
  expect(await mem.ask({ type: 'get_memory', id: 'home:0' })).toHaveProperty('forgotten')
  await mem.ask(append('home', 'the second'))
  expect(await mem.ask({ type: 'get_memory', id: 'home:0' })).toMatchObject({
    messages: [user('the second')],
  })
  await mem.stop()
})
