import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryIndex } from './memory-index.ts'
import type { Text } from './reference-rankings.fixtures.ts'
import { best, cosines } from './reference-rankings.fixtures.ts'
import { TfidfRanking } from './tfidf-ranking.ts'

class Store {
  readonly texts: Text[] = []
  readonly index = new MemoryIndex({ stems: false })
  readonly ranking = new TfidfRanking(this.index)

  add(content: string, tag = ''): this {
    this.texts.push({ content, tag })
    this.ranking.onAdded(this.index.add([content], tag))
    return this
  }

  forget(id: number): this {
    if (this.texts[id] === undefined) return this
    this.texts[id] = undefined
    this.index.forget(id)
    this.ranking.onForgotten(id)
    return this
  }

  expectSame(query: string, wanted: number): void {
    const scores = cosines(this.texts, query)
    const expected = best(scores, wanted)
    const found = this.ranking.search(query, wanted)
    expect(found.length).toBe(expected.length)
    for (const [at, { id, score }] of found.entries()) {
      expect(score).toBeCloseTo(expected[at]?.[1] ?? 0, 9)
      expect(scores.get(id)).toBeCloseTo(score, 9)
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
    }
  }
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'Été', 'dog', 'dogs', 'x1', 'the', 'zebra')
const sentence = fc.array(word, { maxLength: 25 }).map((words) => words.join(' '))
const change = fc.oneof(
  { weight: 6, arbitrary: sentence.map((text) => ({ kind: 'add' as const, text })) },
  { weight: 1, arbitrary: fc.nat(50).map((id) => ({ kind: 'forget' as const, id })) },
  { weight: 1, arbitrary: sentence.map((query) => ({ kind: 'search' as const, query })) },
)

describe('the ranking "tfidf"', () => {
  it('equals the brute-force ranking while memories are added and forgotten', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 80 }),
        fc.integer({ min: 1, max: 6 }),
        (changes, wanted) => {
          const store = new Store()
          for (const one of changes) {
            if (one.kind === 'add') store.add(one.text)
            else if (one.kind === 'forget') store.forget(one.id)
            else store.expectSame(one.query, wanted)
          }
          store.expectSame('dog the zebra', wanted)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('equals the brute-force ranking when it skips common words', () => {
    const store = new Store()
    for (let at = 0; at < 3000; at += 1) {
      const common = at % 3 === 0 ? 'often' : 'always often'
      store.add(`${common} item${at % 700} thing${(at * 13) % 90}`)
    }
    for (const query of [
      'item5 often always',
      'item5 thing8 often',
      'often',
      'item3 item4 thing1',
    ]) {
      store.expectSame(query, 3)
    }
  }, 120_000)

  it('equals the brute-force ranking while common words become more common', () => {
    const store = new Store()
    for (let at = 0; at < 400; at += 1) {
      store.add(`often always ${'item '.repeat(at % 13)} thing${at % 7} rare${at}`)
      if (at % 5 === 0) store.expectSame(`often item thing${at % 7} rare${at % 90}`, 4)
    }
  }, 60_000)

  it('scores 1 for an equal text and finds a word in one of two memories', () => {
    const store = new Store().add('red boat').add('green house')
    expect(store.ranking.search('red boat', 3)).toEqual([{ id: 0, score: 1, why: ['red', 'boat'] }])
    expect(store.ranking.search('house', 3).map(({ id }) => id)).toEqual([1])
  })

  it('ranks newer memories first among equals and finds nothing for unknown words', () => {
    const store = new Store().add('same').add('same').add('other')
    expect(store.ranking.search('same', 3).map(({ id }) => id)).toEqual([1, 0])
    expect(store.ranking.search('unknown', 3)).toEqual([])
    expect(store.ranking.search('', 3)).toEqual([])
  })
})
