// The error of a database file that cannot be read.
import { ZeeError } from '@zee/core/errors'

export function invalid(reason: string): ZeeError {
  return new ZeeError('unreadable_log', `it is not a readable SQLite database (${reason})`)
}
