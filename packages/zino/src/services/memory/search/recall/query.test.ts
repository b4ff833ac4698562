import { describe, expect, it } from 'vitest'
import { MemoryIndex } from '../memory-index.ts'
import { idf, lengthFactor, maxTerms, recallQuery } from './query.ts'

const indexOf = (...texts: string[]) => {
  const index = new MemoryIndex({ stems: true })
  for (const text of texts) index.add([text], '')
  return index
}
const queryOf = (index: MemoryIndex, text: string) => recallQuery(index, index.parse(text))
const termsOf = (index: MemoryIndex, text: string) =>
  queryOf(index, text)?.terms.map((term) => term.text)

/** ln(1 + (memories - frequency + 0.5) / (frequency + 0.5)), for a store that counts as one of 100. */
const rare = Math.log(1 + 99.5 / 1.5)

describe('a query of the ranking "recall"', () => {
  it('has the distinct known words, without stop words unless it has nothing else', () => {
    const index = indexOf('the red boat', 'a blue boat of the harbour')
    expect(termsOf(index, 'the red red boat zebra')).toEqual(['red', 'boat'])
    expect(termsOf(index, 'of the')).toEqual(['of', 'the'])
    expect(queryOf(index, 'zebra')).toBeUndefined()
    expect(queryOf(index, '')).toBeUndefined()
    index.forget(0)
    expect(queryOf(index, 'red')).toBeUndefined()
    expect(termsOf(index, 'red boat')).toEqual(['boat'])
  })

  it('weighs a word by its rarity, and a similar word less', () => {
    const index = indexOf('red boat', 'harbour boat')
    const query = queryOf(index, 'red boat harbor')
    expect(query?.terms.map(({ weight }) => weight)).toEqual([
      expect.closeTo(rare, 12),
      expect.closeTo(Math.log(1 + 98.5 / 2.5), 12),
      expect.closeTo(0.8 * rare, 12),
    ])
    expect(idf(index, -1)).toBeCloseTo(Math.log(1 + 100.5 / 0.5), 12)
  })

  it('a store of more than 100 memories counts as large as it is', () => {
    const texts = Array.from({ length: 101 }, (_, at) => (at === 0 ? 'zebra' : 'tea'))
    const [zebra] = queryOf(indexOf(...texts), 'zebra')?.terms ?? []
    expect(zebra?.weight).toBeCloseTo(Math.log(1 + 100.5 / 1.5), 12)
  })

  it('pairs are neighbouring terms with half of both weights', () => {
    const index = indexOf('red boat tea')
    const half = 0.5 * (rare + rare)
    expect(queryOf(index, 'red boat tea')?.pairs).toEqual([
      ...[0, expect.closeTo(half, 12), expect.closeTo(half, 12)],
    ])
    // An unknown word and a repeated one stand between the terms.
    expect(queryOf(index, 'red zebra boat red tea')?.pairs).toEqual([0, 0, 0])
  })

  it('sums the weights of all its words, unknown ones included', () => {
    const index = indexOf('red boat')
    const unknown = Math.log(1 + 100.5 / 0.5)
    const query = queryOf(index, 'red zebra zebra')
    expect(query?.fullWeight).toBeCloseTo(rare + unknown, 12)
    expect(query?.words).toHaveLength(2)
    expect(query?.fullScore).toBeCloseTo((rare + unknown) * 1.5 * 1.6 * (1 + (0.2 * 2) / 40), 12)
  })

  it('knows names that memories start with, and what the question asks for', () => {
    const index = indexOf('Anna: in May 2023', 'Ben likes 3 boats')
    const asks = (text: string) => {
      const query = queryOf(index, text)
      return [query?.wantsTime, query?.wantsNumber, [...(query?.leadWords ?? [])].length]
    }
    expect(asks('what did Anna do with Ben')).toEqual([false, false, 1])
    expect(asks('when did Ben like')).toEqual([true, false, 0])
    expect(asks('how many boats')).toEqual([false, true, 0])
    expect(asks('so when did Anna')).toEqual([true, false, 1])
    expect(asks('in what year boats')).toEqual([true, false, 0])
    expect(asks('tell Ben and when boats')).toEqual([false, false, 0])
    expect(asks('Ben likes how many boats')).toEqual([false, false, 0])
  })

  it.each([
    ['boats', 1 + 0.5],
    ['boats zebra', 1 + 0.5 * (rare / (rare + Math.log(1 + 100.5 / 0.5)))],
    ['Anna boats', 1.35 * (1 + 0.5)],
    ['when boats', 1.3 * (1 + 0.5)],
    ['how many boats', 1.2 * (1 + 0.5)],
  ])('knows the largest factor of a memory for %j', (text, factor) => {
    const index = indexOf('Anna: boats')
    expect(queryOf(index, text)?.maxFactor).toBeCloseTo(factor * 1.6 * 1.2, 12)
  })

  it('has at most 30 terms, the rarest', () => {
    const words = Array.from({ length: maxTerms + 1 }, (_, at) => `w${at}x`)
    const index = indexOf(words.join(' '), 'w4x')
    const terms = termsOf(index, words.join(' '))
    expect(maxTerms).toBe(30)
    expect(terms).toEqual(words.filter((word) => word !== 'w4x'))
  })

  it('drops words in more than a tenth of more than 5,000 memories, beside rarer ones', () => {
    const store = (memories: number, common: number) => {
      const index = new MemoryIndex({ stems: true })
      for (let at = 0; at < memories; at += 1) {
        index.add([at === 0 ? 'zebra common' : at < common ? 'common' : 'tea'], '')
      }
      return termsOf(index, 'zebra common')
    }
    expect(store(5001, 500)).toEqual(['zebra', 'common'])
    expect(store(5001, 501)).toEqual(['zebra'])
    expect(store(5000, 501)).toEqual(['zebra', 'common'])
  })
})

it('a memory of 40 words or more has the full factor of its length', () => {
  expect([0, 1, 20, 39, 40, 41].map((words) => lengthFactor(words))).toEqual([
    ...[1, 1.005, 1.1, expect.closeTo(1.195, 12), 1.2, 1.2],
  ])
})
