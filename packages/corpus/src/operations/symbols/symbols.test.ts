import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { messageOf } from '../../../test/support/answers.ts'
import { corpusOf, tree } from '../../../test/support/trees.ts'

const files = {
  'src/parse.ts': [
    "import {\n  readRow,\n  other,\n} from './rows.ts'",
    'export function parseRow(text: string) {',
    '  // readRow is in a comment',
    "  const label = 'readRow'",
    '  return readRow(text) + readRow<string>(label)',
    '}\n',
  ].join('\n'),
  'src/rows.ts': 'export const readRow = (text: string) => text\nexport { readRow as row }\n',
  'lib/rows.py':
    'from rows import readRow\n\nclass RowReader:\n    def readRow(self):\n        return readRows\n',
}

test('references are whole words, classified by the scanners', async () => {
  const { references } = await corpusOf(tree(files)).references({ name: 'readRow' })
  expect(references.map(({ path, line, kind }) => `${path}:${line} ${kind}`)).toEqual([
    'lib/rows.py:1 import',
    'lib/rows.py:4 definition',
    'src/parse.ts:2 import',
    'src/parse.ts:6 other',
    'src/parse.ts:7 other',
    'src/parse.ts:8 call',
    'src/rows.ts:1 definition',
    'src/rows.ts:2 other',
  ])
})

test('references are returned in pages', async () => {
  const corpus = corpusOf(tree(files))
  const first = await corpus.references({ name: 'readRow', max: 5 })
  expect(first).toMatchObject({ truncated: true })
  const second = await corpus.references({ name: 'readRow', max: 5, cursor: first.next_cursor })
  expect(second.references).toHaveLength(3)
  expect(second.truncated).toBe(false)
})

test('symbols of a tree are found by exact name, by prefix and by characters in order', async () => {
  const corpus = corpusOf(tree(files))
  const names = async (args: {
    name?: string
    match?: 'exact' | 'prefix' | 'fuzzy'
    glob?: string
    exclude_globs?: string[]
  }) =>
    (await corpus.treeSymbols(args)).symbols.map(
      ({ path, name, line }) => `${path}:${line} ${name}`,
    )
  expect(await names({ name: 'readRow' })).toEqual([
    'lib/rows.py:4 readRow',
    'src/rows.ts:1 readRow',
  ])
  expect(await names({ name: 'parse', match: 'prefix' })).toEqual(['src/parse.ts:5 parseRow'])
  expect((await names({ name: 'rrdr', match: 'fuzzy' }))[0]).toContain('RowReader')
  const inRows = ['lib/rows.py:3 RowReader', 'lib/rows.py:4 readRow']
  expect(await names({ glob: 'lib/*' })).toEqual(inRows)
  expect(await names({ glob: '**/rows.*', exclude_globs: ['src/**'] })).toEqual(inRows)
  expect(await messageOf(corpus.treeSymbols({}))).toBe('missing name or glob')
})

test('uses in nested and closed imports, and after them, have different kinds', async () => {
  const corpus = corpusOf(
    tree({
      'a.rs':
        'use std::{\n    io::{self, target},\n};\nfn main() {\n    target(1);\n    let x = target;\n}\n',
      'b.ts': 'export {\n  target,\n}\nexport {\n  target as other,\n} from "./c.ts"\ntarget\r\n',
      'c.c': '#include "target.h"\r\nint x = target;\r\n',
    }),
  )
  const { references } = await corpus.references({ name: 'target' })
  expect(references.map(({ path, line, kind }) => `${path}:${line} ${kind}`)).toEqual([
    'a.rs:2 import',
    'a.rs:5 call',
    'a.rs:6 other',
    'b.ts:2 other',
    'b.ts:5 import',
    'b.ts:7 other',
    'c.c:1 import',
    'c.c:2 other',
  ])
})

test('a private member and the name of an imported file are other uses of a name', async () => {
  const corpus = corpusOf(
    tree({
      'a.ts':
        "import { x } from './target.ts'\nclass A {\n  #target() {}\n  run() { this.#target() }\n}\n" +
        "import { target } from './target.ts'\nimport all from 'target'\ntarget(this.#target)\n",
      'b.c': '#include "../target.h"\n',
      'c.py': 'from .target import x\n',
    }),
  )
  const { references } = await corpus.references({ name: 'target' })
  expect(references.map(({ path, line, kind }) => `${path}:${line} ${kind}`)).toEqual([
    'a.ts:1 other',
    'a.ts:3 other',
    'a.ts:4 other',
    'a.ts:6 import',
    'a.ts:7 import',
    'a.ts:8 call',
    'b.c:1 import',
    'c.py:1 import',
  ])
  const members = await corpus.references({ name: '#target' })
  expect(members.references.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
    '3 definition',
    '4 call',
    '8 other',
  ])
})

test('references follow a change of the file', async () => {
  const root = tree({ 'a.ts': 'target()\n' })
  const corpus = corpusOf(root)
  const kinds = async (): Promise<unknown> =>
    (await corpus.references({ name: 'target' })).references.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['call'])
  writeFileSync(path.join(root, 'a.ts'), 'target  \n')
  expect(await kinds()).toEqual(['other'])
})
