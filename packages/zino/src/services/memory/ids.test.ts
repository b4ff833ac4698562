import { expect, it } from 'vitest'
import { messageId, parseMemoryId } from './ids.ts'

it.each([
  [0, { kind: 'hard', id: 0 }],
  ['12', { kind: 'hard', id: 12 }],
  ['999999999', { kind: 'hard', id: 999_999_999 }],
  ['c:0', { kind: 'message', channel: 'c', position: 0 }],
  ['a:1:22', { kind: 'message', channel: 'a:1', position: 22 }],
  ['a\nb:999999999', { kind: 'message', channel: 'a\nb', position: 999_999_999 }],
  ['1000000000', undefined],
  ['c:1000000000', undefined],
  [1e9, undefined],
  [-1, undefined],
  [1.5, undefined],
  ['', undefined],
  ['c', undefined],
  [':1', undefined],
  ['c:', undefined],
  ['c:x', undefined],
  [' 1', undefined],
  [null, undefined],
  [{}, undefined],
])('the id of a memory in a request is %j', (value, id) => {
  expect(parseMemoryId(value)).toEqual(id)
  if (id !== undefined && 'channel' in id) {
    expect(messageId(String(id.channel), Number(id.position))).toBe(value)
  }
})
