import { expect, it } from 'vitest'
import { FileIdentities } from './file-identities.ts'

const stats = { ino: 1, size: 2, mtimeMs: 3 }

it('a file is as this process left it until inode, size or time change', () => {
  const identities = new FileIdentities()
  expect(identities.has('a', stats)).toBe(false)
  identities.add('a', stats)
  expect(identities.has('a', stats)).toBe(true)
  expect(identities.has('b', stats)).toBe(false)
  for (const other of [{ ino: 9 }, { size: 9 }, { mtimeMs: 9 }]) {
    expect(identities.has('a', { ...stats, ...other })).toBe(false)
  }
  identities.forget('a')
  expect(identities.has('a', stats)).toBe(false)
})

it('the files that were written last are known, 10,000 of them', () => {
  const identities = new FileIdentities()
  for (let at = 0; at < 10_000; at += 1) identities.add(`f${at}`, stats)
  identities.add('f0', stats)
  expect(identities.has('f1', stats)).toBe(true)
  identities.add('new', stats)
  expect(['f0', 'f1', 'f2', 'new'].map((file) => identities.has(file, stats))).toEqual([
    ...[true, false, true, true],
  ])
})
