// What sessions took, per model and in all.
import type { Receipt } from '@zee/agent'
import { readSession } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { during } from '../errors/errors.ts'
import { dollars } from '../render/render.ts'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'
import { eachSession } from './each-session.ts'
import { existingSession } from './existing-session.ts'

interface Sum {
  answers: number
  input: number
  cached: number
  output: number
  ms: number
  cost: number
  priced: number
}

/** All sessions, or the one that is named. */
export async function statsTable(host: Host, id: string | undefined): Promise<string> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  const sums = new Map<string, Sum>()
  let prompts = 0
  const addSession = async (id: string) => {
    const taken = await takenBy(folder, id)
    prompts += taken.prompts
    for (const receipt of taken.receipts) add(sums, receipt)
  }
  const named = id === undefined ? undefined : existingSession(host, id).id
  const sessions = await during('read sessions', async () => {
    if (named === undefined) return eachSession(host, folder, addSession)
    await addSession(named)
    return 1
  })
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => rowOf(name, sum))
  const head = ['model', 'answers', 'tokens in', 'cached', 'tokens out', 'time', 'cost']
  const total = `${sessions} sessions, ${prompts} prompts\n`
  return rows.length === 0 ? total : total + table([head, ...rows])
}

/** Of a whole session: one that cannot be read to its end does not count in part. */
async function takenBy(
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

function add(sums: Map<string, Sum>, { provider, model, usage, durationMs, costUsd }: Receipt) {
  const name = `${provider}:${model}`
  const none = { answers: 0, input: 0, cached: 0, output: 0, ms: 0, cost: 0, priced: 0 }
  const sum = sums.get(name) ?? none
  sums.set(name, {
    answers: sum.answers + 1,
    input: sum.input + (usage?.inputTokens ?? 0),
    cached: sum.cached + (usage?.cachedInputTokens ?? 0),
    output: sum.output + (usage?.outputTokens ?? 0),
    ms: sum.ms + (durationMs ?? 0),
    cost: sum.cost + (costUsd ?? 0),
    priced: sum.priced + (costUsd === undefined ? 0 : 1),
  })
}

function rowOf(name: string, { answers, input, cached, output, ms, cost, priced }: Sum): string[] {
  const seconds = `${(ms / 1000).toFixed(1)} s`
  const counts = [answers, input, cached, output].map(String)
  return [name, ...counts, seconds, priced === 0 ? '-' : dollars(cost)]
}

function table(rows: readonly (readonly string[])[]): string {
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
