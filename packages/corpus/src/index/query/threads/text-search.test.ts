import { describe, expect, it } from 'vitest'
import { plainNeedle } from '../../../finder/finder.ts'
import type { PlainNeedle } from '../../../finder/finder.ts'
import { createKernel, createSharedMemory, reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { WasmMemory } from '../../../wasm/wasm.ts'
import { unknownOffset, wordsPerLine } from '../../../kernel-search/kernel-search.ts'
import type { QueryPattern } from './jobs.ts'
import { stuck, TextSearches } from './text-search.ts'
import type { TextSearch } from './text-search.ts'

const tableBytes = 1 << 20

function newKernel(maxBytes = 16 << 20): Kernel {
  return createKernel(createSharedMemory(maxBytes) as WasmMemory)
}

const literal = (text: string, isSensitive = true): QueryPattern => ({
  kind: 'literal',
  needle: plainNeedle(text, isSensitive) as PlainNeedle,
})
const regex = (pattern: string, ignoreCase = false): QueryPattern => ({
  kind: 'regex',
  pattern,
  ignoreCase,
})

/** Line, start, end and offset of the match of each line that is found. */
function linesOf(
  kernel: Kernel,
  search: TextSearch,
  text: string,
  { limit = 10, from = 0, line = 1 } = {},
): number[][] | typeof stuck {
  const bytes = Buffer.from(text)
  const into = reserve(kernel.memory, limit * 16) as number
  const address = reserve(kernel.memory, bytes.length) as number
  kernel.bytes().set(bytes, address)
  const isAscii = bytes.length === text.length
  const place = { address, end: address + bytes.length, isAscii, from: address + from, line }
  const count = search.lines(place, into, limit)
  if (count === stuck) return stuck
  const words = new Uint32Array(kernel.memory.buffer, into, count * wordsPerLine)
  return Array.from({ length: count }, (_, at) =>
    Array.from(words.subarray(at * wordsPerLine, (at + 1) * wordsPerLine)),
  )
}

function searchOf(pattern: QueryPattern): (text: string, options?: object) => number[][] | -1 {
  const kernel = newKernel()
  const search = new TextSearches(kernel, tableBytes).searchFor(pattern) as TextSearch
  return (text, options) => linesOf(kernel, search, text, options)
}

const unknown = unknownOffset

describe('the search of one text by a query thread', () => {
  it.each([
    ['a literal', literal('ab'), [2, 3, 6, 4], [4, 8, 10, 8]],
    ['a literal in either case', literal('AB', false), [2, 3, 6, 4], [4, 8, 10, 8]],
    ['a pattern that has fixed bytes', regex('a[b]'), [2, 3, 6, unknown], [4, 8, 10, unknown]],
    ['a pattern without fixed bytes', regex('[ax]b+'), [2, 3, 6, unknown], [4, 8, 10, unknown]],
  ])('finds number, start and end of each line with %s', (_, pattern, ...expected) => {
    expect(searchOf(pattern)('--\n-ab\n\nab')).toEqual(expected)
  })

  it.each(['[a-c]', 'a', 'a[b]?'])(
    'counts all kinds of line ends for the pattern %s',
    (pattern) => {
      const lines = searchOf(regex(pattern))('x\r\na\ra\r\n\r\na\n\ra')
      expect(lines).toEqual([
        [2, 3, 4, unknown],
        [3, 5, 6, unknown],
        [5, 10, 11, unknown],
        [7, 13, 14, unknown],
      ])
    },
  )

  it.each(['[a-c]', 'a+'])('finds an empty text and a last line without end with %s', (pattern) => {
    const search = searchOf(regex(pattern))
    expect(search('')).toEqual([])
    expect(search('a')).toEqual([[1, 0, 1, unknown]])
    expect(search('a\n')).toEqual([[1, 0, 1, unknown]])
    expect(search('\n')).toEqual([])
  })

  it.each(['[a-c]', 'word', 'w[oO]rd'])(
    'finds at most as many lines as asked with %s',
    (pattern) => {
      const text = pattern === '[a-c]' ? 'a\na\na\n' : 'word\nword\nword\n'
      const width = pattern === '[a-c]' ? 1 : 4
      expect(searchOf(regex(pattern))(text, { limit: 2 })).toEqual([
        [1, 0, width, unknown],
        [2, width + 1, 2 * width + 1, unknown],
      ])
    },
  )

  it.each([
    ['[a-c]', 'a\na\na', 1, [2, 2, 3], [3, 4, 5]],
    ['[a-c]', 'a\r\na\ra', 1, [2, 3, 4], [3, 5, 6]],
    ['a+', 'a\n\na', 1, [3, 3, 4]],
    ['a+', 'a\n', 1],
    ['a+', 'a', 1],
  ])(
    'of %s in %j continues after the line that ends at byte %d',
    (pattern, text, from, ...found) => {
      const expected = (found as number[][]).map((line) => [...line, unknown])
      expect(searchOf(regex(pattern as string))(text, { from })).toEqual(expected)
    },
  )

  it('continues with the line after the given one, for a literal too', () => {
    expect(searchOf(literal('a'))('a\na\na', { from: 1, line: 1 })).toEqual([
      [2, 2, 3, 2],
      [3, 4, 5, 4],
    ])
    expect(searchOf(regex('[a]'))('a\na\na', { from: 3, line: 2 })).toEqual([[3, 4, 5, unknown]])
  })

  it('skips a line with the fixed bytes that does not match', () => {
    const search = searchOf(regex(String.raw`^\d{4}-\d{2}$`))
    expect(search('x2020-11\n2020-1\n2020-12\nx\n2021-01')).toEqual([
      [3, 16, 23, unknown],
      [5, 26, 33, unknown],
    ])
    expect(search('x2020-11')).toEqual([])
  })

  it('finds letters of a case-insensitive pattern beyond ASCII', () => {
    const search = searchOf(regex('stop', true))
    expect(search('STOP\n')).toEqual([[1, 0, 4, unknown]])
    expect(search('\u017ftop\n')).toEqual([[1, 0, 5, unknown]])
  })

  it('finds a required text in lines beyond ASCII', () => {
    const search = searchOf(regex('.wort'))
    expect(search('\u00fcber\n\u00e4wort\nwort\n')).toEqual([[2, 6, 12, unknown]])
  })
})

describe('the searches of a query thread', () => {
  it('reuse the automaton of the last pattern only', () => {
    const searches = new TextSearches(newKernel(), tableBytes)
    const first = searches.searchFor(regex('[a-c]'))
    expect(searches.searchFor(regex('[a-c]'))).toBe(first)
    expect(searches.searchFor(regex('[a-c]', true))).not.toBe(first)
    const second = searches.searchFor(regex('[d-f]'))
    expect(searches.searchFor(regex('[d-f]'))).toBe(second)
    expect(searches.searchFor(regex('[a-c]'))).not.toBe(first)
  })

  it('give each pattern its own needles', () => {
    const kernel = newKernel()
    const searches = new TextSearches(kernel, tableBytes)
    const find = (pattern: QueryPattern) =>
      linesOf(kernel, searches.searchFor(pattern) as TextSearch, 'one\ntwo\nthree\n')
    expect(find(regex('two.?'))).toEqual([[2, 4, 7, unknown]])
    expect(find(literal('three'))).toEqual([[3, 8, 13, 8]])
    expect(find(regex('two.?'))).toEqual([[2, 4, 7, unknown]])
    expect(find(regex('one.?'))).toEqual([[1, 0, 3, unknown]])
  })

  it('refuse a pattern without an automaton, and then search the next one', () => {
    const searches = new TextSearches(newKernel(), tableBytes)
    expect(searches.searchFor(regex(String.raw`(a)\1`))).toBeUndefined()
    expect(searches.searchFor(regex('a(?=b)'))).toBeUndefined()
    expect(searches.searchFor(regex('[ab]'))).toBeDefined()
  })

  it('refuse a literal above 4096 bytes', () => {
    const searches = new TextSearches(newKernel(), tableBytes)
    expect(searches.searchFor(literal('a'.repeat(4096)))).toBeDefined()
    expect(searches.searchFor(literal('a'.repeat(4097)))).toBeUndefined()
  })

  it('search lines without the fixed bytes of a pattern that are too long', () => {
    const kernel = newKernel()
    const long = 'a'.repeat(4100)
    const search = new TextSearches(kernel, 4 << 20).searchFor(regex(`${long}[bc]`))
    if (search === undefined) return expect(search).toBeUndefined()
    expect(linesOf(kernel, search, `${long}\n${long}b\n`)).toEqual([[2, 4101, 8202, unknown]])
  })

  it('refuse every pattern if the memory is full', () => {
    const kernel = newKernel(2 * 65_536)
    const searches = new TextSearches(kernel, 1 << 20)
    expect(searches.searchFor(regex('[ab]'))).toBeUndefined()
    while (reserve(kernel.memory, 4096) !== undefined);
    expect(searches.searchFor(literal('a'))).toBeUndefined()
  })

  it('are stuck in a text that takes too many states', () => {
    const kernel = newKernel()
    const search = new TextSearches(kernel, tableBytes).searchFor(regex('a[ab]{40}[cd]'))
    let state = 1
    const letters = Array.from({ length: 400_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state >>> 31 === 1 ? 'a' : 'b'
    })
    expect(linesOf(kernel, search as TextSearch, letters.join(''))).toBe(stuck)
    expect(linesOf(kernel, search as TextSearch, 'bab')).toEqual([])
  })
})
