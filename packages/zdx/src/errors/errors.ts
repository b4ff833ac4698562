// Prefixes errors with the step that failed: `load config: Failed to parse config from ...`.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { isInterrupt } from '../interrupt/interrupt.ts'

/** Runs `work`; an error it throws gets `what: ` in front of its message. */
export async function withErrorContext<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // An interrupt is not a failure of this step.
    if (isInterrupt(error)) throw error
    if (error instanceof ZeeError) {
      const { code, exitCode, message } = error
      throw new ZeeError(code, `${what}: ${message}`, { exitCode, cause: error })
    }
    throw new ZeeError('io', `${what}: ${reasonOf(error)}`, { cause: error })
  }
}
