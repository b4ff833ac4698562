import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asciiBytesOf, charsThatFit, cutPage, jsonSize, offsetFrom, pagingOf } from './paging.ts'

/** Bytes of the items as ASCII JSON, each with its comma. */
function bytesOf(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + asciiBytesOf(JSON.stringify(item)) + 1, 0)
}

describe('cutPage', () => {
  const texts = [
    { what: 'plain paths', items: ['src/a.ts', 'src/b c.ts', 'src/~[x]!#.ts'] },
    { what: 'quotes and backslashes', items: ['a"b', 'a\\b', 'plain'] },
    { what: 'control characters', items: ['a\nb', 'a\u0001b', 'a\u007fb'] },
    { what: 'characters outside ASCII', items: ['ü', '\u2028', '😀', '\udcff'] },
    ...[' ', '!', '"', '#', '[', '\\', ']', '~', '\u007f', '\u001f'].map((char) => ({
      what: `the character ${JSON.stringify(char)}`,
      items: ['a', char],
    })),
  ]
  it.each(texts)('returns all $what at their exact size and cuts them one byte below', (each) => {
    const { items } = each
    const maxAnswer = bytesOf(items)
    expect(cutPage(items, { maxChars: undefined, maxAnswer })).toEqual({ items, isCut: false })
    const cut = cutPage(items, { maxChars: undefined, maxAnswer: maxAnswer - 1 })
    expect(cut).toEqual({ items: items.slice(0, -1), isCut: true })
  })

  // As JSON, the items have 3, 4 and 5 characters.
  it.each([
    [{}, 3],
    [{ maxChars: 12 }, 3],
    [{ maxChars: 11 }, 2],
    [{ maxChars: 7 }, 2],
    [{ maxChars: 6 }, 1],
    [{ maxChars: 3 }, 1],
    [{ maxChars: 2 }, 1],
    [{ maxChars: 1 }, 1],
    [{ maxChars: 0 }, 0],
    [{ maxAnswer: 15 }, 3],
    [{ maxAnswer: 14 }, 2],
    [{ maxAnswer: 9 }, 2],
    [{ maxAnswer: 8 }, 1],
    [{ maxAnswer: 0 }, 1],
    [{ maxChars: 12, maxAnswer: 15 }, 3],
    [{ maxChars: 12, maxAnswer: 14 }, 2],
    [{ maxChars: 11, maxAnswer: 15 }, 2],
    [{ maxChars: 0, maxAnswer: 99 }, 0],
  ])('with %j returns %i of three items', (limits, count) => {
    const items = ['a', 'bb', 'ccc']
    const page = cutPage(items, { maxChars: undefined, maxAnswer: undefined, ...limits })
    expect(page).toEqual({ items: items.slice(0, count), isCut: count < 3 })
  })

  it('asks for the size of items that are no strings', () => {
    const sizes = { one: { chars: 2, bytes: 4 }, two: { chars: 2, bytes: 4 } }
    const cut = (maxAnswer: number): number =>
      cutPage(Object.keys(sizes), { maxChars: 99, maxAnswer }, (key) => sizes[key as 'one']).items
        .length
    expect([cut(10), cut(9)]).toEqual([2, 1])
    const rows = [{ a: 1 }, { b: 'ü' }]
    const limit = { maxChars: undefined, maxAnswer: 8 + 15 }
    expect(cutPage(rows, limit)).toEqual({ items: rows, isCut: false })
    expect(cutPage(rows, { ...limit, maxAnswer: 22 })).toEqual({ items: [rows[0]], isCut: true })
  })
})

it.each([
  ['plain', 7, 7],
  ['~', 3, 3],
  ['\u007f', 3, 8],
  ['é', 3, 8],
  ['\uffff', 3, 8],
  ['😀', 4, 14],
])('the JSON of %j has %i characters and %i bytes', (item, chars, bytes) => {
  expect(jsonSize(item)).toEqual({ chars, bytes })
})

