// The one place where an error of zcl becomes a typed line on stderr and an exit code.
import { errnoOf, oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import type { DescribedError } from '@zee/core/exit'

/** Errors of the ground floor that are verdicts on what the user gave, with the code they get. */
const verdicts: ReadonlyMap<string, string> = new Map([
  ['usage', 'ZCL_E_USAGE'],
  ['invalid_time', 'ZCL_E_USAGE'],
  ['invalid_redaction_rule', 'ZCL_E_CONTRACT'],
  ['not_canonical', 'ZCL_E_CONTRACT'],
  ['not_json', 'ZCL_E_CONTRACT'],
])

/** `CODE: message`; whatever is not a verdict is a failure of the surroundings. */
export function describe(error: unknown): DescribedError {
  if (error instanceof ZeeError) {
    if (error.code.startsWith('ZCL_')) return line(error.code, error.message, error.exitCode)
    const verdict = verdicts.get(error.code)
    if (verdict !== undefined) return line(verdict, error.message, 2)
    return line('ZCL_E_IO', error.message, 1)
  }
  if (errnoOf(error) !== undefined) {
    const place = error instanceof Error && 'path' in error ? `${String(error.path)}: ` : ''
    return line('ZCL_E_IO', `${place}${reasonOf(error)}`, 1)
  }
  const message = `unexpected error: ${reasonOf(error)} (ZEE_DEBUG=1 shows where)`
  return line('ZCL_E_IO', message, 1)
}

function line(code: string, message: string, exitCode: number): DescribedError {
  return { line: `${code}: ${oneLine(message)}`, exitCode }
}
