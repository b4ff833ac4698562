import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryIndex } from '../memory-index.ts'
import type { Text } from '../reference-rankings.fixtures.ts'
import { best, recallScores } from '../reference-rankings.fixtures.ts'
import { RecallRanking } from './recall.ts'

function indexOf(texts: readonly (string | { content: string; tag: string })[]): MemoryIndex {
  const index = new MemoryIndex({ stems: true })
  for (const text of texts) {
    if (typeof text === 'string') index.add([text], '')
    else index.add([text.content], text.tag)
  }
  return index
}

function idsFor(texts: Parameters<typeof indexOf>[0], query: string, wanted = 10): number[] {
  return new RecallRanking(indexOf(texts)).search(query, wanted).map(({ id }) => id)
}

// A small vocabulary, so that memories share words; it includes stems, stop words and names.
const word = fc.constantFrom(
  ...[
    'dog',
    'dogs',
    'running',
    'run',
    'the',
    'what',
    'is',
    'anna',
    'Rex:',
    'été',
    '7',
    'harbour',
    'ran',
  ],
  ...['blue', 'boat', 'boats', 'of', 'garden', 'who', 'tea', 'zebra'],
)
const sentence = (maxLength: number) =>
  fc.array(word, { maxLength }).map((words) => words.join(' '))
const memory = fc.record({
  content: fc.oneof(
    { weight: 8, arbitrary: sentence(12) },
    { weight: 1, arbitrary: sentence(120) },
    { weight: 2, arbitrary: fc.constant('Anna: the blue boat') },
  ),
  tag: fc.constantFrom('', '', '', 'trip', 'Home dogs'),
})