describe('charsThatFit', () => {
  const codes = [
    ...[0, 7, 8, 9, 10, 11, 12, 13, 14, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d],
    ...[0x7d, 0x7e, 0x7f, 0x80, 0x7ff, 0xd800, 0xdcff, 0xfffe, 0xffff, 0x10000, 0x1f600],
  ]
  it.each(codes)('needs the bytes of the character %i as JSON, and of the quotes', (code) => {
    const char = String.fromCodePoint(code)
    const bytes = asciiBytesOf(JSON.stringify(char))
    expect(charsThatFit(char, bytes)).toBe(1)
    expect(charsThatFit(char, bytes - 1)).toBe(0)
    expect(charsThatFit(`${char}a${char}`, bytes)).toBe(1)
    expect(charsThatFit(`${char}a${char}`, bytes + 1)).toBe(2)
    expect(charsThatFit(`${char}a${char}`, 999)).toBe(3)
  })

  it('counts the characters of a text, not its UTF-16 units', () => {
    expect(charsThatFit('', 0)).toBe(0)
    expect(charsThatFit('😀😀x', 2 + 12 + 11)).toBe(1)
    expect(charsThatFit('😀😀x', 2 + 24 + 1)).toBe(3)
  })
})

it.each([
  [0, 0],
  [1, 1],
  [7, 7],
  [-1, 0],
  [1.5, 0],
  ['1', 0],
  [undefined, 0],
  [[3], 0],
])('the offset of the cursor position %j is %i', (position, offset) => {
  expect(offsetFrom(position)).toBe(offset)
})

describe('pagingOf', () => {
  function fingerprint(op: string, entries: unknown[]): string {
    const text = JSON.stringify([op, entries])
    return createHash('sha256').update(text).digest('hex').slice(0, 16)
  }
  const decoded = (cursor: string): unknown =>
    JSON.parse(Buffer.from(cursor, 'base64url').toString())

  it('returns the limits and no position for a first page', () => {
    const paging = pagingOf('op', { max_chars: 5, max_answer: '7' })
    expect(paging).toMatchObject({ maxChars: 5, maxAnswer: 7, position: undefined })
    expect(pagingOf('op', {})).toMatchObject({ maxChars: undefined, maxAnswer: undefined })
  })

  it('puts a mark of the operation and its sorted arguments and the position into a cursor', () => {
    const cursor = pagingOf('op', { b: 1, a: 'x', c: [2] }).cursorAt(['p', 3])
    const entries = [
      ['a', 'x'],
      ['b', 1],
      ['c', [2]],
    ]
    expect(decoded(cursor)).toEqual([fingerprint('op', entries), ['p', 3]])
    expect(pagingOf('op', { c: [2], a: 'x', b: 1, cursor }).position).toEqual(['p', 3])
  })

  const amounts = [
    ...['max_chars', 'max_hits', 'max_lines', 'max_answer', 'max_text_chars', 'max_total_lines'],
  ]
  it.each(amounts)('%s may differ between two pages', (name) => {
    const cursor = pagingOf('op', { a: 1, [name]: 5 }).cursorAt(9)
    expect(decoded(cursor)).toEqual([fingerprint('op', [['a', 1]]), 9])
    expect(pagingOf('op', { a: 1, [name]: 6, cursor }).position).toBe(9)
    expect(pagingOf('op', { a: 1, cursor }).position).toBe(9)
  })

  const foreign = 'cursor belongs to another request'
  const invalid = 'cursor is not one that this server gave'
  const encoded = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  const mark = fingerprint('op', [['a', 1]])
  it.each([
    ['another argument', { a: 2 }, encoded([mark, 1]), foreign],
    ['one more argument', { a: 1, max: 3 }, encoded([mark, 1]), foreign],
    ['another mark', { a: 1 }, encoded(['x', 1]), foreign],
    ['three parts', { a: 1 }, encoded([mark, 1, 2]), invalid],
    ['one part', { a: 1 }, encoded([mark]), invalid],
    ['an object', { a: 1 }, encoded({ length: 2, 0: mark, 1: 1 }), invalid],
    ['no JSON', { a: 1 }, '%%%', invalid],
  ])('refuses a cursor with %s', (_, args, cursor, message) => {
    expect(() => pagingOf('op', { ...args, cursor })).toThrow(
      expect.objectContaining({ message: message, code: 'argument' }) as Error,
    )
  })

  it('refuses the cursor of another operation', () => {
    const cursor = pagingOf('op', { a: 1 }).cursorAt(1)
    expect(() => pagingOf('other', { a: 1, cursor })).toThrow(
      expect.objectContaining({ message: foreign, code: 'argument' }) as Error,
    )
  })
})
