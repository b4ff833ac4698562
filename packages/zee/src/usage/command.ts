// `zee usage`: sums tokens and cost by day, model, project or program.
import { alignColumns, fitColumns } from '@zee/core/columns'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import { sinceMs } from '@zee/core/since'
import { findPlaces } from '../places/places.ts'
import { receipts, type UsageRow } from './usage.ts'

export interface UsageOptions {
  since: string | undefined
  by: string
  json: boolean
}

interface Sum {
  requests: number
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  costUsd: number
  /** Requests whose model has no known price. */
  unpriced: number
}

export async function runUsage(options: UsageOptions, host: Host): Promise<number> {
  const startMs = sinceMs(options.since, host.clock.now())
  const sums = new Map<string, Sum>()
  const total = newSum()
  for await (const row of receipts(findPlaces(host), host)) {
    if (row.timeMs < startMs) continue
    const key = keyOf(row, options.by)
    const sum = sums.get(key) ?? newSum()
    sums.set(key, sum)
    add(sum, row)
    add(total, row)
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  const write = streamWriter(host.stdout)
  if (options.json) {
    const listed = rows.map(([key, sum]) => ({ [options.by]: key, ...sum }))
    await write(`${JSON.stringify({ by: options.by, rows: listed, total })}\n`)
  } else if (rows.length === 0) {
    await write('No receipts yet: zdx, zcl and zino write them when they ask a model.\n')
  } else {
    const width = host.stdout.isTTY === true ? host.stdout.columns || 80 : Number.POSITIVE_INFINITY
    await write(`${table(rows, total, options.by, width).join('\n')}\n`)
  }
  return 0
}

function keyOf(row: UsageRow, by: string): string {
  switch (by) {
    case 'day':
      return Number.isNaN(row.timeMs) ? 'unknown' : new Date(row.timeMs).toISOString().slice(0, 10)
    case 'project':
      return row.project === '' ? 'unknown' : row.project
    case 'program':
      return row.program
    default:
      return row.model
  }
}

function newSum(): Sum {
  return { requests: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 }
}

function add(sum: Sum, row: UsageRow): void {
  sum.requests += 1
  sum.inputTokens += row.inputTokens
  sum.cachedTokens += row.cachedTokens
  sum.outputTokens += row.outputTokens
  sum.costUsd += row.costUsd ?? 0
  if (row.costUsd === undefined) sum.unpriced += 1
}

function table(rows: readonly [string, Sum][], total: Sum, by: string, width: number): string[] {
  const head = [by, 'requests', 'tokens in', 'cached', 'tokens out', 'cost']
  const cells = [...rows, ['total', total] as const].map(([key, sum]) => [
    key,
    ...[sum.requests, sum.inputTokens, sum.cachedTokens, sum.outputTokens].map((count) =>
      count.toLocaleString('en-US'),
    ),
    dollars(sum),
  ])
  const right = [1, 2, 3, 4, 5]
  const all = [head, ...cells]
  const lines = fitColumns(all, width, right) ?? alignColumns(all, right)
  const [unpriced, requests] = [total.unpriced, total.requests].map((n) =>
    n.toLocaleString('en-US'),
  )
  const note = `${unpriced} of ${requests} requests have no known price.`
  return total.unpriced === 0 ? lines : [...lines, '', note]
}

function dollars({ costUsd, requests, unpriced }: Sum): string {
  if (unpriced === requests) return '-'
  return `$${costUsd < 0.01 ? costUsd.toFixed(6) : costUsd.toFixed(2)}`
}
