import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeWord } from './whole-words.ts'

test('a name is a whole word where no letter, digit or underscore of any script is beside it', () => {
  const name = fc.constantFrom('ab', 'a', '$a', 'a$', '_')
  const text = fc
    .array(fc.constantFrom('ab', 'a', 'b', '_', '$', ' ', '.', 'é', '😀', '中', '٣', '…'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(name, text, fc.boolean(), (wanted, line, isOffsetKnown) => {
      const bytes = Buffer.from(`x ${line}\n${wanted}`)
      const escaped = wanted.replaceAll('$', String.raw`\$`)
      const isWordStart = /^\w/.test(wanted) ? String.raw`(?<![\p{L}\p{N}_])` : ''
      const isWordEnd = /\w$/.test(wanted) ? String.raw`(?![\p{L}\p{N}_])` : ''
      const expected = new RegExp(isWordStart + escaped + isWordEnd, 'u').test(line)
      const end = bytes.lastIndexOf('\n')
      const first = bytes.subarray(0, end).indexOf(wanted, 2)
      const found = { line: 1, start: 2, end }
      const isMatch = wholeWord(wanted)(
        bytes,
        isOffsetKnown && first !== -1 ? { ...found, matchOffset: first } : found,
      )
      expect(isMatch).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
