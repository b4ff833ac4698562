// Runs the same search through every engine.
import vm from 'node:vm'
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

/**
 * V8 backtracks: nested repeats take it exponential time on some texts. Returns undefined when it has no
 * result within a second.
 */
function boundedV8Lines(pattern: string, bytes: Buffer, ignoreCase: boolean): number[] | undefined {
  const scope = globalThis as { searchWithV8?: () => number[] }
  scope.searchWithV8 = () => withoutAutomaton(pattern, ignoreCase).lines(bytes, Infinity)
  try {
    return vm.runInThisContext('searchWithV8()', { timeout: 1000 }) as number[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    delete scope.searchWithV8
  }
}

/**
 * Line numbers from each engine, and columns from the engines that report them.
 * V8 is left out where it takes too long.
 */
export function byEngine(
  pattern: string,
  bytes: Buffer,
  ignoreCase = false,
): { lines: Record<string, number[]>; columns: Record<string, number[]> } {
  const regex = parseRegex(pattern, { ignoreCase })
  const { required = '' } = compileRegex(pattern, { lines: true, ignoreCase })
  const v8 = boundedV8Lines(pattern, bytes, ignoreCase)
  const columns = {
    ...(v8 === undefined ? {} : { v8 }),
    automaton: bufferLines(regex, '')?.(bytes, Infinity) ?? [],
    ...(required === '' ? {} : { required: bufferLines(regex, required)?.(bytes, Infinity) ?? [] }),
  }
  const lines = {
    ...(v8 === undefined ? {} : { v8: v8.filter((_, at) => at % 2 === 0) }),
    kernel: kernelMatcher(regex, 'best')?.(bytes) ?? [],
    scalar: kernelMatcher(regex, 'scalar')?.(bytes) ?? [],
    brute: bruteForceLines(regex, bytes),
  }
  return { lines, columns }
}
