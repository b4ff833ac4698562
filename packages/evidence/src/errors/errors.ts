// Errors with a stable code and the exit code of the command that ends with them.
import { ZeeError } from '@zee/core/errors'
import type { ErrorCode } from './codes.ts'

export type { ErrorCode, WarningCode } from './codes.ts'

/**
 * An error with a code of evidence, or of `Code` where the caller has codes of its own. A command
 * that ends with it exits 1 for I/O and 2 for a verdict.
 */
export function evidenceError<Code extends string = ErrorCode>(
  code: NoInfer<Code>,
  message: string,
  cause?: unknown,
): ZeeError {
  return new ZeeError(code, message, { exitCode: code === 'ZCL_E_IO' ? 1 : 2, cause })
}
