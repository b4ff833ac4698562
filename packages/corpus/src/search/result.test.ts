import { expect, test } from 'vitest'
import { SearchResult } from './result.ts'
import type { SearchRequest } from './request.ts'

function requestOf(parts: Partial<SearchRequest>): SearchRequest {
  return {
    ...{ mode: 'hits', maxHits: 10, isText: false, maxChars: undefined, maxTextChars: undefined },
    ...{ resume: undefined, maxBytesOfHits: undefined, choice: undefined },
    form: { maxLineChars: 100, context: 0, hash: false },
    ...parts,
  } as SearchRequest
}

/** A text of these lines, all of which were found. */
function textOf(path: string, lines: readonly string[]) {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  let start = 0
  const found = lines.map((line, at) => {
    const end = start + Buffer.byteLength(line)
    const each = { line: at + 1, start, end }
    start = end + 1
    return each
  })
  return { path, bytes, lines: found }
}

function resultOf(parts: Partial<SearchRequest>, ...files: string[][]): SearchResult {
  const result = new SearchResult(requestOf(parts))
  for (const [at, lines] of files.entries()) result.add(at, textOf(`f${at}`, lines))
  return result
}

const hit = (path: string, line: number, text: string): object => ({ path, line, text })

test('hits may be written as JSON only where each is a plain object on one page', () => {
  const form = { maxLineChars: 100, context: 0, hash: false }
  const canBeWritten = (parts: Partial<SearchRequest>, allows = true): boolean =>
    new SearchResult(requestOf(parts), allows).canBeWritten
  expect(canBeWritten({})).toBe(true)
  expect(canBeWritten({ maxBytesOfHits: 5 })).toBe(true)
  const others: Partial<SearchRequest>[] = [
    ...[{ mode: 'count' as const }, { mode: 'files' as const }, { isText: true }],
    ...[{ form: { ...form, hash: true } }, { form: { ...form, context: 1 } }],
    ...[
      { maxChars: 9 },
      { maxTextChars: 9 },
      { resume: { path: 'a', line: 1, hits: 1, files: 1 } },
    ],
    { choice: { choose: () => [], known: () => undefined, foundNothing: () => undefined } },
  ]
  for (const parts of others) expect(canBeWritten(parts)).toBe(false)
  expect(canBeWritten({}, false)).toBe(false)
  expect(new SearchResult(requestOf({})).canBeWritten).toBe(false)
})

test('a result is full with its last hit', () => {
  const states = [1, 2, 3].map((maxHits) => {
    const result = resultOf({ maxHits }, ['a', 'b'])
    const { count, left, isFull, isTruncated, isComplete, next } = result
    return { count, left, isFull, isTruncated, isComplete, next, hits: result.collect() }
  })
  const [a, b] = [hit('f0', 1, 'a'), hit('f0', 2, 'b')]
  const full = { left: 0, isFull: true, isTruncated: true, isComplete: true, next: undefined }
  expect(states).toEqual([
    { count: 1, ...full, hits: { hits: [a] } },
    { count: 2, ...full, hits: { hits: [a, b] } },
    {
      ...{ count: 2, left: 1, isFull: false, isTruncated: false, isComplete: false },
      ...{ next: undefined, hits: { hits: [a, b] } },
    },
  ])
})

test('counts go on beyond the last hit, except in pages', () => {
  const counted = resultOf({ mode: 'count', maxHits: 1 }, ['a', 'b'], ['c'], [])
  expect([counted.lines, counted.count, counted.isFull, counted.isComplete]).toEqual([
    ...[3, 1, true, false],
  ])
  expect(counted.collect()).toEqual({ hits: [{ path: 'f0', count: 2 }] })
  const paged = resultOf({ mode: 'count', maxHits: 1, maxChars: 99 }, ['a', 'b'])
  expect(paged.isComplete).toBe(true)
  const files = resultOf({ mode: 'files', maxHits: 2 }, ['a', 'b'], [], ['c'])
  expect([files.collect(), files.lines]).toEqual([{ hits: [{ path: 'f0' }, { path: 'f2' }] }, 3])
  expect(files.isComplete).toBe(true)
})

test('the lines of a file that are worth finding depend on the mode', () => {
  const wanted = (parts: Partial<SearchRequest>): number[] => {
    const result = resultOf(parts, ['a'])
    return ['f0', 'f1'].map((path) => result.linesWanted(0, { path: () => path }))
  }
  const resume = { path: 'f1', line: 3, hits: 2, files: 1 }
  expect(wanted({})).toEqual([9, 9])
  expect(wanted({ resume })).toEqual([7, Infinity])
  expect(wanted({ mode: 'files' })).toEqual([1, 1])
  expect(wanted({ mode: 'count' })).toEqual([Infinity, Infinity])
  const choice = { choose: () => [], known: () => undefined, foundNothing: () => undefined }
  expect(wanted({ choice })).toEqual([Infinity, Infinity])
  const overall = (mode: 'hits' | 'count' | 'files'): number =>
    resultOf({ mode }).linesWantedOverall(7)
  expect([overall('hits'), overall('count'), overall('files')]).toEqual([7, Infinity, Infinity])
})

test('a later page starts after the last line of the page before', () => {
  const resume = { path: 'f0', line: 2, hits: 4, files: 7 }
  const result = resultOf({ resume, maxChars: 70 }, ['a', 'b', 'c'], ['d', 'e', 'f'])
  expect(result.collect().hits).toEqual([hit('f0', 3, 'c'), hit('f1', 1, 'd')])
  expect(result.next).toEqual(['f1', 1, 6, 8])
  expect([result.left, result.isTruncated, result.isComplete]).toEqual([4, true, true])
})

