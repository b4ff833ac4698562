import { lstatSync, utimesSync, writeFileSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tree } from '../../test/support/trees.ts'
import { openCorpusRoot } from '../root/root.ts'
import { isSame, isUnchanged, statsOf } from './checked-file.ts'
import { FileFlag, FileKind, FileTable, nowhere } from './file-table.ts'
import { accessKey, findName, folderPath, identify, isSameFolder, newFolder } from './folder.ts'
import { isRacy } from './racy.ts'

const top = newFolder('', undefined)
const folder = newFolder('d/', top)

test('a file has its path, its kind, and nothing else before it is read', () => {
  const table = new FileTable()
  expect([table.add(folder, 'a', FileKind.link), table.add(top, 'b', FileKind.other)]).toEqual([
    0, 1,
  ])
  expect([table.path(0), table.path(1), table.count]).toEqual(['d/a', 'b', 2])
  expect([table.kinds[0], table.kinds[1], table.flags[0], table.sizes[0]]).toEqual([1, 2, 0, 0])
  expect([table.contents[0], table.blocks[0], table.chars[0], table.lengths[0]]).toEqual([
    -1, -1, 0, 0,
  ])
  expect([table.generations[0], table.kinds.length]).toEqual([1, 1024])
})

test('the number of a removed file is used again, and its columns are cleared', () => {
  const table = new FileTable()
  for (const name of ['a', 'b', 'c']) table.add(folder, name, FileKind.file)
  table.flags[1] = FileFlag.known
  table.contents[1] = 64
  table.remove(1)
  expect([table.count, table.names[1], table.folders[1], table.path(1)]).toEqual([
    2,
    '',
    undefined,
    '',
  ])
  expect([table.flags[1], table.contents[1], table.generations[1]]).toEqual([0, nowhere, 2])
  expect([table.add(top, 'new', FileKind.file), table.add(top, 'more', FileKind.file)]).toEqual([
    1, 3,
  ])
  expect([table.path(1), table.generations[1], table.count]).toEqual(['new', 3, 4])
})

test('the columns grow twofold and keep what they have', () => {
  const table = new FileTable()
  for (let id = 0; id < 1024; id++) table.add(top, `${id}`, FileKind.file)
  for (const id of [0, 1023]) {
    table.flags[id] = FileFlag.ascii
    table.sizes[id] = id + 0.5
    table.chars[id] = id + 1
    table.contents[id] = id + 2
    table.lengths[id] = id + 3
    table.capacities[id] = id + 4
    table.blocks[id] = id + 5
    table.columns[id] = id + 6
    table.modified[id] = BigInt(id + 7)
    table.changed[id] = BigInt(id + 8)
    table.inodes[id] = BigInt(id + 9)
  }
  expect(table.kinds.length).toBe(1024)
  table.add(top, 'last', FileKind.link)
  expect([table.kinds.length, table.kinds[1024], table.generations.length]).toEqual([2048, 1, 2048])
  for (const id of [0, 1023]) {
    expect([table.flags[id], table.sizes[id], table.chars[id], table.contents[id]]).toEqual([
      ...[128, id + 0.5, id + 1, id + 2],
    ])
    expect([table.lengths[id], table.capacities[id], table.blocks[id], table.columns[id]]).toEqual([
      ...[id + 3, id + 4, id + 5, id + 6],
    ])
    expect([table.modified[id], table.changed[id], table.inodes[id]]).toEqual([
      ...[BigInt(id + 7), BigInt(id + 8), BigInt(id + 9)],
    ])
    expect(table.generations[id]).toBe(1)
  }
})

test.each(Object.entries(FileFlag))('the flag %s is a bit of its own', (_, flag) => {
  const table = new FileTable()
  table.add(top, 'a', FileKind.file)
  table.flags[0] = flag
  const set = Object.values(FileFlag).filter((each) => table.has(0, each))
  expect(set).toEqual([flag])
  expect(Math.log2(flag) % 1).toBe(0)
})

const second = 1_000_000_000n

