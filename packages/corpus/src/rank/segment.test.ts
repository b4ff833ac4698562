import { expect, test } from 'vitest'
import { bm25Gain, Collection, normalized, rarityOf } from './bm25.ts'
import { DocumentGroup } from './document-group.ts'
import { termsOfFile } from './documents.ts'
import type { FileTerms } from './documents.ts'
import { hashOf } from './tokens.ts'

const texts: [path: string, text: string][] = [
  ['src/red.ts', 'red red blue'],
  ['src/blue.ts', 'blue green'],
  ['lib/green.ts', 'green green green pink'],
  ['lib/empty.ts', ''],
]

function groupOf(isSealed: boolean): DocumentGroup {
  const group = new DocumentGroup()
  texts.forEach(([path, text], at) => {
    group.add(`${at}`, termsOfFile(path, Buffer.from(text), true) as FileTerms)
  })
  if (isSealed) group.seal()
  return group
}

test.each([[false], [true]])('a group finds documents by field (sealed: %s)', (isSealed) => {
  const group = groupOf(isSealed)
  const found = (field: 'content' | 'file' | 'folder', term: string): number[][] => {
    const counts: number[][] = []
    group.each(field, hashOf(term), (number, count) => counts.push([number, count]))
    return counts
  }
  expect(found('content', 'red')).toEqual([[0, 2]])
  expect(found('content', 'blue')).toEqual([
    [0, 1],
    [1, 1],
  ])
  expect(found('content', 'green')).toEqual([
    [1, 1],
    [2, 3],
  ])
  expect(found('content', 'pink')).toEqual([[2, 1]])
  expect(found('content', 'black')).toEqual([])
  expect(found('file', 'green')).toEqual([[2, 1]])
  expect(found('folder', 'lib')).toEqual([
    [2, 1],
    [3, 1],
  ])
  const having = (term: string): boolean[] =>
    [0, 1, 2, 3].map((number) => group.has('content', hashOf(term), number))
  expect(having('blue')).toEqual([true, true, false, false])
  expect(having('green')).toEqual([false, true, true, false])
  expect(having('black')).toEqual([false, false, false, false])
  expect(group.has('content', hashOf('red'), 9)).toBe(false)
})

test('a group knows lengths and names of its documents, and estimates its memory', () => {
  const group = groupOf(false)
  expect(group.documents.map(({ number }) => number)).toEqual([0, 1, 2, 3])
  expect(group.keys).toEqual(['0', '1', '2', '3'])
  expect(group.documents[0]).toMatchObject({
    path: 'src/red.ts',
    bareName: 'red',
    testedName: 'red',
  })
  expect(group.documents.map(({ lengths }) => Object.values(lengths))).toEqual([
    [3, 0, 1, 1],
    [2, 0, 1, 1],
    [4, 0, 1, 1],
    [0, 0, 1, 1],
  ])
  expect(group.bytes).toBe(2174)
  expect(group.seal()).toBe(-38)
  expect(group.bytes).toBe(2136)
})

test('scores of a field are divided by the best one', () => {
  const group = groupOf(true)
  const scores = (terms: string[], weights?: number[]): number[] => {
    const found = new Collection(group.documents).scores('content', terms.map(hashOf), 0.6, weights)
    return [...found].map((score) => Math.round(score * 10_000) / 10_000)
  }
  expect(scores([])).toEqual([0, 0, 0, 0])
  expect(scores(['black'])).toEqual([0, 0, 0, 0])
  expect(scores(['red'])).toEqual([1, 0, 0, 0])
  expect(scores(['blue'])).toEqual([0.8689, 1, 0, 0])
  expect(scores(['green', 'red'])).toEqual([1, 0.4671, 0.6241, 0])
  expect(scores(['green', 'red'], [1, 0.3])).toEqual([0.4807, 0.7484, 1, 0])
})

test('statistics of a collection leave out documents of the group that are not ranked', () => {
  const { documents } = groupOf(true)
  const some = new Collection([documents[2], documents[0]].flatMap((each) => each ?? []))
  expect(some.scores('content', [hashOf('green')], 0.5)).toEqual(Float64Array.of(1, 0))
  expect(some.scores('content', [hashOf('blue')], 0.5)).toEqual(Float64Array.of(0, 1))
  expect(some.rarity(hashOf('blue'))).toBeCloseTo(Math.log(2))
  expect(some.rarity(hashOf('black'))).toBeCloseTo(Math.log(6))
})

test.each([
  [0, 10, 3.091],
  [1, 10, 1.9924],
  [4, 10, 0.8938],
  [10, 10, 0.0465],
])('the rarity of a term in %d of %d documents is %d', (found, total, rarity) => {
  expect(rarityOf(found, total)).toBeCloseTo(rarity, 4)
})

test.each([
  [0, 1, 0.5, 0],
  [1, 1, 0.5, 1],
  [3, 1, 0.5, 1.5714],
  [1, 2, 0.5, 0.7857],
  [1, 2, 0, 1],
  [1, 0, 0.5, 1.375],
])(
  'the gain of %d occurrences at the relative length %d and share %d is %d',
  (count, length, share, gain) => {
    expect(bm25Gain(count, length, share)).toBeCloseTo(gain, 4)
  },
)

test('scores without a positive one stay as they are', () => {
  expect(normalized(Float64Array.of(0, 0))).toEqual(Float64Array.of(0, 0))
  expect(normalized(Float64Array.of(1, 4, 2))).toEqual(Float64Array.of(0.25, 1, 0.5))
})
