// Describes values that a schema refuses: the place in the file, the key, what it must be, and its value.
import type { Issue } from '@zee/core/config-issues'
import type * as z from 'zod/mini'
import type { SuitePath } from './unknown-keys.ts'

/** Removes zod's own messages, so that any message left comes from the schema. */
export const withoutMessages = { error: () => '' }

export interface WrongValue {
  path: SuitePath
  /** `missions.0.timeoutMs must be a whole number above 0 (got -1)` */
  text: string
}

/** The first wrong value. The words are loaded only here, because few files have one. */
export async function describeWrongValue(
  schema: z.ZodMiniObject,
  value: unknown,
  issues: readonly Issue[],
): Promise<WrongValue> {
  const { describeIssues } = await import('@zee/core/config-issues')
  const nameOf = (path: SuitePath) => path.join('.')
  const [first] = describeIssues({ schema, format: 'json' }, value, issues, nameOf)
  return first ?? { path: [], text: 'the file is not valid' }
}
