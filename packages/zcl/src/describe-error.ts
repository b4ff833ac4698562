// Turns every error of zcl into one `CODE: message` line on stderr and an exit code.
import { errnoOf, messageOf, oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import type { DescribedError } from '@zee/core/exit'

/** Errors of core that the user's input causes, and the code zcl prints for each. */
const inputErrors: ReadonlyMap<string, string> = new Map([
  ['usage', 'ZCL_E_USAGE'],
  ['invalid_time', 'ZCL_E_USAGE'],
  ['invalid_redaction_rule', 'ZCL_E_CONTRACT'],
  ['not_canonical', 'ZCL_E_CONTRACT'],
  ['not_json', 'ZCL_E_CONTRACT'],
])

/** `CODE: message`; exit 2 for invalid input, 1 for every failure of the environment. */
export function describe(error: unknown): DescribedError {
  if (error instanceof ZeeError) {
    if (error.code.startsWith('ZCL_')) return line(error.code, error.message, error.exitCode)
    const inputCode = inputErrors.get(error.code)
    if (inputCode !== undefined) return line(inputCode, error.message, 2)
    return line('ZCL_E_IO', messageOf(error), 1)
  }
  if (errnoOf(error) !== undefined) {
    const prefix = error instanceof Error && 'path' in error ? `${String(error.path)}: ` : ''
    return line('ZCL_E_IO', `${prefix}${reasonOf(error)}`, 1)
  }
  return line('ZCL_E_IO', `unexpected error${cause(error)} (ZEE_DEBUG=1 shows where)`, 1)
}

/** Nothing for an error of the language: its text says nothing to a user. */
function cause(error: unknown): string {
  const isOfLanguage = languageErrors.some((type) => error instanceof type)
  return isOfLanguage ? '' : `: ${reasonOf(error)}`
}

const languageErrors = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError]

function line(code: string, message: string, exitCode: number): DescribedError {
  return { line: `${code}: ${oneLine(message)}`, exitCode }
}
