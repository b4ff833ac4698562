import { expect, test } from 'vitest'
import { PageSize } from './page-size.ts'
import type { SearchRequest } from './request.ts'
import type { GrepHit } from './result.ts'

function pageOf(limits: Partial<SearchRequest>): PageSize {
  return new PageSize({
    maxChars: undefined,
    maxBytesOfHits: undefined,
    isText: false,
    ...limits,
  } as SearchRequest)
}

/** As JSON: 32, 28 and 12 characters; with a comma and escapes 33, 29 + 5 and 13 bytes. */
const hits: GrepHit[] = [
  { path: 'a', line: 1, text: 'one' },
  { path: 'a', line: 2, text: 'é' },
  { path: 'b' },
]
const chars = hits.map((hit) => JSON.stringify(hit).length)
const bytes = hits.map((hit) => {
  const escaped = JSON.stringify(hit).replaceAll(/[^\x00-\x7e]/g, '\\u0000')
  return escaped.length + 1
})
const total = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0)

test.each([0, 1, 2])(
  'a page ends at the characters of its hits as JSON (%i hits before)',
  (count) => {
    const limit = total(chars.slice(0, count + 1))
    for (const [maxChars, fits] of [
      [limit, true],
      [limit - 1, false],
    ] as const) {
      const page = pageOf({ maxChars })
      const added = hits.slice(0, count + 1).map((hit) => page.add(hit))
      expect(added).toEqual([...added.slice(0, -1).map(() => true), fits])
    }
  },
)

test.each([0, 1, 2])(
  'a page ends at the bytes of its hits as ASCII JSON (%i hits before)',
  (count) => {
    const limit = total(bytes.slice(0, count + 1))
    for (const [maxBytesOfHits, fits] of [
      [limit, true],
      [limit - 1, false],
    ] as const) {
      const page = pageOf({ maxBytesOfHits })
      const added = hits.slice(0, count + 1).map((hit) => page.add(hit))
      expect(added).toEqual([...added.slice(0, -1).map(() => true), fits])
    }
  },
)

test('hits with characters from 0x7f on need six bytes for each', () => {
  for (const [text, size] of [
    ['~', 1],
    ['\u007f', 6],
    ['\uffff', 6],
    ['😀', 12],
  ] as const) {
    const plain = JSON.stringify({ path: 'a', line: 1, text: '' }).length + 1
    expect(pageOf({ maxBytesOfHits: plain + size }).add({ path: 'a', line: 1, text })).toBe(true)
    expect(pageOf({ maxBytesOfHits: plain + size - 1 }).add({ path: 'a', line: 1, text })).toBe(
      false,
    )
  }
})

test('hits that were written as JSON count, too', () => {
  const limit = total(bytes) + 100
  const page = pageOf({ maxBytesOfHits: limit })
  page.addBytes(100)
  expect(hits.map((hit) => page.add(hit))).toEqual([true, true, true])
  const full = pageOf({ maxBytesOfHits: limit })
  full.addBytes(60)
  full.addBytes(41)
  expect(hits.map((hit) => full.add(hit))).toEqual([true, true, false])
})

test('both limits apply', () => {
  const [first] = hits as [GrepHit]
  const [json, ascii] = [chars[0] as number, bytes[0] as number]
  const fits = (maxChars: number, maxBytesOfHits: number): boolean =>
    pageOf({ maxChars, maxBytesOfHits }).add(first)
  expect([fits(json, ascii), fits(json - 1, ascii), fits(json, ascii - 1)]).toEqual([
    true,
    false,
    false,
  ])
})

test('the number of hits that fit is estimated from an upper bound, until the page is nearly full', () => {
  expect(pageOf({}).hitsThatFit(10)).toBe(Infinity)
  const page = pageOf({ maxBytesOfHits: 1000 })
  expect([page.hitsThatFit(100), page.hitsThatFit(101), page.hitsThatFit(1001)]).toEqual([10, 9, 0])
  page.addBytes(100)
  expect(page.hitsThatFit(100)).toBe(9)
  // 256 bytes for the fields, and six for each unit of the path and the texts.
  page.add({ path: 'ab', line: 1, text: 'xyz' })
  expect([page.hitsThatFit(1), page.hitsThatFit(614), page.hitsThatFit(615)]).toEqual([614, 1, 0])
  const around = [
    { line: 1, text: 'x' },
    { line: 2, text: '' },
  ]
  page.add({ path: 'a', line: 2, text: '', context: around })
  // The bound of each line of context has 16 units more.
  expect(page.hitsThatFit(1)).toBe(614 - 256 - 6 * (1 + 1 + 32))
  const file = pageOf({ maxBytesOfHits: 1000 })
  file.add({ path: 'abc' })
  expect(file.hitsThatFit(1)).toBe(1000 - 256 - 18)
  const exact = pageOf({ maxBytesOfHits: 200 })
  exact.add(hits[0] as GrepHit)
  expect(exact.hitsThatFit(1)).toBe(200 - (bytes[0] as number))
  exact.addBytes(500)
  expect(exact.hitsThatFit(1)).toBe(0)
})

test('the size of a hit as text has its path once, the line numbers and the lines of context', () => {
  const page = pageOf({ isText: true })
  const around = [
    { line: 9, text: 'ab' },
    { line: 10, text: 'c' },
  ]
  const line: GrepHit = { path: 'abc', line: 10, text: 'xyzw' }
  expect(page.textSizeOf(line)).toBe(5 + 2 + 3 + 4)
  expect(page.textSizeOf({ ...line, context: around })).toBe(5 + (1 + 3 + 2) + (2 + 3 + 1))
  expect(page.textSizeOf({ path: 'abc' })).toBe(5 + 8)
  expect(page.textSizeOf({ path: 'abc', count: 3 })).toBe(5 + 8)
  page.endHit({ path: 'abc' })
  expect(page.textSizeOf(line)).toBe(2 + 3 + 4)
  expect(page.textSizeOf({ ...line, path: 'abd' })).toBe(5 + 2 + 3 + 4)
  const limited = pageOf({ isText: true, maxChars: 14 + 9 })
  expect(limited.add(line)).toBe(true)
  limited.endHit(line)
  expect(limited.add(line)).toBe(true)
  limited.endHit(line)
  expect(limited.add({ path: 'z' })).toBe(false)
})
