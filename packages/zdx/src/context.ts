// Says what was being done when something failed: `load config: Failed to parse config from ...`.
import { reasonOf, ZeeError } from '@zee/core/errors'

export async function during<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ZeeError) {
      const { code, exitCode, message } = error
      throw new ZeeError(code, `${what}: ${message}`, { exitCode, cause: error })
    }
    throw new ZeeError('io', `${what}: ${reasonOf(error)}`, { cause: error })
  }
}
