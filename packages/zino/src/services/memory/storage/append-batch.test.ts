import { expect, it } from 'vitest'
import type { PendingAppend } from './append-batch.ts'
import { takeBatch } from './append-batch.ts'
import { FileIdentities } from './file-identities.ts'
import { FileQueues } from './file-queues.ts'

const pendingOf = (...lists: string[][]): PendingAppend[] =>
  lists.map((texts) => ({ texts, resolve: () => {}, reject: () => {} }))
const taken = (pending: readonly PendingAppend[], maxBytes: number) => {
  const { batch, rest } = takeBatch(pending, maxBytes)
  expect([...batch, ...rest]).toEqual(pending)
  return batch.length
}

it('a batch takes appends while their bytes and eight more per element fit', () => {
  const pending = pendingOf(['aa'], ['bb', 'é'], ['c'])
  // 10 bytes, then 20 more, then 9 more.
  expect([29, 30, 38, 39, 40].map((bytes) => taken(pending, bytes))).toEqual([1, 2, 2, 3, 3])
})

it('a batch has at least one append, whatever its size', () => {
  expect(taken(pendingOf(['x'.repeat(100)], ['y']), 5)).toBe(1)
  expect(taken(pendingOf(['x'.repeat(100)]), 5)).toBe(1)
  expect(taken([], 5)).toBe(0)
})

it('a file is known while its inode, size and time are those of the last own write', () => {
  const identities = new FileIdentities()
  const own = { ino: 7, size: 10, mtimeMs: 1000 }
  expect(identities.has('a', own)).toBe(false)
  identities.add('a', own)
  expect(identities.has('a', own)).toBe(true)
  expect(identities.has('b', own)).toBe(false)
  for (const change of [{ ino: 8 }, { size: 11 }, { mtimeMs: 1001 }]) {
    expect(identities.has('a', { ...own, ...change })).toBe(false)
  }
  identities.forget('a')
  expect(identities.has('a', own)).toBe(false)
})

it('10,000 files are known; one more evicts the file whose last write is the oldest', () => {
  const identities = new FileIdentities()
  const own = { ino: 7, size: 10, mtimeMs: 1000 }
  for (let at = 0; at < 10_000; at += 1) identities.add(`f${at}`, own)
  identities.add('f0', own)
  expect(identities.has('f1', own)).toBe(true)
  identities.add('new', own)
  expect(['f0', 'f1', 'f2', 'new'].map((file) => identities.has(file, own))).toEqual([
    ...[true, false, true, true],
  ])
})

it('work on one file runs in order, also after a failure; other files do not wait', async () => {
  const queues = new FileQueues()
  const seen: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const first = queues.run('a', async () => {
    await held
    seen.push('a1')
    throw new Error('first')
  })
  const second = queues.run('a', async () => void seen.push('a2'))
  await queues.run('b', async () => void seen.push('b1'))
  expect(seen).toEqual(['b1'])
  const idle = queues.idle().then(() => seen.push('idle'))
  release()
  await expect(first).rejects.toThrow('first')
  await second
  await idle
  expect(seen).toEqual(['b1', 'a1', 'a2', 'idle'])
})
