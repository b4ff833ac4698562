import { describe, expect, test } from 'vitest'
import { markTable, nextMark } from './marks.ts'

describe('nextMark', () => {
  const marks = markTable(';')

  test.each(Array.from({ length: 14 }, (_, length) => length))(
    'finds the mark at each offset of %i bytes, from each offset before it',
    (length) => {
      for (let at = 0; at < length; at++) {
        const bytes = Buffer.alloc(length, 'a')
        bytes[at] = 0x3b
        for (let from = 0; from < length; from++) {
          expect(nextMark(bytes, marks, from)).toBe(from <= at ? at : length)
        }
      }
      expect(nextMark(Buffer.alloc(length, 'a'), marks, 0)).toBe(length)
    },
  )
})

describe('markTable', () => {
  test('marks the given characters only', () => {
    const table = markTable('a\xff')
    expect(table.length).toBe(256)
    expect([...table.keys()].filter((code) => table[code] !== 0)).toEqual([0x61, 0xff])
    expect(table[0x61]).toBe(1)
  })

  test('marks all bytes beyond ASCII on request', () => {
    const table = markTable('a', 1)
    expect([table[0x61], table[0x7f], table[0x80], table[0xff]]).toEqual([1, 0, 1, 1])
  })
})
