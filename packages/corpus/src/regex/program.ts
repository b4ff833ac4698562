// A pattern made ready to run: plain data, so that it can be sent to a worker thread.
import type { Regex } from './ast.ts'
import { isHarmless, needsOwnEngine, requiredText } from './analyse.ts'
import { emitRegex } from './emit.ts'
import { parseRegex } from './parse.ts'

export type RegexProgram =
  | { engine: 'v8'; ascii: string; unicode: string; required: string | undefined }
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
  const program = { engine: 'v8', ascii, unicode, required } as const
  return { program, harmless: isHarmless(regex), required }
}
