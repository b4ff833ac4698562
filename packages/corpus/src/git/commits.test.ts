import { expect, test } from 'vitest'
import { applyDelta } from './objects/delta.ts'
import { parseCommit, subjectOf, tagTarget } from './commits.ts'
import type { Commit } from './commits.ts'
import { CommitQueue } from './commit-queue.ts'
import { parseTree } from './trees.ts'

const unknown = { name: '', email: '', time: 0, zone: '+0000' }

test('a commit has its tree, parents, author, committer and message', () => {
  const text =
    'tree t1\nparent p1\nparent p2\nauthor Ann B <a@b.c> 12 +0130\n' +
    'committer Bob <b@c.d> -34 -0500\ngpgsig x\n\nsubject\n\nbody\n'
  expect(parseCommit('n', Buffer.from(text))).toEqual({
    name: 'n',
    tree: 't1',
    parents: ['p1', 'p2'],
    author: { name: 'Ann B', email: 'a@b.c', time: 12, zone: '+0130' },
    committer: { name: 'Bob', email: 'b@c.d', time: -34, zone: '-0500' },
    message: 'subject\n\nbody\n',
  })
})

test('a commit without people or message is read, and one without a tree is damaged', () => {
  expect(parseCommit('n', Buffer.from('tree t1'))).toEqual({
    ...{ name: 'n', tree: 't1', parents: [], author: unknown, committer: unknown, message: '' },
  })
  expect(parseCommit('n', Buffer.from('tree t\n\nm')).message).toBe('m')
  expect(parseCommit('n', Buffer.from('tree t\n\n')).message).toBe('')
  expect(() => parseCommit('n', Buffer.from('parent p\n\nm'))).toThrow(
    expect.objectContaining({ message: 'the commit n is damaged', code: 'git' }) as Error,
  )
})

test.each([
  ['Ann <a@b> 7 +0100', { name: 'Ann', email: 'a@b', time: 7, zone: '+0100' }],
  ['Ann <a@b> 7', { name: 'Ann', email: 'a@b', time: 7, zone: '+0000' }],
  ['Ann <a@b>', { name: 'Ann', email: 'a@b', time: 0, zone: '+0000' }],
  ['<a@b> 7 +0100', { name: '', email: 'a@b', time: 7, zone: '+0100' }],
  ['Ann<a@b> 7 -0100', { name: 'Ann', email: 'a@b', time: 7, zone: '-0100' }],
  ['Ann', unknown],
])('the author %j is read', (author, person) => {
  const { author: found } = parseCommit('n', Buffer.from(`tree t\nauthor ${author}\n\n`))
  expect(found).toEqual(person)
})

test('a message is decoded by its encoding, and as Latin-1 if that is unknown', () => {
  const head = (encoding: string): Buffer => Buffer.from(`tree t\nencoding ${encoding}\n\n`)
  const message = (encoding: string, bytes: number[]): string =>
    parseCommit('n', Buffer.concat([head(encoding), Buffer.from(bytes)])).message
  expect(message('ISO-8859-2', [0xb1])).toBe('ą')
  expect(message('utf-8', [0xc3, 0xa9])).toBe('é')
  expect(message('nonsense', [0xe9])).toBe('é')
  expect(parseCommit('n', Buffer.from('tree t\n\né')).message).toBe('é')
})

test.each([
  ['one\n', 'one'],
  ['one\ntwo\n\nbody', 'one two'],
  ['\n \n  one  \n  two\n \t\nbody', 'one two'],
  ['', ''],
  ['\n\n', ''],
  ['one', 'one'],
])('the subject of the message %j is %j', (message, subject) => {
  expect(subjectOf({ message } as Commit)).toBe(subject)
})

test('a tag names its object, in its first line only', () => {
  const name = 'ab'.repeat(20)
  expect(tagTarget('t', Buffer.from(`object ${name}\ntype commit\n`))).toBe(name)
  expect(tagTarget('t', Buffer.from(`object ${'cd'.repeat(32)}\n`))).toBe('cd'.repeat(32))
  for (const text of [
    '',
    `type commit\nobject ${name}\n`,
    `object ${name}`,
    `object ${'a'.repeat(80)}\n`,
  ]) {
    expect(() => tagTarget('t', Buffer.from(text))).toThrow(
      expect.objectContaining({ message: 'the tag t is damaged', code: 'git' }) as Error,
    )
  }
})

test('a queue returns the newest commit first, and equal times in the order of insertion', () => {
  const queue = new CommitQueue()
  const commit = (name: string, time: number): Commit =>
    ({ name, committer: { ...unknown, time } }) as Commit
  expect(queue.take()).toBeUndefined()
  const times = [5, 3, 9, 9, 1, 5, 7, 2, 9, 0, 5, 8, 8, 3, 6]
  for (const [at, time] of times.entries()) queue.add(commit(`${at}`, time))
  const expected = times
    .map((time, at) => ({ time, at }))
    .toSorted((a, b) => b.time - a.time || a.at - b.at)
    .map(({ at }) => `${at}`)
  const first = expected.slice(0, 6).map(() => queue.take()?.name)
  queue.add(commit('late', 5))
  const rest: (string | undefined)[] = []
  for (let next = queue.take(); next !== undefined; next = queue.take()) rest.push(next.name)
  expect(first).toEqual(expected.slice(0, 6))
  const place = expected.indexOf('10') + 1
  expect(rest).toEqual([...expected.slice(6, place), 'late', ...expected.slice(place)])
  expect(queue.take()).toBeUndefined()
})

