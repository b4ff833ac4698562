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

  it('finds exactly the words within one edit', () => {
    const word = fc.stringMatching(/^[abé1]{4,7}$/)
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 60 }), word, (words, asked) => {
        const table = new WordTable((text) => text)
        for (const text of words) emitWord(text, (...bytes) => void table.intern(...bytes))
        const numbers = words
          .filter((text) => isOneEdit(asked, text))
          .map((text) => table.find(text))
        expect(new Set(table.similar(asked))).toEqual(new Set(numbers))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a table of words with their forms', () => {
  const filled = (...words: string[]) => {
    const table = new WordTable((word) => word.replace(/s$/, ''))
    for (const text of words) emitWord(text, (...word) => void table.intern(...word))
    return table
  }

  it('counts each word and each form once', () => {
    expect(filled().count).toBe(0)
    expect(filled('boat', 'tree', 'boat').count).toBe(2)
    expect(filled('boats', 'boat', 'houses').count).toBe(4)
  })

  it('finds a form that no text holds as a word of its own', () => {
    const table = filled('houses')
    expect(table.similar('housf')).toEqual([table.find('house')])
    expect(table.find('house')).toBe(1)
  })

  it('tries each letter of its words, the last one included', () => {
    const table = filled('abcdexy', 'zoo')
    expect(table.similar('abcdexq')).toEqual([table.find('abcdexy')])
    expect(table.similar('abcdex')).toEqual([table.find('abcdexy')])
  })
})

/** Whether a letter is added, dropped or changed, or two adjacent letters are swapped. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const places = [...long].map((_, at) => at)
  if (long.length === short.length + 1) {
    return places.some((at) => short === long.slice(0, at) + long.slice(at + 1))
  }
  const different = places.filter((at) => short[at] !== long[at])
  const [first = 0, second = 0] = different
  const isSwapped = short[first] === long[second] && short[second] === long[first]
  if (long.length !== short.length) return false
  return different.length === 1 || (different.length === 2 && second === first + 1 && isSwapped)
}
