import { describe, expect, it } from 'vitest'
import { MemoryIndex, traits } from './memory-index.ts'

const stemmed = (...texts: string[]) => {
  const index = new MemoryIndex({ stems: true })
  for (const text of texts) index.add([text], '')
  return index
}
const numberOf = (index: MemoryIndex, word: string) => index.parse(word)[0]?.word

describe('the index of memories', () => {
  it('numbers memories from 0 and counts their words, those of the tag included', () => {
    const index = new MemoryIndex({ stems: true })
    expect([index.nextId, index.memoryCount, index.totalWords]).toEqual([0, 0, 0])
    expect(index.add(['red boat', 'tea'], 'trip')).toBe(0)
    expect(index.add([], '')).toBe(1)
    expect(index.add(['boat'], '')).toBe(2)
    expect([index.nextId, index.memoryCount, index.totalWords]).toEqual([3, 2, 5])
    expect([...index.lengths.subarray(0, 3)]).toEqual([4, 0, 1])
    expect(index.documentFrequency(numberOf(index, 'boat') ?? -1)).toBe(2)
    expect(index.documentFrequency(numberOf(index, 'trip') ?? -1)).toBe(1)
  })

  it('gives equal tags equal numbers, unless the memory is in a group', () => {
    const index = new MemoryIndex({ stems: true })
    for (const [tag, group] of [['a'], ['b'], ['a'], ['a', 'b'], ['', 'c']]) {
      index.add(['x'], tag ?? '', group)
    }
    expect([...index.tags.subarray(0, 5)]).toEqual([0, 1, 0, 1, 2])
  })

  it.each([
    ['Anna: hello', 'anna'],
    ['  Anna Maria: hello', 'anna'],
    ["Anna Maria O'Neill: hello", undefined],
    ['Anna Maria Smith: hello', 'anna'],
    ['Anna Maria Smith Jones: hello', undefined],
    ['R2-D2: beep', 'r2'],
    ['Anna hello', undefined],
    ['- Anna: hello', undefined],
    [`${'n'.repeat(99)}: hello`, 'n'.repeat(99)],
    [`${'n'.repeat(100)}: hello`, undefined],
  ])('a memory that starts with a name and a colon has a lead: %j', (text, lead) => {
    const index = stemmed(text)
    const expected = lead === undefined ? 0 : (numberOf(index, lead) ?? -9) + 1
    expect(index.leads[0]).toBe(expected)
    expect([...index.leadWords]).toEqual(lead === undefined ? [] : [expected - 1])
  })

  it.each([
    ['where is it?', traits.question],
    ['where is it? \n', traits.question],
    ['where? there', 0],
    ['room 0', traits.time | traits.number],
    ['room 9b', traits.time | traits.number],
    ['room b9', 0],
    ['on Monday', traits.time],
    ['seven boats', traits.number],
    ['yesterday at 7?', traits.question | traits.time | traits.number],
    ['a boat', 0],
  ])('knows what kind of text %j is', (text, expected) => {
    expect(stemmed(text).traits[0]).toBe(expected)
    expect(new MemoryIndex({ stems: true }).add([text, ''], '')).toBe(0)
  })

  it('judges the question by the last text, and other kinds by each text', () => {
    const index = new MemoryIndex({ stems: true })
    index.add(['really?', 'on Monday'], '')
    index.add(['on Monday', 'really?'], '')
    expect([...index.traits.subarray(0, 2)]).toEqual([
      ...[traits.time, traits.time | traits.question],
    ])
  })

  it('a session has neighbours with one tag, at most 24', () => {
    const index = new MemoryIndex({ stems: true })
    for (let at = 0; at < 26; at += 1) index.add(['red boat'], 'a')
    index.add(['tea'], 'b')
    index.add(['tea'], 'a')
    expect([0, 23, 24, 25, 26, 27].map((id) => index.sessions[id])).toEqual([0, 0, 1, 1, 2, 3])
    expect(index.sessionCount).toBe(4)
    expect([...index.sessionLengths.subarray(0, 4)]).toEqual([72, 6, 2, 2])
  })

  it('a forgotten memory counts nowhere, however often it is forgotten', () => {
    const index = stemmed('red boat', 'blue boat', '')
    index.forget(0)
    index.forget(0)
    index.forget(2)
    index.forget(7)
    expect([index.nextId, index.memoryCount, index.totalWords]).toEqual([3, 1, 2])
    expect(index.sessionLengths[0]).toBe(2)
    expect(index.documentFrequency(numberOf(index, 'boat') ?? -1)).toBe(1)
    expect(numberOf(index, 'red')).not.toBe(-1)
    expect(index.idsWithSameWords(['red boat'], '')).toEqual([])
    expect(index.idsWithSameWords(['blue boat'], '')).toEqual([1])
  })

  it('parses a query into known words, stop words and similar words', () => {
    const index = stemmed('the harbours', 'harbour garden', 'gardens', 'tea')
    expect(index.parse('The harbor TEE zebra')).toEqual([
      { text: 'the', word: expect.any(Number) as number, isStopWord: true, isSimilar: false },
      { text: 'harbor', word: numberOf(index, 'harbour'), isStopWord: false, isSimilar: true },
      { text: 'tee', word: -1, isStopWord: false, isSimilar: false },
      { text: 'zebra', word: -1, isStopWord: false, isSimilar: false },
    ])
  })

  it('a word of five letters has similar words, a word of four has none', () => {
    expect(stemmed('zebra').parse('zebr')).toMatchObject([{ word: -1, isSimilar: false }])
    expect(stemmed('zebr').parse('zebra')).toMatchObject([{ isSimilar: true }])
    expect(stemmed('zebra').parse('zebre')).toMatchObject([{ isSimilar: true }])
    const exact = new MemoryIndex({ stems: false })
    exact.add(['zebra'], '')
    expect(exact.parse('zebre')).toMatchObject([{ word: -1, isSimilar: false }])
  })

  it('looks for similar words of the first 200 different unknown words of a query', () => {
    const index = stemmed('zebra')
    const unknown = Array.from({ length: 199 }, (_, at) => `unknown${at}`)
    const last = (words: string[]) => index.parse([...words, ...unknown, 'zebre'].join(' ')).at(-1)
    expect(last([])).toMatchObject({ isSimilar: true })
    expect(last(unknown)).toMatchObject({ isSimilar: true })
    expect(last(['quokka'])).toMatchObject({ word: -1, isSimilar: false })
  })

  it('chooses the most frequent similar word, and the older of two', () => {
    const index = stemmed('plank', 'blank', 'blank', 'flank', 'flank')
    expect(index.parse('xlank')[0]?.word).toBe(numberOf(index, 'blank'))
    index.forget(1)
    expect(index.parse('xlank')[0]?.word).toBe(numberOf(index, 'flank'))
    for (const id of [0, 2, 3, 4]) index.forget(id)
    expect(index.parse('xlank')[0]?.word).toBe(-1)
  })

  it('reads 100,000 characters of a query', () => {
    const index = stemmed('zebra')
    const pad = ' '.repeat(99_995)
    expect(index.parse(`${pad}zebra`)).toMatchObject([{ text: 'zebra' }])
    expect(index.parse(`${pad} zebra`)).toMatchObject([{ text: 'zebr' }])
  })

  it('finds the memories with the same words in the same order', () => {
    const index = new MemoryIndex({ stems: true })
    index.add(['red boat'], '')
    index.add(['boat red'], '')
    index.add(['Red', 'boats!'], '')
    index.add(['red'], 'boat')
    index.add(['red boat tea'], '')
    expect(index.idsWithSameWords(['red boat'], '')).toEqual([0, 2, 3])
    expect(index.idsWithSameWords(['red'], 'boat')).toEqual([0, 2, 3])
    expect(index.idsWithSameWords(['red zebra'], '')).toEqual([])
    expect(index.idsWithSameWords([''], '')).toEqual([])
  })

  it('takes more memory with more memories', () => {
    const index = new MemoryIndex({ stems: true })
    const before = index.memoryBytes
    expect(before).toBeGreaterThan(0)
    for (let at = 0; at < 5000; at += 1) index.add([`word${at} and text`], '')
    // At least four bytes for each of the columns of numbers and for each posting.
    expect(index.memoryBytes - before).toBeGreaterThan(5000 * (4 * 4 + 3 * 4))
    expect(index.memoryBytes - before).toBeLessThan(20_000_000)
  })
})
