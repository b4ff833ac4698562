// Tokens and cost per day, model, project and program. Kept for a moment: it reads every session.
import type { Host } from '@zee/core/exit'
import type { UsageSum } from '@zee/web/data'
import { findPlaces } from '../places/places.ts'
import { receipts } from '../usage/usage.ts'

const keptMs = 15_000
let kept: { atMs: number; sums: Promise<UsageSum[]> } | undefined

export function usageSums(host: Host): Promise<UsageSum[]> {
  const nowMs = host.clock.monotonicMs()
  if (kept === undefined || nowMs - kept.atMs > keptMs) kept = { atMs: nowMs, sums: sumUp(host) }
  return kept.sums
}

async function sumUp(host: Host): Promise<UsageSum[]> {
  const sums = new Map<string, UsageSum>()
  for await (const row of receipts(findPlaces(host), host)) {
    const { model, project, program } = row
    const day = Number.isNaN(row.timeMs) ? '' : new Date(row.timeMs).toISOString().slice(0, 10)
    const key = JSON.stringify([day, model, project, program])
    const sum = sums.get(key) ?? {
      ...{ day, model, project, program },
      ...{ requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 },
    }
    sums.set(key, sum)
    sum.requests++
    sum.inputTokens += row.inputTokens
    sum.outputTokens += row.outputTokens
    sum.costUsd += row.costUsd ?? 0
    if (row.costUsd === undefined) sum.unpriced++
  }
  return [...sums.values()]
}
