// Runs random patterns on random texts through every engine. ZEE_ROUNDS sets the number of rounds.
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { byEngine } from '../../../test/support/engines.ts'
import { kernelMatcher } from '../../../test/support/kernel-matcher.ts'
import { longTexts, regularPatterns, textBytes } from '../../../test/support/patterns.ts'
import { parseRegex } from '../parse/parse.ts'
import { bufferLines } from './dfa.ts'

/** V8 spends most of this time compiling Unicode patterns. */
const long = { timeout: 3_600_000 }

const rounds = Number(process.env.ZEE_ROUNDS ?? 400)

test(
  'automata, V8 and the brute-force matcher find the same lines for random patterns and texts',
  long,
  () => {
    fc.assert(
      fc.property(regularPatterns, textBytes, fc.boolean(), (pattern, bytes, ignoreCase) => {
        const { lines, columns } = byEngine(pattern, bytes, ignoreCase)
        for (const found of Object.values(lines)) expect(found).toEqual(lines.brute)
        for (const found of Object.values(columns)) expect(found).toEqual(columns.automaton)
      }),
      { numRuns: rounds },
    )
  },
)

test('an interleaved search of a long text finds the same lines as a sequential one', long, () => {
  const tables = fc.constantFrom(64 << 10, 1 << 20)
  fc.assert(
    fc.property(regularPatterns, longTexts, tables, (pattern, bytes, tableBytes) => {
      const regex = parseRegex(pattern)
      const pairs = bufferLines(regex, '')?.(bytes, Infinity)
      const lines = pairs?.filter((_, at) => at % 2 === 0)
      expect(kernelMatcher(regex, 'best', tableBytes)?.(bytes)).toEqual(lines)
      expect(kernelMatcher(regex, 'scalar', tableBytes)?.(bytes)).toEqual(lines)
    }),
    { numRuns: Math.ceil(rounds / 8) },
  )
})
