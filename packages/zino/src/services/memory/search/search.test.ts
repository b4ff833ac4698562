import { describe, expect, it } from 'vitest'
import { MemoryIndex } from './memory-index.ts'
import { RecallRanking } from './recall/recall.ts'
import { searchDistinct } from './search.ts'

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
