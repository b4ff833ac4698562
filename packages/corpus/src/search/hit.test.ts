import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineHit } from './hit.ts'

test('a very long line is cut from its bytes as it is cut from its text', () => {
  const form = { maxLineChars: 50, context: 0, hash: false }
  const filler = fc.array(fc.constantFrom('a', 'é', '漢', '😀', ' '), { maxLength: 60 })
  const paddings = fc
    .tuple(fc.constantFrom('a', 'é'), fc.integer({ min: 0, max: 5000 }))
    .map(([char, length]) => char.repeat(length))
  fc.assert(
    fc.property(filler, filler, paddings, (before, after, padding) => {
      const head = before.join('') + padding
      const bytes = Buffer.from(`${head}needle${after.join('')}${'z'.repeat(5000)}\n`)
      const end = bytes.length - 1
      const matchOffset = Buffer.byteLength(head)
      const column = [...head].length + 1
      expect(lineHit('a', bytes, { line: 1, start: 0, end, matchOffset }, form)).toEqual(
        lineHit('a', bytes, { line: 1, start: 0, end, column }, form),
      )
    }),
    { numRuns: 100 },
  )
})
