// Reads the receipts of all programs: model answers in sessions of zdx, runner metrics of attempts of zcl, turns of
// zino.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { uncountedReceipts } from '@zee/agent/sessions'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName } from '@zee/evidence/layout'
import { storedAttempts } from '@zee/evidence/runs'
import type { Host } from '@zee/core/exit'
import { isObject, parseObject } from '@zee/core/json'
import type { Places, StoredSession } from '../places/places.ts'
import { runProgram } from '../programs/programs.ts'
import { listIn } from '../zino/zino.ts'

export interface UsageRow {
  program: 'zdx' | 'zcl' | 'zino'
  timeMs: number
  model: string
  project: string
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  /** Undefined for a model without known prices. */
  costUsd: number | undefined
}

export async function* receipts(places: Places, host: Host): AsyncGenerator<UsageRow> {
  const counted = new Set<string>()
  for (const session of places.sessions) {
    try {
      yield* sessionReceipts(places.folder, session, counted)
    } catch {
      // One unreadable session must not hide the others.
    }
  }
  const logs = sessionLogs(places)
  for (const outRoot of places.outRoots) yield* attemptReceipts(outRoot, logs)
  yield* turnReceipts(host)
}

/** zino need not run: `zino receipts show` reads a file. Nothing if zino is not set up. */
async function* turnReceipts(host: Host): AsyncGenerator<UsageRow> {
  const { code, stdout } = await runProgram('zino', ['receipts', 'show', '--json'], host, 30_000)
  if (code !== 0) return
  for (const receipt of listIn(parseObject(stdout), 'receipts')) {
    const tokens = isObject(receipt.tokens) ? receipt.tokens : {}
    const cost = isObject(receipt.cost) ? receipt.cost.usd : undefined
    const models = Array.isArray(receipt.models) ? receipt.models.map(String) : []
    if (models.length === 0) continue
    yield {
      program: 'zino',
      timeMs: Date.parse(String(receipt.ts)),
      model: models.join(', '),
      project: 'zino',
      inputTokens: count(tokens.input),
      cachedTokens: 0,
      outputTokens: count(tokens.output),
      costUsd: typeof cost === 'number' ? cost : undefined,
    }
  }
}

/** A fork repeats the receipts of its source; `counted` holds those of the sessions read before. */
async function* sessionReceipts(
  folder: string,
  { id, root = '', modifiedMs }: StoredSession,
  counted: Set<string>,
): AsyncGenerator<UsageRow> {
  for await (const { receipt, ts } of uncountedReceipts(folder, id, counted)) {
    const written = Date.parse(ts)
    yield {
      program: 'zdx',
      timeMs: Number.isNaN(written) ? modifiedMs : written,
      model: `${receipt.provider}:${receipt.model}`,
      project: root,
      inputTokens: receipt.usage?.inputTokens ?? 0,
      cachedTokens: receipt.usage?.cachedInputTokens ?? 0,
      outputTokens: receipt.usage?.outputTokens ?? 0,
      costUsd: receipt.costUsd,
    }
  }
}

/** The session files under the path as configured and under the path without links. */
function sessionLogs({ folder, sessions }: Places): ReadonlySet<string> {
  if (sessions.length === 0) return new Set()
  const folders = [path.resolve(folder), realpathSync(folder)]
  return new Set(folders.flatMap((at) => sessions.map(({ id }) => path.join(at, `${id}.jsonl`))))
}

/** `logs` are counted already: an attempt whose numbers come from one of them is skipped. */
function* attemptReceipts(outRoot: string, logs: ReadonlySet<string>): Generator<UsageRow> {
  for (const attempt of storedAttempts(outRoot)) {
    const from = { path: attempt.folder, within: attempt.folder }
    const ref = readJsonArtifact(from, artifactName.runnerRef)
    if (ref.failure === undefined && logs.has(String(ref.value.rolloutPath))) continue
    const read = readJsonArtifact(from, artifactName.runnerMetrics)
    if (read.failure !== undefined) continue
    const metrics = read.value
    yield {
      program: 'zcl',
      timeMs: Date.parse(attempt.startedAt),
      model: typeof metrics.model === 'string' ? metrics.model : 'unknown',
      project: outRoot,
      inputTokens: count(metrics.inputTokens),
      cachedTokens: count(metrics.cachedInputTokens),
      outputTokens: count(metrics.outputTokens),
      costUsd: typeof metrics.costUsd === 'number' ? metrics.costUsd : undefined,
    }
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}
