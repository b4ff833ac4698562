// Edits and forgets of one memory at the same time, and what a forget leaves.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesWith } from '../../../../../test/support/files-with.ts'
import type { Ask } from '../../../test/mem.ts'
import { append, history, idsOf, search, start, startIn, store, user } from '../../../test/mem.ts'
import { tempFolder } from '../../../test/temp-folder.ts'

const edit = (id: number | string, content: string) => ({ type: 'edit_memory', id, content })
const forget = (id: number | string) => ({ type: 'forget', id })

const editTwenty = (ask: Ask, id: number | string) =>
  Promise.all(Array.from({ length: 20 }, (_, at) => ask(edit(id, `quokka version ${at}`))))

describe('edits of one memory at the same time', () => {
  it('leave one current version, and a forget removes all of them', async () => {
    const { ask, data } = await start()
    await ask(store('quokka original'))
    const edited = await editTwenty(ask, 0)
    expect(edited.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    expect(await idsOf(ask, search('quokka', 50))).toEqual([20])
    expect(await idsOf(ask, { type: 'list_hard' })).toEqual([20])
    expect(await ask(forget(7))).toEqual({ type: 'ok' })
    expect(filesWith(data, 'quokka')).toEqual([])
    expect(await ask({ type: 'get_memory', id: 3 })).toMatchObject({ forgotten: { id: '3' } })
  })

  it('keep every text of a message for searches of the past, until it is forgotten', async () => {
    const { ask, data, read } = await start()
    await ask(append('c', 'quokka original'))
    await editTwenty(ask, 'c:0')
    expect(read('channels/c.json').match(/"content": "quokka/g)).toHaveLength(21)
    expect(await ask(forget('c:0'))).toEqual({ type: 'ok' })
    expect(filesWith(data, 'quokka')).toEqual([])
  })

  it.each(['hard', 'message'])(
    'as a forget of the %s memory are refused or forgotten with it',
    async (kind) => {
      const { ask, data } = await start()
      await ask(kind === 'hard' ? store('quokka original') : append('c', 'quokka original'))
      const id = kind === 'hard' ? 0 : 'c:0'
      const answers = await Promise.all([editTwenty(ask, id), ask(forget(id)), editTwenty(ask, id)])
      expect(answers[1]).toEqual({ type: 'ok' })
      expect(answers.flat().some(({ type }) => type === 'error')).toBe(true)
      expect(filesWith(data, 'quokka')).toEqual([])
    },
  )
})

it('versions in a file of an earlier zino that replace the same memory are one memory', async () => {
  const folder = tempFolder()
  const version = (at: number, replaces?: number) => {
    const ts = `2026-01-01T10:00:0${at}.000Z`
    return { messages: [user(`quokka version ${at}`)], tag: '', ts, replaces }
  }
  const list = [version(0), version(1, 0), version(2, 0), version(3, 0), version(4, 4)]
  mkdirSync(path.join(folder, 'data'))
  const file = path.join(folder, 'data', 'hard_memories.json')
  writeFileSync(file, JSON.stringify(list, undefined, 2))
  const { ask, data } = await startIn(folder)
  expect(await idsOf(ask, { type: 'list_hard' })).toEqual([3, 4])
  const before = { ...search('quokka'), at: '2026-01-01T10:00:01.500Z' }
  expect(await idsOf(ask, before)).toEqual([1])
  expect(await ask(forget(1))).toEqual({ type: 'ok' })
  expect(await idsOf(ask, { type: 'list_hard' })).toEqual([4])
  expect(await ask(forget(4))).toEqual({ type: 'ok' })
  expect(filesWith(data, 'quokka')).toEqual([])
})

describe('a forgotten message', () => {
  it('is neither edited nor forgotten again, and keeps its tombstone', async () => {
    const { ask } = await start()
    await ask(append('c', 'quokka original'))
    await ask({ ...forget('c:0'), reason: 'leaked' })
    const stone = await ask({ type: 'get_memory', id: 'c:0' })
    expect(stone).toMatchObject({ forgotten: { reason: 'leaked' } })
    const missing = { type: 'error', message: 'there is no message c:0' }
    expect(await ask(edit('c:0', 'wombat'))).toMatchObject(missing)
    expect(await ask(forget('c:0'))).toMatchObject(missing)
    expect(await ask({ type: 'get_memory', id: 'c:0' })).toEqual(stone)
  })

  it('is not stored again with the answer of its turn', async () => {
    const { ask, data } = await start()
    const question = append('c', 'where is the quokka?')
    await ask({ ...question, turn: 'one' })
    await ask(forget('c:0'))
    const messages = [...question.messages, { role: 'assistant', content: 'in the shed' }]
    await ask({ ...question, messages, turn: 'one', amend: true })
    expect((await ask(history('c'))).messages).toMatchObject([
      { content: '', forgotten: true },
      { role: 'assistant', content: 'in the shed' },
    ])
    expect(filesWith(data, 'quokka')).toEqual([])
  })

  it('takes the recorded answers with it that contain an earlier text of it', async () => {
    const { ask, data } = await start()
    await ask(append('c', 'quokka original'))
    await ask(edit('c:0', 'wombat'))
    mkdirSync(path.join(data, 'answers'))
    const answers = [`{"text":"you said: quokka original"}\n`, `{"text":"unrelated"}\n`]
    for (const [at, text] of answers.entries()) {
      writeFileSync(path.join(data, 'answers', `${at}.jsonl`), text)
    }
    await ask(forget('c:0'))
    expect(filesWith(data, 'quokka')).toEqual([])
    expect(filesWith(data, 'unrelated')).toHaveLength(1)
  })
})
