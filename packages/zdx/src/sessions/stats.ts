// Sums answers, tokens, time and cost of sessions per model.
import { alignColumns, fitColumns } from '@zee/core/columns'
import type { Receipt } from '@zee/agent'
import { readSession } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { withErrorContext } from '../errors/errors.ts'
import { formatDollars } from '../render/render.ts'
import type { SessionScope } from '../project/project.ts'
import { counted } from '../text/text.ts'
import { forEachSession } from './for-each-session.ts'

interface ModelTotals {
  answers: number
  input: number
  cached: number
  output: number
  ms: number
  cost: number
  priced: number
}

export interface Stats {
  sessions: number
  prompts: number
  /** By `provider:model`, in alphabetical order. */
  models: [string, ModelTotals][]
}

/** The sums of one session, or without an id of every session. */
export async function sumStats(
  host: Host,
  { folder }: Pick<SessionScope, 'folder'>,
  id: string | undefined,
): Promise<Stats> {
  const totals = new Map<string, ModelTotals>()
  let prompts = 0
  const addSession = async (id: string) => {
    const usage = await readUsage(folder, id)
    prompts += usage.prompts
    for (const receipt of usage.receipts) addReceipt(totals, receipt)
  }
  const sessions = await withErrorContext('read sessions', async () => {
    if (id === undefined) return forEachSession(host, folder, addSession)
    await addSession(id)
    return 1
  })
  return { sessions, prompts, models: [...totals].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

/** The names of models are cut where the table is wider than `width` columns. */
export function statsTable({ sessions, prompts, models }: Stats, width: number): string {
  const rows = models.map(([name, sum]) => tableRow(name, sum))
  const head = ['model', 'answers', 'tokens in', 'cached', 'tokens out', 'time', 'cost']
  const counts = `${counted(sessions, 'session')}, ${counted(prompts, 'prompt')}\n`
  return rows.length === 0 ? counts : counts + formatTable([head, ...rows], width)
}

/** One object per model, then the totals. */
export function statsJson({ sessions, prompts, models }: Stats): string {
  const total = models.reduce((sum, [, each]) => addTotals(sum, each), noTotals)
  const lines = [
    ...models.map(([model, sum]) => ({ type: 'model', model, ...totalFields(sum) })),
    { type: 'total', sessions, prompts, ...totalFields(total) },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function totalFields({ answers, input, cached, output, ms, cost, priced }: ModelTotals) {
  return {
    answers,
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    duration_ms: ms,
    ...(priced === 0 ? {} : { cost_usd: roundDollars(cost) }),
  }
}

/** Removes the noise of floating-point sums. */
function roundDollars(amount: number): number {
  return Math.round(amount * 1e8) / 1e8
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
    if ('receipt' in record && record.receipt !== undefined) receipts.push(record.receipt)
  }
  return { prompts, receipts }
}

function addReceipt(
  totals: Map<string, ModelTotals>,
  { provider, model, usage, durationMs, costUsd }: Receipt,
) {
  const name = `${provider}:${model}`
  const one = {
    answers: 1,
    input: usage?.inputTokens ?? 0,
    cached: usage?.cachedInputTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    ms: durationMs ?? 0,
    cost: costUsd ?? 0,
    priced: costUsd === undefined ? 0 : 1,
  }
  totals.set(name, addTotals(totals.get(name) ?? noTotals, one))
}

const noTotals: ModelTotals = {
  answers: 0,
  input: 0,
  cached: 0,
  output: 0,
  ms: 0,
  cost: 0,
  priced: 0,
}

function addTotals(one: ModelTotals, other: ModelTotals): ModelTotals {
  return {
    answers: one.answers + other.answers,
    input: one.input + other.input,
    cached: one.cached + other.cached,
    output: one.output + other.output,
    ms: one.ms + other.ms,
    cost: one.cost + other.cost,
    priced: one.priced + other.priced,
  }
}

function tableRow(
  name: string,
  { answers, input, cached, output, ms, cost, priced }: ModelTotals,
): string[] {
  const seconds = `${(ms / 1000).toFixed(1)} s`
  const counts = [answers, input, cached, output].map(String)
  return [name, ...counts, seconds, priced === 0 ? '-' : formatDollars(cost)]
}

function formatTable(rows: readonly (readonly string[])[], width: number): string {
  const numbers = (rows[0] ?? []).map((_cell, column) => column).slice(1)
  return (fitColumns(rows, width, numbers) ?? alignColumns(rows, numbers))
    .map((line) => `${line}\n`)
    .join('')
}
