// Runs the same search through every engine.
import { bufferLines } from '../../src/regex/dfa/dfa.ts'
import { parseRegex } from '../../src/regex/parse/parse.ts'
import { compileRegex } from '../../src/regex/regex.ts'
import { prepareSearch } from '../../src/regex/search.ts'
import type { RegexSearch } from '../../src/regex/search.ts'
import { bruteForceLines } from './brute-force.ts'
import { kernelMatcher } from './kernel-matcher.ts'

/** A search with V8 only. */
export function withoutAutomaton(pattern: string, ignoreCase = false): RegexSearch {
  const { program } = compileRegex(pattern, { lines: true, ignoreCase })
  return prepareSearch(program.engine === 'v8' ? { ...program, regular: undefined } : program)
}

/** Line numbers from each engine, and columns from the engines that report them. */
export function byEngine(
  pattern: string,
  bytes: Buffer,
  ignoreCase = false,
): { lines: Record<string, number[]>; columns: Record<string, number[]> } {
  const regex = parseRegex(pattern, { ignoreCase })
  const { required = '' } = compileRegex(pattern, { lines: true, ignoreCase })
  const columns = {
    v8: withoutAutomaton(pattern, ignoreCase).lines(bytes, Infinity),
    automaton: bufferLines(regex, '')?.(bytes, Infinity) ?? [],
    ...(required === '' ? {} : { required: bufferLines(regex, required)?.(bytes, Infinity) ?? [] }),
  }
  const lines = {
    v8: columns.v8.filter((_, at) => at % 2 === 0),
    kernel: kernelMatcher(regex, 'best')?.(bytes) ?? [],
    scalar: kernelMatcher(regex, 'scalar')?.(bytes) ?? [],
    brute: bruteForceLines(regex, bytes),
  }
  return { lines, columns }
}
