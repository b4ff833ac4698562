import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FixtureEntry } from './git-index.fixtures.ts'
import { indexOf } from './git-index.fixtures.ts'
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

describe('the difference of two indexes', () => {
  const entries = (...paths: string[]): FixtureEntry[] => paths.map((each) => ({ path: each }))
  const tree = { end: 'TREE'.repeat(30) }
  it.each<[string, FixtureEntry[], FixtureEntry[], string[]]>([
    ['lacks entries at the end', entries('a'), entries('a', 'b', 'c'), ['b', 'c']],
    ['lacks entries at the start', entries('a', 'b', 'c'), entries('c'), ['a', 'b']],
    ['lacks all entries', [], entries('a'), ['a']],
    ['has another blob', [{ path: 'a' }], [{ path: 'a', blob: `${'a'.repeat(39)}b` }], ['a']],
    ['has another time', [{ path: 'a' }], [{ path: 'a', second: 2 }], ['a']],
    ['has another mode', [{ path: 'a' }], [{ path: 'a', mode: 0o100755 }], ['a']],
    ['has another size', [{ path: 'a' }], [{ path: 'a', size: 6 }], ['a']],
    ['has other flags only', [{ path: 'a' }], [{ path: 'a', isExtended: true }], []],
    [
      'has an equal conflict',
      [{ path: 'a' }, { path: 'b', stage: 1 }, { path: 'b', stage: 2 }],
      [{ path: 'b', stage: 1 }, { path: 'b', stage: 2 }, { path: 'c' }],
      ['a', 'c'],
    ],
    [
      'has another stage of a conflict',
      [{ path: 'b', stage: 1 }, { path: 'c' }],
      [{ path: 'b', stage: 2 }, { path: 'c' }],
      ['b'],
    ],
  ])('one %s', (_, before, after, expected) => {
    const both = [before, after].map((each) => indexOf(each, { version: 3 })) as [Buffer, Buffer]
    expect(changedEntries(...both)).toEqual(new Set(expected))
    expect(changedEntries(both[1], both[0])).toEqual(new Set(expected))
    const [first, second] = [before, after].map((each) => indexOf(each, { version: 3, ...tree }))
    expect(changedEntries(first as Buffer, second as Buffer)).toEqual(new Set(expected))
  })

  it('is found for names of every length', () => {
    const names = Array.from({ length: 20 }, (_, length) => `${'n'.repeat(length)}x`).toSorted()
    for (const name of names) {
      const after = names.map((each) => ({ path: each, second: each === name ? 2 : 1 }))
      expect(changedEntries(indexOf(entries(...names)), indexOf(after))).toEqual(new Set([name]))
    }
  })

  it.each([4093, 4094, 4095, 4096])('is found for a name of %i bytes', (length) => {
    const name = 'n'.repeat(length)
    const [before, after] = [entries('a', name), entries('a', name, 'z')].map((each) =>
      indexOf(each),
    )
    expect(changedEntries(before as Buffer, after as Buffer)).toEqual(new Set(['z']))
  })

  it('is unknown if either has another format', () => {
    const [known, other] = [indexOf(entries('a')), indexOf(entries('a'), { version: 4 })]
    expect(changedEntries(known, other)).toBeUndefined()
    expect(changedEntries(other, known)).toBeUndefined()
    expect(recentEntries(other, 0)).toEqual([])
  })

  it('ends where an index is torn', () => {
    const whole = indexOf(entries('a', 'b'), { end: '' })
    const empty = indexOf([])
    expect(changedEntries(whole, empty)).toEqual(new Set(['a', 'b']))
    for (const length of [12, 40, 73, 74]) {
      expect(changedEntries(whole.subarray(0, length), empty), String(length)).toEqual(new Set())
    }
    expect(changedEntries(whole.subarray(0, 76 + 61), empty)).toEqual(new Set(['a']))
    const long = indexOf(entries('n'.repeat(5000))).subarray(0, 4000)
    expect(changedEntries(long, empty)).toEqual(new Set())
  })
})

it('compares the change times of entries with the second', () => {
  const times = indexOf([
    { path: 'before', second: 99 },
    { path: 'during', second: 100 },
    { path: 'later\xfc', second: 101 },
  ])
  expect(recentEntries(times, 100)).toEqual(['during', 'later\xfc'])
  expect(recentEntries(times, 101)).toEqual(['later\xfc'])
  expect(recentEntries(times, 102)).toEqual([])
})
