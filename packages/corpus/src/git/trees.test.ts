import { expect, test } from 'vitest'
import { parseTree } from './trees.ts'

const object = Buffer.alloc(20, 0xab)

/** An entry of a tree as git stores it. */
function entry(mode: string, name: string | Buffer, id = object): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), id])
}

const parse = (...entries: Buffer[]): object[] => parseTree('t1', Buffer.concat(entries), 20)

test.each([
  ['100644', 'file', false],
  ['100755', 'file', true],
  ['100664', 'file', false],
  ['40000', 'folder', false],
  ['120000', 'link', false],
  ['160000', 'submodule', false],
])('an entry of the mode %s is a %s', (mode, kind, isExecutable) => {
  expect(parse(entry(mode, 'a b'))).toEqual([
    { name: 'a b', kind, isExecutable, object: 'ab'.repeat(20) },
  ])
})

test('the entries of a tree follow one another, also with names of 32 bytes', () => {
  const long = Buffer.alloc(32, 0xcd)
  const bytes = Buffer.concat([entry('100644', 'a', long), entry('40000', '\u00e4', long)])
  expect(parseTree('t1', bytes, 32)).toMatchObject([
    { name: 'a', object: 'cd'.repeat(32) },
    { name: '\u00e4', object: 'cd'.repeat(32) },
  ])
  expect(parse()).toEqual([])
})

test.each(['', '.', '..', 'a/b', '/'])('an entry with the name %j is left out', (name) => {
  expect(parse(entry('100644', name), entry('100644', 'b'))).toMatchObject([{ name: 'b' }])
})

test.each([
  ['no space', Buffer.from(`100644\0${'x'.repeat(40)}`)],
  ['no space and no zero byte', Buffer.from('x'.repeat(60))],
  ['no zero byte', Buffer.from(`100644 ${'x'.repeat(60)}`)],
  ['a short object name', entry('100644', 'a', object.subarray(1))],
  [
    'a second entry that ends early',
    Buffer.concat([entry('100644', 'a'), Buffer.from('100644 b')]),
  ],
])('a tree with %s is damaged', (_, bytes) => {
  expect(() => parseTree('t1', bytes, 20)).toThrow('the tree t1 is damaged')
})
