// The ids of an event: those of its attempt, its own, and that of the call it is a part of. Loads Node
// built-ins only.
import { randomHex } from '@zee/core/ids'
import type { AttemptIdentity } from '../attempt/attempt.ts'

/** Names the traced call that a child process belongs to. */
export const parentVariable = 'ZCL_PARENT_ID'

/** An id that links a begin line, its event and nested calls. */
export function newCallId(): string {
  return randomHex(8)
}

/** The parent that the environment names. */
export function parentIdFrom(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const id = env[parentVariable]
  return id !== undefined && /^[0-9a-f]{16}$/.test(id) ? id : undefined
}

/** The fields of the attempt's ids, in the order of the schema. */
export function idFields(identity: AttemptIdentity): string[][] {
  const { runId, suiteId, missionId, attemptId, agentId } = identity
  return Object.entries({ runId, suiteId, missionId, attemptId, agentId })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, JSON.stringify(value)])
}
