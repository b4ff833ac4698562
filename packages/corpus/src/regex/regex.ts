// Compiles patterns to plain data that can be sent to a worker thread.
import type { Regex } from './ast.ts'
import { isLinearTime, hasBacktrackingRisk, needsFallbackEngine, requiredText } from './analyse.ts'
import { isRegular } from './dfa/dfa.ts'
import { emitRegex } from './emit.ts'
import { parseRegex } from './parse/parse.ts'

export { requiredText } from './analyse.ts'
export type { Regex } from './ast.ts'
export { columnFinder, compileLineMatcher, isRegular } from './dfa/dfa.ts'
export type { LineMatcher } from './dfa/dfa.ts'
export { fixedBytes, literalPlan, textPlan } from './literals/literals.ts'
export type { LiteralPlan } from './literals/literals.ts'
export { parseRegex } from './parse/parse.ts'
export { PatternRun } from './pattern-run.ts'
export { createRegexWorker, serveRegex } from './worker/worker.ts'
export type { RegexWorker } from './worker/worker.ts'

export type RegexProgram =
  | {
      engine: 'v8'
      ascii: string
      unicode: string
      required: string | undefined
      /** Source for an automaton, which needs one pass where V8 may backtrack. */
      regular: Regex | undefined
      /** V8 may backtrack for long even on short lines, so the automaton always runs first. */
      hasBacktrackingRisk: boolean
    }
  | { engine: 'fallback'; regex: Regex; lines: boolean }

export interface CompiledRegex {
  program: RegexProgram
  /** Search time is linear in the text, so the search may run in the request thread. */
  isLinear: boolean
  /** A text that every match contains. */
  required: string | undefined
}

export interface CompileOptions {
  ignoreCase?: boolean
  /** The subject is many lines, each searched on its own; otherwise one text such as a path. */
  lines: boolean
}

/** Compiles a pattern. Throws a ZeeError with Python's message for a malformed one. */
export function compileRegex(pattern: string, options: CompileOptions): CompiledRegex {
  const regex = parseRegex(pattern, { ignoreCase: options.ignoreCase === true })
  const required = requiredText(regex)
  if (needsFallbackEngine(regex)) {
    const program = { engine: 'fallback', regex, lines: options.lines } as const
    return { program, isLinear: false, required }
  }
  const { lines } = options
  const ascii = emitRegex(regex, { target: 'ascii', lines })
  const unicode = emitRegex(regex, { target: 'unicode', lines })
  const isLinear = isLinearTime(regex)
  const regular = lines && !isLinear && isRegular(regex) ? regex : undefined

  const program = {
    engine: 'v8',
    ascii,
    unicode,
    required,
    regular,
    hasBacktrackingRisk: hasBacktrackingRisk(regex),
  } as const
  return { program, isLinear, required }
}
