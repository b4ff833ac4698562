import { expect, test } from 'vitest'
import { parseCommit, subjectOf, tagTarget } from './commits.ts'

const text = [
  'tree 1111',
  'parent 2222',
  'parent 3333',
  'author Ann B <ann@example.com> 1700000000 +0200',
  'committer  <> -5 -0130',
]

const commitOf = (lines: readonly string[]) => parseCommit('c1', Buffer.from(lines.join('\n')))

test('a commit has its tree, parents, people and message', () => {
  expect(commitOf([...text, '', 'subject', '', 'body\n'])).toEqual({
    name: 'c1',
    tree: '1111',
    parents: ['2222', '3333'],
    author: { name: 'Ann B', email: 'ann@example.com', time: 1_700_000_000, zone: '+0200' },
    committer: { name: '', email: '', time: -5, zone: '-0130' },
    message: 'subject\n\nbody\n',
  })
})

test('a commit without people or message has defaults', () => {
  const unknown = { name: '', email: '', time: 0, zone: '+0000' }
  const empty = { tree: '1111', parents: [], author: unknown, committer: unknown, message: '' }
  expect(commitOf(['tree 1111'])).toMatchObject(empty)
  expect(commitOf(['tree 1111', '', ''])).toMatchObject(empty)
  expect(commitOf(['tree 1111', 'author broken'])).toMatchObject(empty)
  expect(commitOf(['tree 1111', 'author A <a> x'])).toMatchObject({
    author: { name: 'A', email: 'a', time: 0, zone: '+0000' },
  })
})

test('a commit without a tree is damaged', () => {
  expect(() => commitOf(['parent 2222'])).toThrow('the commit c1 is damaged')
})

test.each([
  ['ISO-8859-1', [0xe4], '\u00e4'],
  ['utf-8', [0xc3, 0xa4], '\u00e4'],
  ['unknown', [0xe4], '\u00e4'],
])('the message of a commit in %s is decoded', (encoding, bytes, message) => {
  const head = Buffer.from(`tree 1111\nencoding ${encoding}\n\n`)
  expect(parseCommit('c1', Buffer.concat([head, Buffer.from(bytes)])).message).toBe(message)
})

test.each([
  ['subject\n\nbody', 'subject'],
  ['one\n  two \nthree\n\nbody', 'one two three'],
  ['\n \n subject\n', 'subject'],
  ['subject\n \t\nbody', 'subject'],
  ['', ''],
])('the subject of the message %j is %j', (message, subject) => {
  expect(subjectOf({ ...commitOf(['tree 1']), message })).toBe(subject)
})

test('a tag names its object in its first line', () => {
  expect(tagTarget('t1', Buffer.from('object 12ab\ntype commit\n'))).toBe('12ab')
  for (const broken of ['object \n', 'type commit\nobject 12\n', 'object 12']) {
    expect(() => tagTarget('t1', Buffer.from(broken))).toThrow('the tag t1 is damaged')
  }
})
