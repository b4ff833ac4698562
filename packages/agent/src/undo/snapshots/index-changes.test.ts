import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changedEntries, recentEntries } from './index-changes.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'zee-index-'))
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@x', ...args], {
    stdio: 'pipe',
  })
const index = () => readFileSync(path.join(root, '.git/index'))
const file = (name: string) => path.join(root, name)
/** Longer than a name whose length git stores. */
const deep = Array.from({ length: 25 }, () => 'd'.repeat(199)).join('/')
beforeAll(() => {
  git('init', '-q')
  for (const name of ['a', 'b', 'ü', 'z']) writeFileSync(file(name), `${name}\n`)
  git('add', '.')
  const blob = git('hash-object', '-w', file('a')).toString().trim()
  execFileSync('git', ['-C', root, 'update-index', '--index-info'], {
    input: `100644 ${blob}\t${deep}\n`,
  })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('finds entries that only one index has, and entries whose stats, mode or blob differ', () => {
  const before = index()
  expect(changedEntries(before, index())).toEqual(new Set())
  git('rm', '-q', '--cached', 'b')
  writeFileSync(file('new'), 'new\n')
  utimesSync(file('z'), 1000, 1000)
  chmodSync(file('ü'), 0o755)
  git('add', 'new', 'z', 'ü')
  const name = Buffer.from('ü').toString('latin1')
  expect(changedEntries(before, index())).toEqual(new Set(['b', 'new', 'z', name]))
  expect(changedEntries(index(), before)).toEqual(new Set(['b', 'new', 'z', name]))
})

it('reads an index with names of more than 4,095 bytes and does not read version 4', () => {
  const before = index()
  git('rm', '-q', '--cached', deep)
  expect(changedEntries(before, index())).toEqual(new Set([deep]))
  git('update-index', '--index-version', '4')
  expect(changedEntries(before, index())).toBeUndefined()
  git('update-index', '--index-version', '2')
})

it('lists the entries whose files changed at or after a second', () => {
  expect(recentEntries(index(), 0)).toContain('a')
  expect(recentEntries(index(), 2 ** 32 - 1)).toEqual([])
})
