import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { completePath } from './complete-path.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'zee-complete-'))
for (const name of ['src', 'a b']) mkdirSync(path.join(root, name))
/** Names that would move the cursor, break the row, reorder text, or cannot be quoted. */
const hostile = ['s\u001b[2J', 's\u009b2J', 's\nnew', 's\ttab', 's\u202eexe', 's"quote']
for (const name of [
  'src/a.ts',
  'src/b.ts',
  'small.txt',
  '.hidden',
  ...hostile,
  'a b/c d',
  'a b/e',
]) {
  writeFileSync(path.join(root, name), '')
}
afterAll(() => rmSync(root, { recursive: true, force: true }))

it.each([
  ['look at @s', ['@small.txt', '@src/']],
  ['@src/', ['@src/a.ts', '@src/b.ts']],
  ['@src/a', ['@src/a.ts']],
  ['@.h', ['@.hidden']],
  ['@a', ['@"a b/']],
  ['@"a b/', ['@"a b/c d"', '@"a b/e"']],
  ['mail me@s', []],
  ['@nowhere/x', []],
  ['plain', []],
])('completes %j to %j', (line, names) => {
  expect(completePath(root, line)[0]).toEqual(names)
})
