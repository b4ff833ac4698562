import { expect, test } from 'vitest'
import { ExampleList } from './commits.ts'
import type { FileDocument } from './document-group.ts'
import { bestPositions, partnersOf } from './partners.ts'
import { testedNameOf } from './documents.ts'

const scores = (...values: number[]): Float64Array => Float64Array.from(values)

test.each([
  [[], 3, []],
  [[0, 0], 3, []],
  [[1, 3, 2], 3, [1, 2, 0]],
  [[1, 3, 2], 2, [1, 2]],
  [[1, 3, 2], 1, [1]],
  [[2, 2, 2, 2], 3, [0, 1, 2]],
  [[1, 2, 2, 3, 0, 2], 4, [3, 1, 2, 5]],
  [[-1, 0.5], 3, [1]],
])('the best positions of %j, at most %d, are %j', (values, max, best) => {
  expect(bestPositions(scores(...values), max)).toEqual(best)
})

function documentsOf(...paths: string[]): FileDocument[] {
  return paths.map((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return { path, testedName: testedNameOf(name) } as FileDocument
  })
}

const weights = { together: 0.5, named: 0.1 }

function gains(paths: string[], commits: number[][], values: number[]): Record<string, string> {
  const placed = { list: new ExampleList([]), files: commits }
  const found = partnersOf(documentsOf(...paths), placed, scores(...values), weights)
  return Object.fromEntries(
    [...found].map(([at, { path, kind, gain }]) => [
      paths[at] as string,
      `${kind} ${path}: ${gain.toFixed(4)}`,
    ]),
  )
}

test('files that changed twice with the best file gain a share of its score', () => {
  const commits = [[0, 1, 2], [0, 1], [2, 1], [0]]
  expect(gains(['one.ts', 'two.ts', 'six.ts'], commits, [1, 0, 0])).toEqual({
    'two.ts': 'changes with one.ts: 0.2000',
  })
})

test('weaker files pull their partners less, and the largest gain counts', () => {
  const commits = [
    [0, 2],
    [0, 2],
    [1, 2],
    [1, 2],
    [1, 2],
    [1, 3],
    [1, 3],
  ]
  expect(gains(['one.ts', 'two.ts', 'six.ts', 'ten.ts'], commits, [4, 1, 0, 0])).toEqual({
    'six.ts': 'changes with one.ts: 1.0000',
    'ten.ts': 'changes with two.ts: 0.0714',
  })
})

test('only the five best files pull partners', () => {
  const commits = [
    [5, 6],
    [5, 6],
    [4, 7],
    [4, 7],
  ]
  const paths = ['f0.ts', 'f1.ts', 'f2.ts', 'f3.ts', 'f4.ts', 'f5.ts', 'f6.ts', 'f7.ts']
  expect(gains(paths, commits, [9, 8, 7, 6, 4, 3, 0, 0])).toEqual({
    'f7.ts': 'changes with f4.ts: 0.6667',
  })
})

test('a test gains from the file that it is named like, if the name has three letters', () => {
  const paths = ['src/lock.ts', 'test/lock.test.ts', 'src/ab.ts', 'test/ab.test.ts', 'lib/abc.ts']
  expect(gains(paths, [], [4, 0, 4, 0, 0])).toEqual({
    'test/lock.test.ts': 'named like src/lock.ts: 0.4000',
  })
  expect(gains(['src/abc.ts', 'test/abc_test.ts'], [], [1, 0])).toEqual({
    'test/abc_test.ts': 'named like src/abc.ts: 0.1000',
  })
})
