import { expect, it } from 'vitest'
import { elementText, listEnd, listTail, listText, parseList } from './list-text.ts'

it('the end of a list names the offset of each element in its bytes', () => {
  const texts = ['{"é":1}', '{}', '{"b":2}']
  const first = listEnd(texts, true)
  expect(first.bytes.toString()).toBe('[\n  {"é":1},\n  {},\n  {"b":2}\n]')
  expect(first.starts).toEqual([4, 16, 22])
  const later = listEnd(texts, false)
  expect(later.bytes.toString()).toBe(',\n  {"é":1},\n  {},\n  {"b":2}\n]')
  expect(later.starts).toEqual([4, 16, 22])
  for (const { bytes, starts } of [first, later]) {
    expect(starts.map((start) => bytes.subarray(start, start + 2).toString())).toEqual([
      ...['{"', '{}', '{"'],
    ])
  }
})

it('the text of an element has the indentation that it has in a list', () => {
  const element = { role: 'user', parts: [{ a: 1 }] }
  expect(`[\n  ${elementText(element)}\n]`).toBe(listText([element]))
})

it('only UTF-8 text of a list of objects is a list', () => {
  expect(parseList(Buffer.from('[{"a":1},{}]'))).toEqual([{ a: 1 }, {}])
  expect(parseList(Buffer.from('[]'))).toEqual([])
  for (const text of ['', '{}', '[1]', '[{},null]', '[[]]', '[{}', 'null']) {
    expect(parseList(Buffer.from(text)), text).toBeUndefined()
  }
  expect(
    parseList(Buffer.concat([Buffer.from('[{"a":"'), Buffer.from([0xff]), Buffer.from('"}]')])),
  ).toBe(undefined)
})

it.each([
  ['[\n  {}\n]', { kind: 'open', offset: 6 }],
  ['[\n  {}\n]  \n', { kind: 'open', offset: 6 }],
  ['[]', { kind: 'other' }],
  ['[\n]', { kind: 'other' }],
  ['[ \n]', { kind: 'other' }],
  ['[{}]', { kind: 'other' }],
  ['[\n  {} ]', { kind: 'other' }],
  ['\n]', { kind: 'other' }],
  ['', { kind: 'other' }],
])('elements are appended over the closing bracket of %j', (text, expected) => {
  expect(listTail(Buffer.from(text), text.length)).toEqual(expected)
})

it('the offset of the closing bracket counts from the start of the file', () => {
  expect(listTail(Buffer.from('}\n]\n'), 104)).toEqual({ kind: 'open', offset: 101 })
})
