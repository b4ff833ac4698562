import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachWord, maxWordBytes, splitWords } from './words.ts'

function scanned(text: string): string[] {
  const words: string[] = []
  eachWord(text, (bytes, start, end) => words.push(Buffer.from(bytes.slice(start, end)).toString()))
  return words
}

describe('words', () => {
  it('are split from bytes as the regular expression splits text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem()), (text) => {
        const expected = splitWords(text).filter((word) => Buffer.byteLength(word) <= maxWordBytes)
        expect(scanned(text).filter((word) => expected.includes(word))).toEqual(expected)
      }),
    )
  })

  it('are letters and digits of any script, in NFC and lower case', () => {
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

  it('above 64 bytes are cut', () => {
    expect(scanned(`${'a'.repeat(200)} ${'é'.repeat(50)}`)).toEqual([
      'a'.repeat(64),
      'é'.repeat(32),
    ])
  })

  it('are split from text larger than the scratch buffer', () => {
    expect(scanned('ab '.repeat(100_000)).length).toBe(100_000)
    expect(scanned('äb '.repeat(100_000)).length).toBe(100_000)
  })
})
