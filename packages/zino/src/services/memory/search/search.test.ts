import { describe, expect, it } from 'vitest'
import { MemoryIndex } from './memory-index.ts'
import { RecallRanking } from './recall/recall.ts'
import { createRanking, searchDistinct } from './search.ts'

describe('searchDistinct', () => {
  it('keeps the best of near-duplicates and fills up with other results', () => {
    const index = new MemoryIndex({ stems: true })
    for (let at = 0; at < 9; at += 1) index.add(['The backup of the server runs at three'], '')
    index.add(['the backup disk is full'], '')
    index.add(['a backup!'], '')
    const found = searchDistinct(index, new RecallRanking(index), 'backup', 3)
    expect(found.map(({ id }) => id).sort((one, other) => one - other)).toEqual([8, 9, 10])
  })

  it.each([0, -1, Number.MIN_SAFE_INTEGER])('returns nothing for the limit %d', (wanted) => {
    const index = new MemoryIndex({ stems: true })
    index.add(['a backup'], '')
    expect(searchDistinct(index, new RecallRanking(index), 'backup', wanted)).toEqual([])
  })
})

describe('near-duplicates', () => {
  const distinctOf = (texts: string[], wanted = 10) => {
    const index = new MemoryIndex({ stems: true })
    for (const text of texts) index.add([text], '')
    return searchDistinct(index, new RecallRanking(index), 'alpha', wanted)
      .map(({ id }) => id)
      .sort((one, other) => one - other)
  }

  it('share four fifths of their words', () => {
    // 4 of 5 words, then 3 of 5.
    expect(
      distinctOf(['alpha bravo charlie delta', 'alpha bravo charlie delta echo']),
    ).toHaveLength(1)
    expect(distinctOf(['alpha bravo charlie delta', 'alpha bravo charlie echo'])).toEqual([0, 1])
  })

  it('are compared with every result that was kept', () => {
    expect(
      distinctOf(['alpha bravo', 'alpha charlie', 'alpha bravo', 'alpha charlie']),
    ).toHaveLength(2)
  })

  it('do not keep a result from a search that first finds many of them', () => {
    const copies = Array.from({ length: 70 }, () => 'alpha alpha alpha bravo')
    expect(distinctOf([...copies, 'alpha charlie delta echo foxtrot'], 2)).toHaveLength(2)
    expect(distinctOf([...copies, 'alpha charlie delta echo foxtrot'], 1)).toHaveLength(1)
  })
})

it('a search with the ranking "tfidf" reads the 64 rarest words of a query', () => {
  const words = Array.from({ length: 65 }, (_, at) => `w${at}x`)
  const index = new MemoryIndex({ stems: false })
  const ranking = createRanking('tfidf', index)
  const add = (text: string) => ranking.onAdded?.(index.add([text], ''))
  add(words.join(' '))
  add('w3x')
  const idsFor = (query: string) => ranking.search(query, 5).map(({ id }) => id)
  expect(idsFor(words.join(' '))).toEqual([0])
  expect(idsFor(words.slice(0, 64).join(' '))).toEqual([0, 1])
})
