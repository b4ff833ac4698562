// `zcl attempt list` and `attempt latest`: lists attempts, newest first.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { storedAttempts, type StoredAttempt } from '@zee/evidence/runs'
import { outRootFor } from '../../config/config.ts'
import { printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { printList, type ListOptions } from './list.ts'

export async function runAttemptList(options: ListOptions, host: Host): Promise<number> {
  const { absolute } = await outRootFor(host, options.outRoot)
  const found = matching(storedAttempts(absolute), options)
  const rows = (attempt: StoredAttempt) => [
    attempt.attemptId,
    attempt.runId,
    attempt.suiteId,
    attempt.unproven === true ? 'unproven' : attempt.status,
    attempt.startedAt,
  ]
  const describe = (attempt: StoredAttempt) => described(attempt, host)
  // The id of the run contains its start, so a narrow terminal leaves the time out.
  await printList(host, 'attempts', found, options, describe, rows, [4])
  return 0
}

export async function runAttemptLatest(options: ListOptions, host: Host): Promise<number> {
  const { absolute } = await outRootFor(host, options.outRoot)
  let latest: StoredAttempt | undefined
  for (const attempt of matching(storedAttempts(absolute), options)) {
    // Ids order attempts by second; startedAt in attempt.json breaks ties.
    if (latest === undefined || attempt.startedAt > latest.startedAt) latest = attempt
  }
  if (latest === undefined) throw zclError('ZCL_E_MISSING_ARTIFACT', 'no attempt matches')
  const attempt = described(latest, host)
  if (options.json) printJson(host, { ok: true, attempt })
  else printLines(host, [attempt.outDir])
  return 0
}

function* matching(
  attempts: Iterable<StoredAttempt>,
  options: ListOptions,
): Generator<StoredAttempt> {
  const { status = 'any', tag } = options
  const suiteId = options.suite === undefined ? undefined : kebabId(options.suite)
  const missionId = options.mission === undefined ? undefined : kebabId(options.mission)
  for (const attempt of attempts) {
    if (suiteId !== undefined && attempt.suiteId !== suiteId) continue
    if (missionId !== undefined && attempt.missionId !== missionId) continue
    if (status !== 'any' && attempt.status !== status) continue
    if (tag !== undefined && !attempt.tags.includes(tag)) continue
    yield attempt
  }
}

function described(attempt: StoredAttempt, host: Host) {
  const { folder, tags, isSuperseded, ...rest } = attempt
  const superseded = isSuperseded ? true : undefined
  return { ...rest, superseded, tags, outDir: path.relative(host.cwd, folder) }
}
