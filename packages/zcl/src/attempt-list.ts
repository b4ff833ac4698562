// `zcl attempt list`, `attempt latest` and `runs list`: newest first, written as they are found, so
// that thousands of attempts need no memory.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { harmless } from '@zee/core/lossless'
import { zclError } from '@zee/evidence/errors'
import { runFolders, storedAttempts, summariseRun } from '@zee/evidence/runs'
import type { StoredAttempt, StoredRunSummary } from '@zee/evidence/runs'
import { outRootFor } from './config.ts'
import { aligned, printJson, printLines } from './output.ts'

export interface ListOptions {
  suite: string | undefined
  mission?: string | undefined
  status?: string
  tag?: string | undefined
  limit: number | undefined
  outRoot: string | undefined
  json: boolean
}

export async function runAttemptList(options: ListOptions, host: Host): Promise<number> {
  const { absolute } = await outRootFor(host, options.outRoot)
  const found = matching(storedAttempts(absolute), options)
  const rows = (attempt: StoredAttempt) => [
    attempt.attemptId,
    attempt.runId,
    attempt.suiteId,
    attempt.status,
    attempt.startedAt,
  ]
  await printList(host, 'attempts', found, options, (attempt) => described(attempt, host), rows)
  return 0
}

export async function runAttemptLatest(options: ListOptions, host: Host): Promise<number> {
  const { absolute } = await outRootFor(host, options.outRoot)
  let latest: StoredAttempt | undefined
  for (const attempt of matching(storedAttempts(absolute), options)) {
    // Newest first by id; equal seconds are told apart by the time in attempt.json.
    if (latest === undefined || attempt.startedAt > latest.startedAt) latest = attempt
  }
  if (latest === undefined) throw zclError('ZCL_E_MISSING_ARTIFACT', 'there is no such attempt')
  const attempt = described(latest, host)
  if (options.json) printJson(host, { ok: true, attempt })
  else printLines(host, [attempt.outDir])
  return 0
}

export async function runRunsList(options: ListOptions, host: Host): Promise<number> {
  const { absolute } = await outRootFor(host, options.outRoot)
  const suiteId = options.suite === undefined ? undefined : kebabId(options.suite)
  const found = summaries(absolute, suiteId)
  const rows = (run: StoredRunSummary) => [
    run.runId,
    run.suiteId,
    `${run.attempts} attempts`,
    `${run.passed} ok`,
    `${run.failed} failed`,
    run.pinned ? 'pinned' : '',
  ]
  await printList(host, 'runs', found, options, (run) => run, rows)
  return 0
}

function* summaries(outRoot: string, suiteId: string | undefined): Generator<StoredRunSummary> {
  for (const folder of runFolders(outRoot)) {
    const run = summariseRun(folder)
    if (suiteId === undefined || run.suiteId === suiteId) yield run
  }
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
  const { folder, tags, ...rest } = attempt
  return { ...rest, tags, outDir: path.relative(host.cwd, folder) }
}

/** `{ok, <name>[], total}`, item by item; total counts what matched, beyond the limit too. */
async function printList<Item>(
  host: Host,
  name: string,
  items: Iterable<Item>,
  options: ListOptions,
  describe: (item: Item) => object,
  columns: (item: Item) => string[],
): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, json } = options
  const write = harmless(host.stdout)
  let total = 0
  let block: string[][] = []
  if (json) await write(`{\n  "ok": true,\n  "${name}": [`)
  for (const item of items) {
    total++
    if (total > limit) continue
    if (json) {
      const text = JSON.stringify(describe(item), undefined, 2).replaceAll('\n', '\n    ')
      await write(`${total === 1 ? '' : ','}\n    ${text}`)
    } else block.push(columns(item))
    if (block.length >= rowsAtOnce) {
      await write(`${aligned(block).join('\n')}\n`)
      block = []
    }
  }
  if (!json) return printLines(host, aligned(block))
  const close = total === 0 || limit === 0 ? ']' : '\n  ]'
  await write(`${close},\n  "total": ${total}\n}\n`)
}

const rowsAtOnce = 1000
