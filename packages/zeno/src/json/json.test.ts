import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiJson } from './json.ts'

describe('asciiJson', () => {
  it('writes plain ASCII that parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        for (const each of [value, text, { [text]: value }]) {
          const json = asciiJson(each)
          expect(json).toMatch(/^[\x20-\x7e]*$/)
          expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(each))
        }
      }),
    )
  })

  it('keeps lone surrogates, which represent raw bytes of file names', () => {
    expect(asciiJson('a\udcff')).toBe('"a\\udcff"')
    expect(asciiJson('\u{1f600}\u007f')).toBe('"\\ud83d\\ude00\\u007f"')
  })

  it('writes undefined as null', () => expect(asciiJson(undefined)).toBe('null'))
})
