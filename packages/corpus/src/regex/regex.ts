// A pattern made ready to run: plain data, so that it can be sent to a worker thread.
import type { Regex } from './ast.ts'
import { isHarmless, mayExplode, needsOwnEngine, requiredText } from './analyse.ts'
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
      /** For an automaton, which takes one pass where V8 might take long. */
      regular: Regex | undefined
      /** V8 may take long on lines of any length, so that the automaton is always tried first. */
      explosive: boolean
    }
  | { engine: 'own'; regex: Regex; lines: boolean }

export interface CompiledRegex {
  program: RegexProgram
  /** Linear in the text: may run in the thread that answers requests. */
  harmless: boolean
  /** Every match contains this text. */
  required: string | undefined
}

export interface CompileOptions {
  ignoreCase?: boolean
  /** The subject is many lines, each searched for itself; else one text such as a path. */
  lines: boolean
}

/** Throws a ZeeError in Python's words for what is not a pattern. */
export function compileRegex(pattern: string, options: CompileOptions): CompiledRegex {
  const regex = parseRegex(pattern, { ignoreCase: options.ignoreCase === true })
  const required = requiredText(regex)
  if (needsOwnEngine(regex)) {
    const program = { engine: 'own', regex, lines: options.lines } as const
    return { program, harmless: false, required }
  }
  const { lines } = options
  const ascii = emitRegex(regex, { target: 'ascii', lines })
  const unicode = emitRegex(regex, { target: 'unicode', lines })
  const harmless = isHarmless(regex)
  const regular = lines && !harmless && isRegular(regex) ? regex : undefined
  const explosive = mayExplode(regex)
  const program = { engine: 'v8', ascii, unicode, required, regular, explosive } as const
  return { program, harmless, required }
}
