import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachWord, maxWordBytes, splitWords } from './words.ts'

function scanned(text: string): string[] {
  const words: string[] = []
  eachWord(text, (bytes, start, end) => words.push(Buffer.from(bytes.slice(start, end)).toString()))
  return words
}

describe('words', () => {
  it('are cut from bytes as the pattern cuts them from text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem()), (text) => {
        const expected = splitWords(text).filter((word) => Buffer.byteLength(word) <= maxWordBytes)
        expect(scanned(text).filter((word) => expected.includes(word))).toEqual(expected)
      }),
    )
  })

  it('are letters and digits of any script, composed and in lower case', () => {
    expect(scanned("It's ÉTÉ 2024, straße; cafe\u0301 東京 don_t")).toEqual([
      'it',
      's',
      'été',
      '2024',
      'straße',
      'café',
      '東京',
      'don',
      't',
    ])
  })

  it('beyond 64 bytes count by their beginning', () => {
    expect(scanned(`${'a'.repeat(200)} ${'é'.repeat(50)}`)).toEqual([
      'a'.repeat(64),
      'é'.repeat(32),
    ])
  })

  it('longer than the scratch space are cut all the same', () => {
    expect(scanned('ab '.repeat(100_000)).length).toBe(100_000)
    expect(scanned('äb '.repeat(100_000)).length).toBe(100_000)
  })
})