const treeRow = (mode: string, name: string | Buffer, object = '11'.repeat(20)): Buffer =>
  Buffer.concat([
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(object, 'hex'),
  ])

test.each([
  ['100644', 'file', false],
  ['100755', 'file', true],
  ['100664', 'file', false],
  ['40000', 'folder', false],
  ['120000', 'link', false],
  ['160000', 'submodule', false],
])('an entry of a tree with the mode %s is a %s', (mode, kind, isExecutable) => {
  expect(parseTree('t', treeRow(mode, 'a b'), 20)).toEqual([
    { name: 'a b', kind, isExecutable, object: '11'.repeat(20) },
  ])
})

test('all entries of a tree are read, except for names that could lead elsewhere', () => {
  const names = ['a', '..', 'b', '.', 'x/y', '', '...', '.a', '/']
  const rows = names.map((name, at) => treeRow('100644', name, `${at}${at}`.repeat(20)))
  expect(
    parseTree('t', Buffer.concat(rows), 20).map(({ name, object }) => name + object[0]),
  ).toEqual(['a0', 'b2', '...6', '.a7'])
  const wide = treeRow('100644', 'w', '22'.repeat(32))
  expect(parseTree('t', Buffer.concat([wide, wide]), 32).map(({ object }) => object)).toEqual([
    '22'.repeat(32),
    '22'.repeat(32),
  ])
  expect(parseTree('t', Buffer.alloc(0), 20)).toEqual([])
})

test.each([
  ['a cut name of an object', treeRow('100644', 'a').subarray(0, -1)],
  ['no space', Buffer.from('100644\0')],
  ['no end of the name', Buffer.from('100644 a')],
  ['a cut second entry', Buffer.concat([treeRow('100644', 'a'), Buffer.from('1')])],
])('a tree with %s is damaged', (_, bytes) => {
  expect(() => parseTree('t', bytes, 20)).toThrow(
    expect.objectContaining({ message: 'the tree t is damaged', code: 'git' }) as Error,
  )
})

const base = Buffer.from('0123456789abcdef')
const copyAll = [0x90, 16]

test.each([
  ['an insertion', [16, 3, 3, ...Buffer.from('xyz')], 'xyz'],
  ['two insertions', [16, 3, 1, 0x78, 2, 0x79, 0x7a], 'xyz'],
  ['a copy of all', [16, 16, ...copyAll], base.toString()],
  ['a copy from an offset', [16, 4, 0x91, 10, 4], 'abcd'],
  ['a copy and an insertion', [16, 3, 0x91, 2, 2, 1, 0x78], '23x'],
  ['a copy up to the end', [16, 4, 0x91, 12, 4], 'cdef'],
  ['an empty target', [16, 0], ''],
  ['a copy beyond the end', [16, 4, 0x91, 13, 4], undefined],
  ['a copy that is longer than the target', [16, 3, 0x91, 0, 4], undefined],
  ['an insertion that is cut', [16, 3, 3, 0x78, 0x79], undefined],
  ['an insertion that is longer than the target', [16, 2, 3, 0x78, 0x79, 0x7a], undefined],
  ['a target that is not filled', [16, 4, 3, 0x78, 0x79, 0x7a], undefined],
  ['a reserved code', [16, 1, 0, 1, 0x78], undefined],
  ['another base', [15, 1, 1, 0x78], undefined],
])('a delta with %s is applied', (_, delta, expected) => {
  expect(applyDelta(base, Buffer.from(delta))?.toString()).toBe(expected)
})

test('a delta copies 64 KiB where it gives no size, and sizes and offsets have several bytes', () => {
  const large = Buffer.alloc(0x30_0000, 'abcdefg')
  const size = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...size(value >> 7)]
  const apply = (target: number, ...code: number[]): Buffer | undefined =>
    applyDelta(large, Buffer.from([...size(large.length), ...size(target), ...code]))
  expect(apply(0x10000, 0x80)?.equals(large.subarray(0, 0x10000))).toBe(true)
  expect(apply(0x10000, 0x81, 3)?.equals(large.subarray(3, 0x10003))).toBe(true)
  expect(apply(0x102, 0xb2, 1, 2, 1)?.equals(large.subarray(0x100, 0x202))).toBe(true)
  const far = apply(0x20001, 0xd4, 2, 1, 2)
  expect(far?.equals(large.subarray(0x20000, 0x40001))).toBe(true)
  expect(apply(5, 0x98 | 0x07, 5)).toBeUndefined()
  const huge = [...size(large.length), 0x81, 0x80, 0x80, 0x80, 0x08, 0x80]
  expect(applyDelta(large, Buffer.from(huge))).toBeUndefined()
})
