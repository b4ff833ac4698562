// The error that ends a zcl command, typed with the codes of every command.
import { evidenceError } from '@zee/evidence/errors'
import type { ErrorCode } from '../codes/codes.ts'

/** An error that prints `CODE: message`; exit 1 for I/O errors, 2 for all others. */
export const zclError = evidenceError<ErrorCode>
