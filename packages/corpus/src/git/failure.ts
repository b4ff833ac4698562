// The error of everything that cannot be read from a repository.
import { ZeeError } from '@zee/core/errors'

/** A client error; the message names the object, the ref or the repository. */
export function gitError(message: string, cause?: unknown): ZeeError {
  return new ZeeError('git', message, { cause })
}
