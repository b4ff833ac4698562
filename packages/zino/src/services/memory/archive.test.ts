import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { append, history, idsOf, search, start, store } from '../../../test/mem.ts'
import { tempFolder } from '../../../test/temp-folder.ts'

const contentsOf = (answer: { messages?: unknown }) =>
  (answer.messages as { content: string }[]).map(({ content }) => content)

it('a restore replaces channels, hard memories and the soft memory by those of the backup', async () => {
  const { ask } = await start()
  const file = path.join(tempFolder(), 'backup.jsonl')
  await ask(append('a', 'one', 'two'))
  await ask(append('b', 'three'))
  await ask(store('herons stand', 'birds'))
  await ask({ type: 'set_soft', content: 'soft words' })
  const saved = await ask({ type: 'backup', file })
  expect(saved).toMatchObject({ type: 'ok', file, memories: 1, messages: 3 })
  await ask(append('a', 'later'))
  await ask(append('new', 'later'))
  await ask(store('zebras run'))
  await ask({ type: 'set_soft', content: 'other' })
  expect(await ask({ type: 'restore', file })).toEqual(saved)
  expect(contentsOf(await ask(history('a', 0)))).toEqual(['one', 'two'])
  expect(contentsOf(await ask(history('b', 0)))).toEqual(['three'])
  expect(contentsOf(await ask(history('new', 0)))).toEqual([])
  expect(await idsOf(ask, search('zebras'))).toEqual([])
  expect(await idsOf(ask, search('herons'))).toEqual([0])
  expect(await ask({ type: 'get_soft' })).toMatchObject({ content: 'soft words' })
})

it.each([
  ['a changed line', (text: string) => text.replace('one', 'two')],
  ['no last line', (text: string) => text.slice(0, text.trimEnd().lastIndexOf('\n'))],
  ['a torn last line', (text: string) => text.slice(0, -10)],
  ['another last line', (text: string) => text.replace('"kind":"end"', '"kind":"soft"')],
])('a backup with %s changes nothing', async (_, damage) => {
  const { ask } = await start()
  const file = path.join(tempFolder(), 'backup.jsonl')
  await ask(append('a', 'one'))
  await ask({ type: 'backup', file })
  writeFileSync(file, damage(readFileSync(file, 'utf8')))
  await ask(append('a', 'later'))
  const message = `${file} is not a complete backup: nothing was changed`
  expect(await ask({ type: 'restore', file })).toMatchObject({ type: 'error', message })
  expect(contentsOf(await ask(history('a', 0)))).toEqual(['one', 'later'])
})
