import { describe, expect, it } from 'vitest'
import { history, start, startIn } from '../../../../test/mem.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'
import type { Message } from '../../../wire/wire.ts'

const appendAt = (content: string, ts: string, more: object = {}) => ({
  type: 'append_history',
  channel_id: 'c',
  messages: [{ role: 'user', content, ts }],
  ...more,
})
const textsIn = ({ results }: Message) =>
  (results as { messages: { content: string }[] }[]).map(({ messages }) => messages[0]?.content)

describe('an edited message', () => {
  it('is found with its earlier text at an earlier time, after a restart too', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await first.ask(appendAt('the gate code is alpha', '2026-01-01T10:00:00Z'))
    await first.ask(appendAt('something else', '2026-01-02T10:00:00Z'))
    const before = new Date().toISOString()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await first.ask({ type: 'edit_memory', id: 'c:0', content: 'the gate code is bravo' })
    const search = (query: string, more: object = {}) => ({
      ...{ type: 'search_all', query, scope: 'history', top_k: 3 },
      ...more,
    })
    for (const round of ['the same process', 'a restart']) {
      const { ask } = round === 'a restart' ? await startIn(folder) : first
      expect(textsIn(await ask(search('gate code'))), round).toEqual(['the gate code is bravo'])
      expect(textsIn(await ask(search('alpha'))), round).toEqual([])
      expect(textsIn(await ask(search('gate', { at: before }))), round).toEqual([
        'the gate code is alpha',
      ])
      expect(textsIn(await ask(search('gate', { at: '2025-12-31' }))), round).toEqual([])
      const { messages } = await ask(history('c'))
      expect(JSON.stringify(messages)).not.toContain('alpha')
      if (round === 'the same process') await first.stop()
    }
  })

  it('is gone with all its texts when it is forgotten', async () => {
    const { ask, read } = await start()
    await ask(appendAt('secret alpha', '2026-01-01T10:00:00Z'))
    await ask({ type: 'edit_memory', id: 'c:0', content: 'secret bravo' })
    expect(read('channels/c.json')).toContain('alpha')
    await ask({ type: 'forget', id: 'c:0' })
    expect(read('channels/c.json')).not.toMatch(/alpha|bravo/)
    const found = await ask({ type: 'search_all', query: 'alpha', at: '2026-06-01' })
    expect(textsIn(found)).toEqual([])
  })
})

it('search_all leaves out the messages of the turn that asks', async () => {
  const { ask } = await start()
  await ask(appendAt('the blue gate', '2026-01-01T10:00:00Z', { turn: 'one' }))
  await ask(appendAt('the red gate', '2026-01-02T10:00:00Z', { turn: 'two' }))
  const search = { type: 'search_all', query: 'gate', scope: 'history', top_k: 1 }
  expect(textsIn(await ask({ ...search, without_turn: 'one' }))).toEqual(['the red gate'])
  expect(textsIn(await ask({ ...search, without_turn: 'two' }))).toEqual(['the blue gate'])
})