test.each([
  ['less than 100 ms ago', 5n * second + 1n, 99_999_999n, true],
  ['100 ms ago', 5n * second + 1n, 100_000_000n, false],
  ['in the future', 5n * second + 1n, -1n, true],
  ['at a whole second, less than 2.5 s ago', 5n * second, 2_499_999_999n, true],
  ['at a whole second, 2.5 s ago', 5n * second, 2_500_000_000n, false],
])('a change %s is racy or not', (_, changedNs, agoNs, expected) => {
  expect(isRacy(changedNs, changedNs + agoNs)).toBe(expected)
})

test('names are found in path order', () => {
  const names = ['a', 'b/', 'b0', 'c', 'd/', '\uffee', '😀']
  for (const [at, name] of names.entries()) expect(findName(names, name)).toBe(at)
  expect(['', 'a0', 'b', 'b1', 'd', 'z', '\u{1f601}'].map((name) => findName(names, name))).toEqual(
    [...[-1, -2, -2, -4, -5, -6, -8]],
  )
  expect(findName([], 'a')).toBe(-1)
})

const stats = {
  ...{ ino: 1n, dev: 2n, mode: 3n, uid: 4n, gid: 5n, birthtimeNs: 6n, ctimeNs: 7n },
} as BigIntStats

test('a folder is the same while its identity is', () => {
  const read = newFolder('d/', undefined)
  expect([read.isRacy, read.names, read.values, read.isRemoved]).toEqual([
    true,
    undefined,
    [],
    false,
  ])
  identify(read, stats, 7n + 100_000_000n)
  expect([read.inode, read.device, read.access, read.changed, read.isRacy]).toEqual([
    ...[1n, 2n, '3 4 5 6', 7n, false],
  ])
  identify(read, stats, 7n + 99_999_999n)
  expect(read.isRacy).toBe(true)
  const same = (parts: Partial<BigIntStats>): boolean =>
    isSameFolder(read, { ...stats, ...parts } as BigIntStats)
  expect(same({})).toBe(true)
  expect(same({ ctimeNs: 99n })).toBe(true)
  for (const key of ['ino', 'dev', 'mode', 'uid', 'gid', 'birthtimeNs'] as const) {
    expect(same({ [key]: 99n })).toBe(false)
  }
  expect(accessKey(stats, 9n)).toBe('3 4 5 9')
  expect([
    folderPath(read),
    folderPath(newFolder('', undefined)),
    folderPath(newFolder('a/b/', read)),
  ]).toEqual([...['d', '.', 'a/b']])
})

test('where the birth time is that of the last change, a later change is the same folder', () => {
  const read = newFolder('d/', undefined)
  identify(read, { ...stats, birthtimeNs: 7n } as BigIntStats, 0n)
  const same = (parts: Partial<BigIntStats>): boolean =>
    isSameFolder(read, { ...stats, ...parts } as BigIntStats)
  expect(same({ birthtimeNs: 20n, ctimeNs: 20n })).toBe(true)
  expect(same({ birthtimeNs: 20n, ctimeNs: 21n })).toBe(false)
  expect(same({ birthtimeNs: 20n, ctimeNs: 20n, mode: 9n })).toBe(false)
})

test('a file is unchanged while its size, times and inode are', () => {
  const root = tree({ 'd/a': 'text' })
  const file = path.join(root, 'd/a')
  utimesSync(file, 1, 2)
  const found = lstatSync(file, { bigint: true })
  const table = new FileTable()
  const id = table.add(folder, 'a', FileKind.file)
  const remember = (): void => {
    table.flags[id] = FileFlag.known
    table.sizes[id] = Number(found.size)
    table.modified[id] = found.mtimeNs
    table.changed[id] = found.ctimeNs
    table.inodes[id] = found.ino
  }
  remember()
  const at = openCorpusRoot(root).folder
  expect([isUnchanged(at, table, id), isSame(table, id, found)]).toEqual([true, true])
  for (const key of ['ctimeNs', 'mtimeNs', 'ino', 'size'] as const) {
    expect(isSame(table, id, { ...found, [key]: 9n } as BigIntStats), key).toBe(false)
  }
  table.flags[id] = FileFlag.known | FileFlag.racy
  expect(isUnchanged(at, table, id)).toBe(false)
  remember()
  writeFileSync(file, 'other')
  expect(isUnchanged(at, table, id)).toBe(false)
  expect([statsOf(at, 'd/a')?.size, statsOf(at, 'd/b'), statsOf(at, 'd/a/b')]).toEqual([
    ...[5n, undefined, undefined],
  ])
})
