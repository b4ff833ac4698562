// Says what was being done when something failed: `load config: Failed to parse config from ...`.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { isInterrupt } from '../interrupt/interrupt.ts'

export async function during<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // An interrupt is no failure of what was being done.
    if (isInterrupt(error)) throw error
    if (error instanceof ZeeError) {
      const { code, exitCode, message } = error
      throw new ZeeError(code, `${what}: ${message}`, { exitCode, cause: error })
    }
    throw new ZeeError('io', `${what}: ${reasonOf(error)}`, { cause: error })
  }
}
