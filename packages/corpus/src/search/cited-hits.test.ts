import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CitedHits } from './cited-hits.ts'

const lines = fc.array(
  fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\t', '\x7f', 'é', '\0'), maxLength: 12 }),
)

test('cited hits are the JSON of their objects, and others are left to the caller', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('a/b.ts', 'a"b', 'é.ts'), (texts, path) => {
      const cited = new CitedHits('abc', 10)
      const expected: string[] = []
      for (const [at, text] of texts.entries()) {
        const bytes = Buffer.from(text)
        const line = at + 1
        const json = cited.jsonOf(path, bytes, { line, start: 0, end: bytes.length })
        const isPlain = path === 'a/b.ts' && bytes.length <= 10 && !/[\x7f-\uffff]/.test(text)
        const whole = JSON.stringify({ path, line, text, cite: `abc:${path}:${line}` })
        expect(json).toBe(isPlain ? whole : undefined)
        if (json === undefined) continue
        cited.add(json)
        expected.push(whole)
      }
      expect(cited.take().map(String).join()).toBe(expected.join())
    }),
    { numRuns: 200 },
  )
})
