import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordTable } from './word-table.ts'
import { asWord } from './words.ts'

describe('the word table', () => {
  it('gives each word one number, whatever their hashes', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zé0-9]{1,8}$/), { maxLength: 3000 }), (words) => {
        const table = new WordTable()
        const numbers = new Map<string, number>()
        for (const text of words) {
          asWord(text, (...word) => {
            const known = numbers.get(text)
            expect(table.find(...word)).toBe(known ?? -1)
            numbers.set(text, table.findOrAdd(...word))
            expect(numbers.get(text)).toBe(known ?? numbers.size - 1)
          })
        }
        for (const [text, number] of numbers) expect(table.textOf(number)).toBe(text)
      }),
      { numRuns: 20 },
    )
  })
})
