// Errors of zcl: those of evidence, over the codes of every zcl command.
import { evidenceError } from '@zee/evidence/errors'
import type { ErrorCode } from '../codes/codes.ts'

/** A failure that ends a command with `CODE: message`; exit 1 for I/O, 2 for every verdict. */
export const zclError = evidenceError<ErrorCode>
