// How long a prompt may be: a session keeps no longer line, so more need not be read.
import type { ZeeError } from '@zee/core/errors'
import { usageError } from '@zee/core/errors'

export const mostPromptBytes = 256 * 1024 * 1024

export function promptTooLong(): ZeeError {
  return usageError('the prompt is longer than 256 MiB')
}
