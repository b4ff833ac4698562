import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordSequences } from './word-sequences.ts'

describe('word sequences', () => {
  it('are read back as added, also when longer than a page', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(2 ** 28), { maxLength: 50 })), (lists) => {
        const sequences = new WordSequences()
        for (const [at, words] of lists.entries())
          sequences.add(at, Uint32Array.from(words), words.length)
        for (const [at, words] of lists.entries()) {
          const count = sequences.read(at)
          expect([...sequences.words.subarray(0, count)]).toEqual(words)
        }
      }),
    )
    const sequences = new WordSequences()
    const long = Uint32Array.from({ length: 900_000 }, (_, at) => at)
    sequences.add(0, Uint32Array.of(7), 1)
    sequences.add(1, long, long.length)
    sequences.add(2, Uint32Array.of(8, 9), 2)
    expect(sequences.read(1)).toBe(900_000)
    expect(sequences.words[899_999]).toBe(899_999)
    expect(sequences.equals(2, [8, 9])).toBe(true)
    expect(sequences.areEqual(0, 2)).toBe(false)
  })
})
