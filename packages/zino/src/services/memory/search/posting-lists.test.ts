import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PostingLists } from './posting-lists.ts'

describe('posting lists', () => {
  it('hold the added postings in order, with counts saturated at 15', () => {
    const entry = fc.tuple(fc.nat(5), fc.nat(3), fc.integer({ min: 1, max: 20 }))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4000 }), (entries) => {
        const lists = new PostingLists()
        const expected = new Map<number, Map<number, number>>()
        let memory = 0
        for (const [word, step, times] of entries) {
          memory += step
          const own = expected.get(word) ?? new Map<number, number>()
          expected.set(word, own)
          for (let time = 0; time < times; time += 1) lists.add(word, memory)
          own.set(memory, Math.min(15, (own.get(memory) ?? 0) + times))
        }
        for (const [word, own] of expected) {
          const read: [number, number][] = []
          lists.each(word, (page, start, end) => {
            for (const posting of page.subarray(start, end))
              read.push([posting >>> 4, posting & 15])
          })
          expect(read).toEqual([...own])
          expect(lists.maxCountOf(word)).toBe(Math.max(...own.values()))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('of different words do not overlap', () => {
    const lists = new PostingLists()
    for (let word = 0; word < 5000; word += 1) {
      lists.add(word, word)
      lists.add(0, word)
    }
    for (let word = 1; word < 5000; word += 1) {
      lists.each(word, (page, start) => expect((page[start] as number) >>> 4).toBe(word))
    }
    expect(lists.lengthOf(0)).toBe(5000)
    lists.each(0, (page, start) => expect((page[start] as number) >>> 4).toBeLessThan(5000))
    let first = -1
    lists.each(0, (page, start) => {
      if (first === -1) first = (page[start] as number) >>> 4
    })
    expect(first).toBe(0)
  })

  it('of 300,000 memories are complete', () => {
    const lists = new PostingLists()
    for (let memory = 0; memory < 300_000; memory += 1) lists.add(memory % 3, memory)
    let sum = 0
    lists.each(1, (page, start, end) => (sum += page.subarray(start, end).length))
    expect(sum).toBe(100_000)
  })

  it('of a word are read block by block; blocks double from 2 to 1024 postings', () => {
    const lists = new PostingLists()
    for (let memory = 0; memory < 3100; memory += 1) lists.add(3, memory * 2)
    const sizes: number[] = []
    const ids: number[] = []
    const cursor = lists.cursor(3)
    do {
      sizes.push(cursor.end - cursor.at)
      for (let at = cursor.at; at < cursor.end; at += 1) ids.push((cursor.page[at] as number) >>> 4)
    } while (lists.advance(cursor))
    expect(sizes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 30])
    expect(ids).toEqual(Array.from({ length: 3100 }, (_, memory) => memory * 2))
    expect(lists.advance(cursor)).toBe(false)
    const visited: number[] = []
    lists.each(3, (_page, start, end) => visited.push(end - start))
    expect(visited).toEqual(sizes)
  })

  it('of a word without memories are empty', () => {
    const lists = new PostingLists()
    lists.add(2, 9)
    for (const word of [0, 1, 3, 1000]) {
      expect([lists.lengthOf(word), lists.maxCountOf(word)]).toEqual([0, 1])
      const cursor = lists.cursor(word)
      expect([cursor.at, cursor.end, cursor.remaining]).toEqual([0, 0, 0])
      expect(lists.advance(cursor)).toBe(false)
      lists.each(word, () => expect.unreachable())
    }
    expect(lists.lengthOf(2)).toBe(1)
  })

  it('take four bytes per posting, in pages of 256 KiB', () => {
    const lists = new PostingLists()
    expect(lists.memoryBytes).toBe(0)
    lists.add(0, 0)
    const page = 2 ** 16 * 4
    expect(lists.memoryBytes).toBeGreaterThan(page)
    expect(lists.memoryBytes).toBeLessThan(page + 1024)
    for (let memory = 1; memory < 100_000; memory += 1) lists.add(0, memory)
    expect(Math.floor(lists.memoryBytes / page)).toBe(2)
  })
})
