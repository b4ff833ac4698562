import fc from 'fast-check'
import { expect, test } from 'vitest'
import { literalFinder, plainNeedle } from '../finder/finder.ts'
import type { LineFinder } from '../finder/finder.ts'
import { KernelFinder } from './kernel-finder.ts'

const kernel = KernelFinder.create()

function finders(pattern: string, caseSensitive: boolean): [plain: LineFinder, fast: LineFinder] {
  const needle = plainNeedle(pattern, caseSensitive)
  const plain = literalFinder(pattern, caseSensitive)
  if (kernel === undefined || needle === undefined) throw new Error('there is no kernel')
  return [plain, kernel.finderOf(needle, plain)]
}

test('finds the lines that a search of the bytes finds', () => {
  const text = fc.array(fc.constantFrom('ab', 'AB', 'a', 'b', '\n', '\r\n', '\r', 'ä', ' '))
  fc.assert(
    fc.property(text, fc.boolean(), fc.integer({ min: 1, max: 9 }), (parts, isSensitive, limit) => {
      const bytes = Buffer.from(parts.join(''))
      const [plain, fast] = finders('ab', isSensitive)
      const lines = (find: LineFinder): unknown =>
        find(bytes, limit).map(({ line, start, end }) => ({ line, start, end }))
      expect(lines(fast)).toEqual(lines(plain))
    }),
    { numRuns: 300 },
  )
})

test('searches that take turns keep their own needles', () => {
  const [, one] = finders('one', true)
  const [, two] = finders('two', true)
  const bytes = Buffer.from('one\ntwo\n')
  expect([one, two, one].map((find) => find(bytes, 9)[0]?.line)).toEqual([1, 2, 1])
})

test('a text with more lines than there is memory for is searched without the kernel', () => {
  const [, fast] = finders('x', true)
  expect(fast(Buffer.from('x\n'.repeat(40_000)), Infinity)).toHaveLength(40_000)
})
