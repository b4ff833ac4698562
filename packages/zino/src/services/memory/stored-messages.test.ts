import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../../test/temp-folder.ts'
import { storedTexts } from './stored-messages.ts'

const user = (content: string) => ({ role: 'user', content })
const contents = (folder: string) =>
  [...storedTexts(folder).messages].map(({ content }) => content).sort()

it('the stored texts are those of all channels and hard memories', () => {
  const folder = tempFolder()
  const write = (name: string, value: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(value))
  mkdirSync(path.join(folder, 'channels'))
  write('channels/a.json', [user('one'), { role: 1 }, user('two')])
  write('channels/b.json', [user('three')])
  write('channels/.a.json.1.tmp', [user('temporary')])
  write('channels/a.json.damaged-1', [user('aside')])
  write('channels/c.json', { no: 'list' })
  write('hard_memories.json', [
    { id: 0, messages: [user('four')] },
    { id: 1, messages: 'x' },
  ])
  expect(contents(folder)).toEqual(['four', 'one', 'three', 'two'])
  expect(storedTexts(folder).forgotten).toEqual([])
})

it('the stored texts include the hashes of forgotten ones', () => {
  const folder = tempFolder()
  const stones = [{ id: '1', contents: ['h1', 'h2'] }, { id: '2' }, { id: '3', contents: ['h3'] }]
  writeFileSync(
    path.join(folder, 'tombstones.jsonl'),
    stones.map((stone) => `${JSON.stringify(stone)}\n`).join(''),
  )
  expect(storedTexts(folder).forgotten).toEqual(['h1', 'h2', 'h3'])
  expect(contents(folder)).toEqual([])
})