describe('the ranking "recall"', () => {
  it('equals the brute-force ranking if one long session of many has the word', () => {
    const texts = Array.from({ length: 200 }, (_, at) => ({ content: 'tea', tag: `t${at}` }))
    texts.push({ content: `zebra ${'boat '.repeat(2000)}`, tag: 'long' })
    const scores = recallScores(texts, 'zebra', 32)
    expect(scores.size).toBe(1)
    expectSame(new RecallRanking(indexOf(texts)).rank('zebra', 4), scores, 4)
  })

  it('equals the brute-force ranking if a memory before has more words', () => {
    const texts = ['red dog tuesday', 'red dog'].map((content) => ({ content, tag: '' }))
    const scores = recallScores(texts, 'when was the dog', 32)
    expectSame(new RecallRanking(indexOf(texts)).rank('when was the dog', 4), scores, 4)
  })

  it('finds a word of which only the first 64 bytes end like a verb', () => {
    const long = `l${'bo'.repeat(30)}ingzzz`
    expect(idsFor(['boat', `${long} boat`], long)).toEqual([1])
  })

  it.each(['x', 'é'])('finds a word of 70 times %j by its first 64 bytes', (letter) => {
    const texts = ['boat', `${letter.repeat(70)} boat`]
    for (const count of [70, 64 / Buffer.byteLength(letter)]) {
      expect(idsFor(texts, letter.repeat(count))).toEqual([1])
    }
  })

  it('equals the brute-force ranking', () => {
    fc.assert(
      fc.property(
        fc.array(memory, { minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(59), { maxLength: 6 }),
        sentence(8),
        fc.integer({ min: 1, max: 70 }),
        (memories, forgotten, query, wanted) => {
          const index = indexOf(memories)
          const texts: Text[] = [...memories]
          for (const id of forgotten) {
            // The reference does not know the tag of a forgotten memory, which ends a session.
            if (texts[id]?.tag !== '') continue
            texts[id] = undefined
            index.forget(id)
          }
          const found = new RecallRanking(index).rank(query, wanted)
          const scores = recallScores(texts, query, Math.max(32, wanted * 2))
          if (scores.size === 0 && found.length > 0) return
          expectSame(found, scores, wanted)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('equals the brute-force ranking in stores larger than the rerank depth', () => {
    fc.assert(
      fc.property(
        fc.array(memory, { minLength: 150, maxLength: 400, size: 'max' }),
        sentence(6),
        (memories, query) => {
          const scores = recallScores(memories, query, 32)
          const found = new RecallRanking(indexOf(memories)).rank(query, 10)
          if (scores.size > 0) expectSame(found, scores, 10)
        },
      ),
      { numRuns: 30 },
    )
  })

  it.each([
    ['In which month did Anna paint the boat?', 0],
    ['How long did Anna paint the boat?', 0],
    ['How much of the boat did Anna paint?', 1],
  ])('prefers memories with the time or number that is asked for: %s', (query, best) => {
    const ranking = new RecallRanking(
      indexOf([
        'anna paint boat in august',
        'anna paint boat by three quarters',
        'anna paint boat',
      ]),
    )
    expect(ranking.search(query, 1)).toMatchObject([{ id: best }])
  })

  it('gives the same answers after other queries', () => {
    const ranking = new RecallRanking(
      indexOf(['red boat', 'blue boat', 'a garden', 'boat of Anna']),
    )
    const first = ranking.search('blue boat', 3)
    ranking.search('garden anna zebra', 3)
    expect(ranking.search('blue boat', 3)).toEqual(first)
  })

  it('drops common words in a large store, but only beside rarer ones', () => {
    const names = ['alder', 'birch', 'cedar', 'drift', 'ember', 'flint', 'grove', 'heron']
    // Irregular lengths, so that no two good scores differ only by rounding.
    let state = 1
    const padding = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return 'so '.repeat((state >>> 8) % 75)
    }
    const texts = Array.from({ length: 5600 }, (_, at) => ({
      content: `common${at % 2} ${names[at % 8]} ${names[(at * 7) % 5]} item${at % 900} ${padding()}`,
      tag: at % 50 === 0 ? 'odd' : '',
    }))
    const ranking = new RecallRanking(indexOf(texts))
    for (const query of [
      'common1 item7 alder',
      'item3 item4 birch',
      'common0 common1',
      'grove heron',
    ]) {
      expectSame(ranking.rank(query, 5), recallScores(texts, query, 32), 5)
    }
    expect(ranking.search('common1 item7', 10_000).length).toBeLessThan(20)
    expect(ranking.search('common1', 10_000).length).toBe(2800)
  }, 120_000)

  it('scores neighbours across window boundaries', () => {
    const places = [
      0, 5, 32_760, 32_762, 32_763, 32_767, 32_768, 32_769, 32_774, 65_530, 65_536, 65_999,
    ]
    const texts = Array.from({ length: 66_000 }, (_, at) => ({
      content: `plain item${at % 500}`,
      tag: '',
    }))
    for (const [nth, at] of places.entries()) {
      const keeper = nth % 3 === 0 ? 'lighthouse keeper' : 'keeper'
      texts[at] = { content: `${keeper} number${nth} ${'so '.repeat(nth)}`, tag: '' }
    }
    const ranking = new RecallRanking(indexOf(texts))
    for (const query of ['lighthouse keeper', 'keeper number5', 'lighthouse']) {
      expectSame(ranking.rank(query, 12), recallScores(texts, query, 32), 12)
    }
  }, 120_000)

  it.each([-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6])(
    'skips no memory that a neighbour at the distance %d lifts into the results',
    (distance) => {
      // The lifted memory is better than the others with little text and worse than those with much.
      for (let strength = 0; strength < 24; strength += 1) {
        const filler = `${'alpha '.repeat(1 + (strength >> 2))}${'so '.repeat(8 * (strength & 3))}`
        // Every text has a length of its own: equal scores have no order in the reference.
        const texts = Array.from({ length: 40 }, (_, at) => ({
          content: `${filler} ${'so '.repeat(at)}`,
          tag: `t${at}`,
        }))
        const speakers = ['Anna: ', 'Ben: ']
        for (let at = -6; at <= 6; at += 1) {
          const speaker = speakers[at & 1] ?? ''
          const content = at === 0 ? 'alpha some words' : at === distance ? 'zeta?' : `plain${at}`
          texts.push({ content: speaker + content, tag: 'talk' })
        }
        const scores = recallScores(texts, 'alpha zeta', 32)
        expect(scores.size).toBeGreaterThan(0)
        expectSame(new RecallRanking(indexOf(texts)).rank('alpha zeta', 16), scores, 16)
      }
    },
  )

  it('returns as many memories as are wanted, beyond those that are ranked again', () => {
    const texts = Array.from({ length: 120 }, (_, at) => `kiosk ${'so '.repeat(at % 50)}`)
    for (const wanted of [1, 31, 33, 64, 65, 100]) {
      expect(idsFor(texts, 'kiosk', wanted)).toHaveLength(wanted)
    }
    expect(idsFor(texts, 'kiosk', 121)).toHaveLength(120)
  })

  it('finds each answer once, whatever window its question lies in', () => {
    const windowMemories = 32_768
    const places = [-13, -12, -7, -6, -5, -2, -1, 0, 1, 5, 6, 11, 12]
      .flatMap((offset) => [windowMemories + offset * 3, 2 * windowMemories + offset * 3])
      .sort((one, other) => one - other)
    const texts = Array.from({ length: 66_000 }, (_, at) => ({ content: 'plain', tag: `t${at}` }))
    for (const at of places) {
      texts[at] = { content: 'Where is the lighthouse?', tag: `talk${at}` }
      texts[at + 1] = { content: 'North of here.', tag: `talk${at}` }
    }
    const found = idsFor(texts, 'lighthouse', 200)
    expect(found.toSorted((one, other) => one - other)).toEqual(
      places.flatMap((at) => [at, at + 1]),
    )
  }, 120_000)

  it.each([32_745, 32_768, 32_769, 32_780, 32_781])(
    'finds the last of %d memories once',
    (count) => {
      const texts = Array.from({ length: count }, () => 'plain')
      texts[count - 1] = 'lighthouse'
      expect(idsFor(texts, 'lighthouse')).toEqual([count - 1])
    },
  )

  it('returns only memories that contain a query word', () => {
    expect(
      idsFor(['the walrus password', 'unrelated dinner plan', 'another thing'], 'walrus?'),
    ).toEqual([0])
    expect(idsFor(['red', 'green'], 'zzz')).toEqual([])
    expect(idsFor(['red', 'green'], '  ... ')).toEqual([])
    expect(idsFor([], 'red')).toEqual([])
  })

  it('ranks memories with more and rarer query words first', () => {
    expect(idsFor(['apple', 'apple banana', 'apple banana cherry'], 'apple banana cherry')).toEqual(
      [2, 1, 0],
    )
  })

  it('finds other forms of a word', () => {
    expect(idsFor(['we went swimming', 'tea'], 'did she go to swim?')).toEqual([0])
    expect(idsFor(['the children were running', 'tea'], 'child runs')).toEqual([0])
  })

  it('ignores stop words unless the query has nothing else', () => {
    expect(idsFor(['what is this', 'the blue harbour'], 'what is the harbour')).toEqual([1])
    expect(idsFor(['who are you', 'the blue harbour'], 'who are you?')).toEqual([0])
  })

  it('prefers words that are adjacent as in the query', () => {
    const apart = { content: 'group of people who give support', tag: 'a' }
    const together = { content: 'people of a support group meet', tag: 'b' }
    expect(idsFor([together, apart], 'support group')).toEqual([0, 1])
    expect(idsFor([apart, together], 'support group')).toEqual([1, 0])
  })

  it('adds the scores of neighbours with the same tag only', () => {
    const texts = (tag: string) => [
      { content: 'boat trip', tag: 'x' },
      { content: 'far away', tag: 'y' },
      { content: 'boat in a bottle', tag: 'z' },
      { content: 'the harbour at night', tag },
    ]
    expect(idsFor(texts('z'), 'boat harbour').slice(0, 2)).toEqual([3, 2])
    expect(idsFor(texts('other'), 'boat harbour')[2]).toBe(2)
  })

  it('prefers a memory that starts with a name from the query', () => {
    const texts = [
      { content: 'Ben: I like tea, said Anna', tag: 'a' },
      { content: 'Anna: I like tea, said Ben', tag: 'b' },
    ]
    expect(idsFor(texts, 'what does Anna like?')[0]).toBe(1)
    expect(idsFor(texts, 'what does Ben like?')[0]).toBe(0)
  })

  it('ranks newer memories first among equals', () => {
    expect(idsFor(['same words', 'same words', 'same words'], 'words')).toEqual([2, 1, 0])
  })

  it('reports the matching words, and a score of 1 for a memory with all query words', () => {
    const found = new RecallRanking(indexOf(['red boats', 'green boat house', 'tea'])).search(
      'the red boat',
      5,
    )
    expect(found.map(({ why }) => why)).toEqual([['red', 'boat'], ['boat']])
    expect(found[0]?.score).toBe(1)
    expect(found[1]?.score).toBeGreaterThan(0)
    expect(found[1]?.score).toBeLessThanOrEqual(1)
  })

  it('finds the answer to a question that holds the query word', () => {
    const texts = ['Where is the lighthouse?', 'North of the village.', 'Tea?']
    expect(idsFor(texts, 'lighthouse')).toEqual(expect.arrayContaining([0, 1]))
    expect(idsFor(texts, 'lighthouse')).not.toContain(2)
  })

  it('finds a word with one wrong letter only when no memory holds the word itself', () => {
    const texts = ['the harbour is closed', 'the garden is open']
    for (const typo of ['harbor', 'harbuor', 'harrbour', 'habour', 'hartour']) {
      expect(idsFor(texts, typo)).toEqual([0])
    }
    expect(idsFor([...texts, 'a harbor in Maine'], 'harbor')).toEqual([2])
    expect(idsFor(['tea'], 'teb')).toEqual([])
  })

  it('finds Chinese, Japanese and Korean text by pairs of characters', () => {
    const texts = ['我喜欢喝绿茶', '東京タワーへ行きました', '고양이를 좋아해요', 'plain tea']
    expect(idsFor(texts, '绿茶')).toEqual([0])
    expect(idsFor(texts, 'タワー')).toEqual([1])
    expect(idsFor(texts, '고양이')).toEqual([2])
    expect(idsFor(texts, '红酒')).toEqual([])
  })

  it('scores an unrelated question low, and one that a memory covers high', () => {
    const texts = ['my sister Lena moved to Lisbon', 'the number of our house is 12', 'I like tea']
    const ranking = new RecallRanking(indexOf(texts))
    expect(ranking.search('is 3 a prime number?', 3).every(({ score }) => score < 0.5)).toBe(true)
    expect(ranking.search('where did Lena move to?', 3)[0]?.score).toBeGreaterThan(0.5)
  })

  it('treats names of object members like other words', () => {
    const texts = ['__proto__ constructor', 'toString hasOwnProperty', 'plain']
    expect(idsFor(texts, '__proto__')).toEqual([0])
    expect(idsFor(texts, 'constructor')).toEqual([0])
    expect(idsFor(texts, 'hasOwnProperty')).toEqual([1])
    expect(idsFor(texts, 'valueOf')).toEqual([])
  })

  it('accepts a query of any length', () => {
    const long = Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ')
    expect(idsFor(['w3 w4', 'w5', long], `${long} w3`)).toEqual([2])
  })

  it('gives 1 only to a memory that holds every word of the query, whatever its neighbours hold', () => {
    const ranking = new RecallRanking(
      indexOf(['the wifi password is kumquat', 'wifi of the neighbour', 'a red boat', 'green tea']),
    )
    const scores = ranking.search('wifi password', 10).map(({ id, score }) => [id, score])
    expect(scores[0]).toEqual([0, 1])
    expect(scores[1]?.[0]).toBe(1)
    expect(scores[1]?.[1]).toBeLessThan(0.9)
  })

  it('lets a speaker inherit from what the same speaker said two memories before', () => {
    const texts = ['Anna: the zebra', 'Rex: tea', 'Anna: a boat', 'Rex: a boat', 'Rex: green tea']
    const [first, second, third] = idsFor(texts, 'zebra boat')
    expect([first, second, third]).toEqual([2, 0, 3])
  })
})

function expectSame(
  found: readonly { id: number; score: number }[],
  scores: ReadonlyMap<number, number>,
  wanted: number,
): void {
  const expected = best(new Map(scores), wanted)
  expect(found.length).toBe(expected.length)
  for (const [at, { id, score }] of found.entries()) {
    // Scores that are equal up to rounding may be in another order.
    expect(score).toBeCloseTo(expected[at]?.[1] ?? 0, 8)
    expect(scores.get(id) ?? 0).toBeCloseTo(score, 8)
  }
}
