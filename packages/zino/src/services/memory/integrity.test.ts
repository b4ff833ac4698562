import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../../test/temp-folder.ts'
import { checkMemoryFiles } from './integrity.ts'

const message = (content: string) => ({ role: 'user', content })

function put(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(path.join(folder, 'channels'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

it('counts lists and their elements, and ignores other files', async () => {
  const folder = put(tempFolder(), {
    'hard_memories.json': `[\n${JSON.stringify({ id: 0, messages: [message('a')] })}\n]\n`,
    'soft_memory.txt': 'not a list',
    'channels/a.json': `[\n${JSON.stringify(message('x'))},\n${JSON.stringify(message('y'))}\n]\n`,
    'channels/b.json': JSON.stringify([message('other form')], undefined, 4),
    'channels/.hidden.json': 'no list',
    'channels/a.txt': 'no list',
  })
  expect(await checkMemoryFiles(folder)).toEqual({ files: 3, elements: 4, damaged: [], aside: [] })
})

it('names damaged files with the reason, and copies that were put aside', async () => {
  const folder = put(tempFolder(), {
    'hard_memories.json': '{"no":"list"}',
    'hard_memories.json.damaged-1': 'old',
    'channels/a.json': '[{"role":"user"',
  })
  const { files, elements, damaged, aside } = await checkMemoryFiles(folder)
  expect([files, elements, aside]).toEqual([2, 0, ['hard_memories.json.damaged-1']])
  expect(damaged).toEqual([
    'hard_memories.json (it holds no list of messages)',
    'channels/a.json (it holds no list of messages)',
  ])
})

it('counts no elements of a file that cannot be opened, and says why', async () => {
  const folder = put(tempFolder(), {})
  symlinkSync('loop.json', path.join(folder, 'channels/loop.json'))
  symlinkSync('nothing.json', path.join(folder, 'channels/dangling.json'))
  expect(await checkMemoryFiles(folder)).toEqual({
    files: 2,
    elements: 0,
    damaged: ['channels/loop.json (too many levels of symbolic links)'],
    aside: [],
  })
})

it('finds nothing in a folder that does not exist', async () => {
  const report = await checkMemoryFiles(path.join(tempFolder(), 'none'))
  expect(report).toEqual({ files: 0, elements: 0, damaged: [], aside: [] })
})
