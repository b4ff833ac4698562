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

test('every compact JSON text is accepted', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 4 }), (text) => accepts(text)))
})

test('a byte that ends, escapes or spoils a string is seen wherever it stands', () => {
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
      for (let behind = 0; behind < 9; behind++) {
        const text = `"${'a'.repeat(before)}${special}${'b'.repeat(behind)}"`
        expect(accepts(text), text).toBe(parses(text))
      }
    }
  }
})

test('whether a string holds more than ASCII is known wherever that stands', () => {
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

test('whatever is accepted is JSON', () => {
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
])('%j is not JSON', (text) => {
  expect(accepts(text)).toBe(false)
})

test('nesting deeper than the scanner follows is left to the parser', () => {
  expect(accepts('['.repeat(60) + ']'.repeat(60))).toBe(true)
  expect(accepts('['.repeat(1000) + ']'.repeat(1000))).toBe(false)
})
