// The begin line of a call: written, chained and flushed before the call starts, so that a call whose
// recorder dies is not lost. Loads Node built-ins only.
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { lockedAppend } from '@zee/core/journal'
import type { AttemptIdentity } from '../attempt/attempt.ts'
import { chainStart, lineHash } from '@zee/core/chain'
import { artifactName } from '../layout/layout.ts'
import { maxLockWaitMs } from '../schema/limits.ts'
import { idFields } from './ids.ts'
import { recorderName } from './parent.ts'
import { isTornLine } from './torn-line.ts'
import type { ObservedCall } from './trace.ts'

export type BegunCall = Pick<ObservedCall, 'tool' | 'op' | 'startedAt' | 'input' | 'parentId'> & {
  id: string
}

/** Appends the begin line under the lock of its stream; it is on disk when the promise resolves. */
export async function appendBegin(
  folder: string,
  identity: AttemptIdentity,
  call: BegunCall,
): Promise<void> {
  const fields = [
    ['v', '1'],
    ['ts', JSON.stringify(rfc3339(call.startedAt))],
    ...idFields(identity),
    ['id', JSON.stringify(call.id)],
    ['recorder', JSON.stringify(recorderName())],
    ...(call.parentId === undefined ? [] : [['parentId', JSON.stringify(call.parentId)]]),
    ['tool', JSON.stringify(call.tool)],
    ['op', JSON.stringify(call.op)],
    ['input', call.input.json],
  ]
  const body = fields.map(([key, json]) => `"${key}":${json}`).join(',')
  await lockedAppend(
    path.join(folder, artifactName.begins),
    (lastLine, torn) => {
      const previous = torn ?? lastLine
      const hash = previous === undefined ? chainStart : lineHash(previous)
      return `{${body},"chain":"${hash}"}`
    },
    {
      durability: 'durable',
      waitMs: maxLockWaitMs,
      isOwnTail: (tail) => isTornLine(tail, identity.runId),
    },
  )
}