test('the first hit of a page is returned even if it is too large, unless the page has no characters', () => {
  const first = resultOf({ maxChars: 1 }, ['a', 'b'])
  expect([first.collect().hits, first.next]).toEqual([[hit('f0', 1, 'a')], ['f0', 1, 1, 0]])
  const none = resultOf({ maxChars: 0 }, ['a', 'b'])
  expect([none.collect().hits, none.next]).toEqual([[], ['f0', 0, 0, 0]])
  const counts = resultOf({ mode: 'count', maxChars: 1 }, ['a', 'b'], ['c'])
  expect([counts.collect().hits, counts.next, counts.lines]).toEqual([
    ...[[{ path: 'f0', count: 2 }], ['f1', 0, 1, 1], 2],
  ])
})

test.each([
  [6, [hit('f0', 1, 'abc'), hit('f0', 2, 'def')], undefined],
  [5, [hit('f0', 1, 'abc'), { ...hit('f0', 2, 'de'), text_truncated: true }], ['f0', 2, 1, 0]],
  [3, [hit('f0', 1, 'abc')], ['f0', 2, 1, 0]],
  [2, [{ ...hit('f0', 1, 'ab'), text_truncated: true }], ['f0', 1, 0, 0]],
  [0, [], ['f0', 1, 0, 0]],
])('%i characters of text are shared by the hits', (maxTextChars, hits, next) => {
  const result = resultOf({ maxTextChars }, ['abc', 'def'])
  expect([result.collect().hits, result.next]).toEqual([hits, next])
})

test('as text, a hit is shown completely or not at all', () => {
  const shown = (maxTextChars: number) => {
    const result = resultOf({ maxTextChars, isText: true }, ['abc', 'def'])
    return [result.collect().hits.length, result.next]
  }
  // The path and its line ends have 4 characters, each line 7.
  expect([shown(10), shown(11), shown(17), shown(18)]).toEqual([
    ...[
      [0, ['f0', 0, 0, 0]],
      [1, ['f0', 1, 1, 0]],
      [1, ['f0', 1, 1, 0]],
      [2, undefined],
    ],
  ])
})

test('files and counts take no characters of text', () => {
  const result = resultOf({ mode: 'files', maxTextChars: 0 }, ['a'], ['b'])
  expect([result.collect().hits.length, result.next]).toEqual([2, undefined])
})

test('hits that are known without a search are added up to the limit', () => {
  const result = new SearchResult(requestOf({ maxHits: 2 }))
  const known = ['a', 'b', 'c'].map((text, at) => ({ path: 'f', line: at + 1, text }))
  result.addKnown(3, known)
  expect([result.collect().hits, result.count]).toEqual([known.slice(0, 2), 2])
  const paged = new SearchResult(requestOf({ maxChars: 40 }))
  paged.addKnown(3, known)
  expect([paged.collect().hits, paged.next]).toEqual([known.slice(0, 1), ['f', 1, 1, 3]])
})

test('hits of a revision are written as JSON, between those that need an object', () => {
  const form = { maxLineChars: 4, context: 0, hash: false, rev: 'r' }
  const result = new SearchResult(requestOf({ form, maxBytesOfHits: 5000 }), true)
  result.add(0, textOf('f', ['a', 'é', 'long line', 'b', 'c']))
  const { hits, written } = result.collect()
  const pieces = written?.pieces.map((each) => (each instanceof Uint8Array ? String(each) : each))
  const json = (line: number, text: string): string =>
    JSON.stringify({ path: 'f', line, text, cite: `r:f:${line}` })
  expect(hits).toEqual([])
  expect(pieces).toEqual([
    json(1, 'a'),
    { path: 'f', line: 2, text: 'é', cite: 'r:f:2' },
    {
      ...{ path: 'f', line: 3, text: 'long', text_truncated: true, column: 1, text_column: 1 },
      cite: 'r:f:3',
    },
    `${json(4, 'b')},${json(5, 'c')}`,
  ])
  expect(result.count).toBe(5)
  written?.release()
  const [first] = [json(1, 'a').length + 1]
  const limited = new SearchResult(requestOf({ form, maxBytesOfHits: 2 * first }), true)
  limited.add(0, textOf('f', ['a', 'b', 'c']))
  expect([limited.count, limited.next]).toEqual([2, ['f', 2, 2, 0]])
})

test('a buffer that writes hits is emptied first, and its pieces come in order', () => {
  const pieces = [['left over'], ['one'], [], ['two']].map((each) =>
    each.map((text) => Buffer.from(text)),
  )
  const released: unknown[] = []
  const buffer = {
    take: () => pieces.shift() ?? [],
    release: (used: readonly unknown[]) => released.push(used.length),
  }
  const result = new SearchResult(requestOf({}), true)
  result.useBuffer(buffer)
  result.addWritten(2, 10)
  result.add(0, textOf('f', ['a']))
  result.takeWritten()
  const { written } = result.collect()
  expect(written?.pieces.map((each) => (each instanceof Uint8Array ? String(each) : each))).toEqual(
    [...['one', hit('f', 1, 'a'), 'two']],
  )
  written?.release()
  expect([result.count, released]).toEqual([3, [3]])
})
