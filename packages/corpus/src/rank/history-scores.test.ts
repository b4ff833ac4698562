import { expect, test } from 'vitest'
import { ExampleList } from './commits.ts'
import type { Example } from './commits.ts'
import { historyScores, placeExamples } from './history-scores.ts'
import type { HistoryScores } from './history-scores.ts'
import { questionOf } from './question.ts'
import { hashOf } from './tokens.ts'
import { vectorOf } from './vector.ts'

type Row = [title: string, body: string, ...files: string[]]

function examplesOf(rows: readonly Row[]): ExampleList {
  return new ExampleList(
    rows.map(([title, body, ...files]): Example => ({
      title: vectorOf([title]),
      body: vectorOf([body]),
      files,
    })),
  )
}

function scoresOf(text: string, rows: readonly Row[], paths: string[]): HistoryScores {
  const placed = placeExamples(
    examplesOf(rows),
    paths.map((path) => ({ path })),
  )
  return historyScores(questionOf(text), placed, paths.length)
}

const rounded = (values: Iterable<number>): number[] =>
  [...values].map((value) => Math.round(value * 10_000) / 10_000)

test('the postings of a term tell how often titles and bodies of examples have it', () => {
  const list = examplesOf([
    ['lock lock', 'lock', 'a'],
    ['other', '', 'a'],
    ['other', 'lock lock lock', 'b'],
  ])
  expect(list.having(hashOf('lock'))).toEqual([
    { example: 0, title: 2, body: 1 },
    { example: 2, title: 0, body: 3 },
  ])
  expect(list.having(hashOf('other')).map(({ example }) => example)).toEqual([1, 2])
  expect(list.having(hashOf('absent'))).toEqual([])
})

test('examples are placed at the positions of their files among the documents', () => {
  const list = examplesOf([
    ['one', '', 'b', 'gone', 'a'],
    ['two', '', 'gone'],
  ])
  expect(placeExamples(list, [{ path: 'a' }, { path: 'b' }]).files).toEqual([[1, 0], []])
})

test('activity and recency halve with the age of a change', () => {
  const rows: Row[] = Array.from({ length: 151 }, (_, at) => [
    'some change',
    '',
    at === 0 ? 'a' : at === 20 ? 'b' : at === 100 ? 'c' : 'none',
  ])
  const { activity, recency } = scoresOf('any', rows, ['a', 'b', 'c', 'd'])
  expect(rounded(recency)).toEqual([1, 0.5, 0.1667, 0])
  expect(rounded(activity)).toEqual([1, 0.9548, 0.7937, 0])
})

test('a commit of many files says less about each, and the newest change decides the recency', () => {
  const rows: Row[] = [
    ['one', '', 'a', 'b', 'x', 'y'],
    ['two', '', 'b'],
    ['three', '', 'b', 'c'],
  ]
  const { activity, recency } = scoresOf('any', rows, ['a', 'b', 'c'])
  expect(rounded(recency)).toEqual([1, 1, 0.9091])
  expect(rounded(activity)).toEqual([0.4772, 1, 0.5648])
})

test('commits with a similar title vote for their files', () => {
  const rows: Row[] = [
    ['break stale lock', '', 'a'],
    ['stale page', 'lock lock lock', 'b'],
    ['lock of the owner of a very long title', '', 'a', 'c'],
    ['other', 'stale lock', 'd'],
  ]
  const { similar, voters, messages } = scoresOf('stale lock\n\nowner', rows, [
    'a',
    'b',
    'c',
    'd',
    'e',
  ])
  expect([...voters]).toEqual([2, 1, 1, 0, 0])
  expect(rounded(similar)).toEqual([1, 0.2726, 0.1104, 0, 0])
  expect(rounded(messages)).toEqual([1, 0.9195, 0.4848, 0.5012, 0])
})

test('only the 40 most similar commits vote', () => {
  const rows: Row[] = Array.from({ length: 45 }, (_, at) => [
    `lock ${'word '.repeat(at)}`,
    '',
    at < 39 ? 'a' : at < 40 ? 'b' : 'c',
  ])
  const { voters } = scoresOf('lock', rows, ['a', 'b', 'c'])
  expect([...voters]).toEqual([39, 1, 0])
})

test('old messages count less than new ones, and bodies less than titles', () => {
  const rows: Row[] = Array.from({ length: 301 }, (_, at) => {
    if (at === 0) return ['lock', '', 'a']
    if (at === 1) return ['none', 'lock', 'b']
    return at === 300 ? ['lock', '', 'c'] : ['none', '', 'd']
  })
  expect(rounded(scoresOf('lock', rows, ['a', 'b', 'c', 'd']).messages)).toEqual([
    1, 0.5286, 0.843, 0,
  ])
})

test('without examples, all scores are 0', () => {
  const { similar, voters, messages, activity, recency } = scoresOf('lock', [], ['a', 'b'])
  for (const scores of [similar, voters, messages, activity, recency]) {
    expect([...scores]).toEqual([0, 0])
  }
})
