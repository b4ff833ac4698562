import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OnWord } from './words.ts'
import { eachWord, emitWord, maxWordBytes, splitWords } from './words.ts'

function scanned(text: string): string[] {
  const words: string[] = []
  eachWord(text, (bytes, start, end) => words.push(Buffer.from(bytes.slice(start, end)).toString()))
  return words
}

/** Words with their hashes, as the index looks them up. */
function hashed(scan: (onWord: OnWord) => void): string[] {
  const words: string[] = []
  scan((bytes, start, end, hash) =>
    words.push(`${Buffer.from(bytes.slice(start, end)).toString()} ${hash}`),
  )
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

  it('have one hash each, in ASCII text, in other text and alone', () => {
    const long = 'Ab1'.repeat(30)
    const text = `harbour ${long} tea`
    const inText = hashed((onWord) => eachWord(text, onWord))
    expect(hashed((onWord) => eachWord(`${text} é`, onWord)).slice(0, 3)).toEqual(inText)
    const alone = ['harbour', long.toLowerCase(), 'tea'].flatMap((word) =>
      hashed((onWord) => emitWord(word, onWord)),
    )
    expect(alone).toEqual(inText)
    expect(
      new Set(
        ['abc', 'acb', 'bac', 'abd', 'bbc'].flatMap((word) =>
          hashed((onWord) => emitWord(word, onWord)).map((each) => each.split(' ')[1]),
        ),
      ).size,
    ).toBe(5)
  })

  it('of an earlier, longer text do not reappear', () => {
    scanned('earlier words of a long text')
    expect(scanned('tea ')).toEqual(['tea'])
    expect(scanned('tea')).toEqual(['tea'])
  })

  it('are split from a text whose length is that of the scratch buffer', () => {
    const text = `été ${'ab '.repeat(21_844)}`
    expect(text.length).toBe(64 * 1024)
    expect(scanned(text)[0]).toBe('été')
    expect(scanned(text)).toHaveLength(21_845)
  })

  it.each([
    ['茶', ['茶']],
    ['東京', ['東京']],
    ['東京都', ['東京', '京都']],
    ['東京都庁', ['東京', '京都', '都庁']],
    ['abc東京都7', ['abc', '東京', '京都', '7']],
  ])('of a script without spaces are pairs of characters: %s', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })
})
