import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachOneEdit, maxWordBytes } from './words.ts'

function edits(word: string, alphabet: string): Set<string> {
  const letters = [...alphabet].map((letter) => Buffer.from(letter))
  const found = new Set<string>()
  eachOneEdit(word, letters, (bytes, start, end) =>
    found.add(Buffer.from(bytes.slice(start, end)).toString()),
  )
  return found
}

/** The definition: every place, every letter. */
function expectedEdits(word: string, alphabet: string): Set<string> {
  const letters = [...word]
  const found = new Set<string>()
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join('')
    const [one = '', two = ''] = letters.slice(at)
    const after = letters.slice(at + 1).join('')
    for (const letter of alphabet) {
      found.add(before + letter + one + after)
      if (one !== '') found.add(before + letter + after)
    }
    if (one !== '') found.add(before + after)
    if (two !== '') found.add(before + two + one + letters.slice(at + 2).join(''))
  }
  return found
}

describe('the words one edit away', () => {
  it('of a short word are all additions, deletions, changes and swaps', () => {
    expect(edits('ab', 'x')).toEqual(new Set(['b', 'a', 'ba', 'xab', 'axb', 'abx', 'xb', 'ax']))
  })

  it('are the same as by the definition for letters of one to four bytes', () => {
    const alphabet = 'abé茶🙂'
    const word = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(word, (letters) => {
        const text = letters.join('')
        const found = edits(text, alphabet)
        // The word itself and the empty word are no use to the caller.
        expect(found.has('')).toBe(false)
        found.delete(text)
        const expected = expectedEdits(text, alphabet)
        expected.delete(text)
        expected.delete('')
        expect(found).toEqual(expected)
      }),
    )
  })

  it('have at most 64 bytes, because the index cuts longer words', () => {
    const lengths = (word: string) =>
      new Set([...edits(word, 'é')].map((text) => Buffer.byteLength(text)))
    expect(lengths('a'.repeat(maxWordBytes - 2))).toEqual(new Set([61, 63, 64]))
    expect(lengths('a'.repeat(maxWordBytes))).toEqual(new Set([63]))
  })
})
