// Sums answers, tokens, time and cost of sessions per model.
import type { Receipt } from '@zee/agent'
import { readSession } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { withErrorContext } from '../errors/errors.ts'
import { formatDollars } from '../render/render.ts'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'
import { forEachSession } from './for-each-session.ts'
import { requireSession } from './require-session.ts'

interface ModelTotals {
  answers: number
  input: number
  cached: number
  output: number
  ms: number
  cost: number
  priced: number
}

/** The table for one session, by default for all. */
export async function statsTable(host: Host, id: string | undefined): Promise<string> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  const totals = new Map<string, ModelTotals>()
  let prompts = 0
  const addSession = async (id: string) => {
    const usage = await readUsage(folder, id)
    prompts += usage.prompts
    for (const receipt of usage.receipts) addReceipt(totals, receipt)
  }
  const named = id === undefined ? undefined : requireSession(host, id).id
  const sessions = await withErrorContext('read sessions', async () => {
    if (named === undefined) return forEachSession(host, folder, addSession)
    await addSession(named)
    return 1
  })
  const rows = [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]) => tableRow(name, sum))
  const head = ['model', 'answers', 'tokens in', 'cached', 'tokens out', 'time', 'cost']
  const counts = `${sessions} sessions, ${prompts} prompts\n`
  return rows.length === 0 ? counts : counts + formatTable([head, ...rows])
}

/** Reads the entire session before anything is summed, so that an unreadable one adds nothing. */
async function readUsage(
  folder: string,
  id: string,
): Promise<{ prompts: number; receipts: Receipt[] }> {
  const receipts: Receipt[] = []
  let prompts = 0
  for await (const { record } of readSession(folder, id)) {
    if (record.type === 'message' && record.role === 'user') prompts += 1
    if (record.type !== 'message' && record.type !== 'tool_use') continue
    if (record.receipt !== undefined) receipts.push(record.receipt)
  }
  return { prompts, receipts }
}

function addReceipt(
  totals: Map<string, ModelTotals>,
  { provider, model, usage, durationMs, costUsd }: Receipt,
) {
  const name = `${provider}:${model}`
  const none = { answers: 0, input: 0, cached: 0, output: 0, ms: 0, cost: 0, priced: 0 }
  const sum = totals.get(name) ?? none
  totals.set(name, {
    answers: sum.answers + 1,
    input: sum.input + (usage?.inputTokens ?? 0),
    cached: sum.cached + (usage?.cachedInputTokens ?? 0),
    output: sum.output + (usage?.outputTokens ?? 0),
    ms: sum.ms + (durationMs ?? 0),
    cost: sum.cost + (costUsd ?? 0),
    priced: sum.priced + (costUsd === undefined ? 0 : 1),
  })
}

function tableRow(
  name: string,
  { answers, input, cached, output, ms, cost, priced }: ModelTotals,
): string[] {
  const seconds = `${(ms / 1000).toFixed(1)} s`
  const counts = [answers, input, cached, output].map(String)
  return [name, ...counts, seconds, priced === 0 ? '-' : formatDollars(cost)]
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const aligned = rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  )
  return aligned.map((row) => `${row.join('  ').trimEnd()}\n`).join('')
}
