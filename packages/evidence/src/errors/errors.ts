// Typed failures of zcl: the code people and programs see, and the exit code that goes with it.
import { ZeeError } from '@zee/core/errors'
import type { ErrorCode } from '../codes/codes.ts'

/** A failure that ends a command with `CODE: message`; exit 1 for I/O, 2 for every verdict. */
export function zclError(code: ErrorCode, message: string, cause?: unknown): ZeeError {
  return new ZeeError(code, message, { exitCode: code === 'ZCL_E_IO' ? 1 : 2, cause })
}
