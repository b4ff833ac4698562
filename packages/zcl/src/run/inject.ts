// Injects faults into a call of `zcl run`: which faults it gets, and the output that it prints then.
import { traceEvents, type StoredEvent } from '@zee/evidence/events'
import { usageError } from '@zee/core/errors'
import type { AttemptContext } from '@zee/evidence/attempt'
import {
  answerFaultOf,
  faultsAt,
  faultyAnswer,
  injectSettings,
  isHttpFault,
  parseInject,
  refuseHttpFaults,
  type Fault,
} from '../faults/faults.ts'
import type { RunOptions } from './options.ts'

export { delayOf, withoutAnswerFaults } from '../faults/faults.ts'
export type { Fault } from '../faults/faults.ts'

/** The faults of the next call of the attempt; the same seed gives the same faults. */
export async function nextFaults(
  { folder, identity }: AttemptContext,
  options: Pick<RunOptions, 'inject' | 'injectSeed'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Fault[]> {
  const { rules, seed } = injectSettings(
    { inject: options.inject.map(parseInject), injectSeed: seedOf(options.injectSeed) },
    env,
  )
  if (options.inject.length > 0) refuseHttpFaults(rules)
  let index = 0
  for await (const _ of traceEvents(folder)) index++
  const own = rules.filter((rule) => !isHttpFault(rule))
  return faultsAt({ rules: own, seed }, identity.attemptId, index)
}

function seedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usageError(`--inject-seed '${text}' is not a whole number (see 'zcl run --help')`)
}

/** Whether the command runs at all. */
export function isError(faults: readonly Fault[]): boolean {
  return faults.some(({ kind }) => kind === 'error')
}

export function changesAnswer(faults: readonly Fault[]): boolean {
  return answerFaultOf(faults) !== undefined
}

/** The output with its fault; undefined if there is no older answer that could be repeated. */
export async function faultyOutput(
  { folder }: AttemptContext,
  tool: string,
  faults: readonly Fault[],
  stdout: Buffer,
): Promise<Buffer | undefined> {
  const fault = answerFaultOf(faults)
  if (fault === undefined) return undefined
  const earlier = fault === 'stale' ? await earlierOutput(folder, tool) : undefined
  const text = faultyAnswer(fault, stdout.toString('utf8'), earlier)
  return text === undefined ? undefined : Buffer.from(text)
}

/** The latest complete output of the same command in this attempt. */
async function earlierOutput(folder: string, tool: string): Promise<string | undefined> {
  let latest: StoredEvent | undefined
  for await (const event of traceEvents(folder)) {
    const argv = event.input.argv
    const isSame = event.tool === 'cli' && Array.isArray(argv) && argv[0] === tool
    if (isSame && event.ok && !event.isOutTruncated) latest = event
  }
  return latest?.outPreview
}
