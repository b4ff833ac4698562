// Reads the receipts of all programs: model answers in sessions of zdx and runner metrics of attempts of zcl.
import { readSession } from '@zee/agent'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName } from '@zee/evidence/layout'
import { storedAttempts } from '@zee/evidence/runs'
import type { Places } from '../places/places.ts'

export interface UsageRow {
  program: 'zdx' | 'zcl'
  timeMs: number
  model: string
  project: string
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  /** Undefined for a model without known prices. */
  costUsd: number | undefined
}

export async function* receipts(places: Places): AsyncGenerator<UsageRow> {
  for (const session of places.sessions) {
    try {
      yield* sessionReceipts(places.folder, session.id, session.root ?? '', session.modifiedMs)
    } catch {
      // One unreadable session must not hide the others.
    }
  }
  for (const outRoot of places.outRoots) yield* attemptReceipts(outRoot)
}

async function* sessionReceipts(
  folder: string,
  id: string,
  project: string,
  modifiedMs: number,
): AsyncGenerator<UsageRow> {
  for await (const { record } of readSession(folder, id)) {
    const receipt = 'receipt' in record ? record.receipt : undefined
    if (receipt === undefined) continue
    const written = Date.parse(record.ts)
    yield {
      program: 'zdx',
      timeMs: Number.isNaN(written) ? modifiedMs : written,
      model: `${receipt.provider}:${receipt.model}`,
      project,
      inputTokens: receipt.usage?.inputTokens ?? 0,
      cachedTokens: receipt.usage?.cachedInputTokens ?? 0,
      outputTokens: receipt.usage?.outputTokens ?? 0,
      costUsd: receipt.costUsd,
    }
  }
}

function* attemptReceipts(outRoot: string): Generator<UsageRow> {
  for (const attempt of storedAttempts(outRoot)) {
    const from = { path: attempt.folder, within: attempt.folder }
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
