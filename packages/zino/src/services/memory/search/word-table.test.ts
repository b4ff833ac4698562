import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordTable } from './word-table.ts'
import { emitWord } from './words/words.ts'

describe('the word table', () => {
  it('assigns one number per form, even with hash collisions', () => {
    const formOf = (word: string) => word.replace(/s+$/, '') || word
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zé0-9]{1,8}s?$/), { maxLength: 3000 }),
        (words) => {
          const table = new WordTable(formOf)
          const numbers = new Map<string, number>()
          for (const text of words) {
            emitWord(text, (...word) => {
              const number = table.intern(...word)
              expect(number).toBeLessThan(table.count)
              expect(numbers.get(formOf(text)) ?? number).toBe(number)
              numbers.set(formOf(text), number)
            })
          }
          expect(new Set(numbers.values()).size).toBe(numbers.size)
          for (const [form, number] of numbers) expect(table.find(form)).toBe(number)
          expect(table.find('never met')).toBe(-1)
        },
      ),
      { numRuns: 20 },
    )
  })
})
