// Reads the files that say what a server serves and to whom. A wrong file is a wrong command line: the server does not
// start. Unknown keys are wrong, too: a misspelt `allow` or `roots` would open more than its author meant.
import { loadConfig } from '@zee/core/config'
import type { ConfigDefinition, ConfigValues } from '@zee/core/config'
import { ZeeError } from '@zee/core/errors'
import type * as z from 'zod/mini'

/** The values of a file. Throws a ZeeError with exit code 2 if it cannot be used. */
export async function readServerFile<Schema extends z.ZodMiniObject>(
  definition: ConfigDefinition<Schema>,
  file: string,
): Promise<ConfigValues<Schema>> {
  return asUsageError(async () => {
    const { values } = await loadConfig(definition, [{ path: file, required: true }])
    return values
  })
}

/** Gives every expected failure the exit code 2. */
export async function asUsageError<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    throw new ZeeError(error.code, error.message, { exitCode: 2, cause: error })
  }
}
