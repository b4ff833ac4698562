import { describe, expect, it } from 'vitest'
import { asciiBytesOf, cutPage } from './paging.ts'

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
  ]
  it.each(texts)('returns all $what at their exact size and cuts them one byte below', (each) => {
    const { items } = each
    const maxAnswer = bytesOf(items)
    expect(cutPage(items, { maxChars: undefined, maxAnswer })).toEqual({ items, isCut: false })
    const cut = cutPage(items, { maxChars: undefined, maxAnswer: maxAnswer - 1 })
    expect(cut).toEqual({ items: items.slice(0, -1), isCut: true })
  })
})
