import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonScanner } from './json-scanner.ts'

function accepts(text: string | Buffer): boolean {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner()
  scanner.open(bytes, 0, bytes.length)
  return scanner.skipValue() && scanner.position === bytes.length
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('JsonScanner accepts every compact JSON text', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 4 }), (text) => accepts(text)))
})

test('JsonScanner finds special bytes at every offset of a string', () => {
  for (const special of [
    '"',
    '\\',
    '\n',
    '\u001f',
    ' ',
    '!',
    '#',
    '[',
    ']',
    '\u007f',
    '\u00e9',
    '\u20ac',
  ]) {
    for (let before = 0; before < 9; before++) {
      for (let after = 0; after < 9; after++) {
        const text = `"${'a'.repeat(before)}${special}${'b'.repeat(after)}"`
        expect(accepts(text), text).toBe(parses(text))
      }
    }
  }
})

test('JsonScanner detects a non-ASCII character at every offset of a string', () => {
  for (let before = 0; before < 9; before++) {
    for (const [character, wide] of [
      ['a', false],
      ['\u007f', false],
      ['\u0080', true],
      ['\u20ac', true],
    ] as const) {
      const bytes = Buffer.from(`"${'a'.repeat(before)}${character}\\n"`)
      const scanner = new JsonScanner()
      scanner.open(bytes, 0, bytes.length)
      expect([scanner.skipString(), scanner.hasNonAscii]).toEqual([true, wide])
    }
  }
})

test('JsonScanner accepts nothing that JSON.parse rejects', () => {
  const damaged = fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }))
  fc.assert(
    fc.property(damaged, ([text, at, piece]) => {
      const place = at % (text.length + 1)
      const changed = text.slice(0, place) + piece + text.slice(place + 1)
      if (accepts(changed)) expect(parses(changed)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '01',
  '1.',
  '.5',
  '1e',
  '-',
  '+1',
  'tru',
  '"a',
  '"\\x"',
  '"\\u12g4"',
  '[1,]',
  '{"a"}',
  '{,}',
  '"\t"',
  '',
])('JsonScanner rejects %j', (text) => {
  expect(accepts(text)).toBe(false)
})

test('JsonScanner rejects nesting deeper than its limit', () => {
  expect(accepts('['.repeat(60) + ']'.repeat(60))).toBe(true)
  expect(accepts('['.repeat(1000) + ']'.repeat(1000))).toBe(false)
})
