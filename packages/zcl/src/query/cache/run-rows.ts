// Reads the evidence of one run and emits its table rows.
import path from 'node:path'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName, attemptsFolder } from '@zee/evidence/layout'
import type { ReportFile } from '@zee/evidence/schema'
import { openRun, type AttemptFacts } from '@zee/evidence/statistics'
import { visitCalls, type CallFacts } from '@zee/evidence/events'
import type { Cell, TableName } from '../tables.ts'

/** Receives each row, with cells in the order of the table's columns. */
export type AddRow = (table: TableName, row: Cell[]) => void

/** Bounds the rows in memory: a single trace can be larger than memory. */
export interface RowStore {
  isFull: () => boolean
  flush: () => Promise<void>
}

export async function addRunRows(runFolder: string, add: AddRow, store: RowStore): Promise<void> {
  const run = openRun(runFolder)
  const counts = { attempts: 0, passed: 0, failed: 0, infra: 0, missing: 0 }
  for (const { facts, report, isSuperseded } of run.attempts()) {
    if (!isSuperseded) {
      counts.attempts++
      counts[facts.outcome]++
    }
    const folder = path.join(attemptsFolder(runFolder), facts.attemptId)
    const from = { path: folder, within: runFolder }
    const ids = [facts.runId, facts.suiteId, facts.missionId, facts.attemptId]
    add('attempts', [...ids, ...attemptCells(facts, report, from)])
    for (const finding of report?.findings ?? []) {
      const { kind, basis, classification = null, message, lines, linesTotal } = finding
      add('findings', [
        ...ids,
        kind,
        basis,
        classification,
        message,
        JSON.stringify(lines),
        linesTotal,
      ])
    }
    const addCall = (call: CallFacts) => {
      add('calls', [...ids, ...callCells(call)])
      return !store.isFull()
    }
    let after = report === undefined ? undefined : visitCalls(from, addCall)
    for (; after !== undefined; after = visitCalls(from, addCall, after)) await store.flush()
    if (store.isFull()) await store.flush()
  }
  const { facts } = run
  add('runs', [
    facts.runId,
    facts.suiteId,
    epochMsOrNull(facts.createdAt),
    facts.pinned,
    facts.comparabilityKey ?? null,
    ...Object.values(counts),
  ])
}

function attemptCells(
  facts: AttemptFacts,
  report: ReportFile | undefined,
  from: { path: string; within: string },
): Cell[] {
  const attempt = readObject(from, artifactName.attempt)
  const runner = readObject(from, artifactName.runnerMetrics)
  const { metrics, tokenEstimates: tokens, expectations } = report ?? {}
  return [
    facts.contentHash,
    facts.outcome,
    facts.infraCode ?? null,
    report?.ok ?? null,
    report?.classification ?? null,
    JSON.stringify(report?.decisionTags ?? []),
    stringOrNull(attempt.mode),
    stringOrNull(attempt.agentId),
    stringOrNull(runner.model),
    epochMsOrNull(report?.startedAt),
    epochMsOrNull(report?.endedAt),
    metrics?.toolCallsTotal ?? null,
    metrics?.failuresTotal ?? null,
    metrics?.timeoutsTotal ?? null,
    metrics?.retriesTotal ?? null,
    metrics?.wallTimeMs ?? null,
    metrics?.durationMsTotal ?? null,
    metrics?.outBytesTotal ?? null,
    metrics?.errBytesTotal ?? null,
    tokens?.inputTokens ?? null,
    tokens?.outputTokens ?? null,
    tokens?.totalTokens ?? null,
    tokens?.source ?? null,
    expectations?.ok ?? null,
  ]
}

function callCells(call: CallFacts): Cell[] {
  return [
    call.line,
    Number.isNaN(call.ts) ? null : call.ts,
    call.tool,
    call.op,
    commandOf(call),
    call.input,
    call.ok,
    call.code === '' ? null : call.code,
    exitCodeOf(call),
    call.durationMs,
    call.outBytes,
    call.errBytes,
    call.outCut || call.errCut,
  ]
}

const plainCommand = /^\{"argv":\["([^"\\]*)"/

function commandOf({ tool, op, input }: CallFacts): string | null {
  if (tool !== 'cli' || op !== 'exec') return null
  const plain = plainCommand.exec(input)?.[1]
  if (plain !== undefined) return plain
  const { argv } = JSON.parse(input === '' ? '{}' : input) as { argv?: unknown }
  return Array.isArray(argv) ? stringOrNull(argv[0]) : null
}

/** A successful command has exit code 0, so only failed calls parse the full record. */
function exitCodeOf(call: CallFacts): number | null {
  if (call.ok) return call.tool === 'cli' && call.op === 'exec' ? 0 : null
  const { exitCode } = (call.record().result ?? {}) as { exitCode?: unknown }
  return typeof exitCode === 'number' && Number.isInteger(exitCode) ? exitCode : null
}

function readObject(
  from: { path: string; within: string },
  name: string,
): Readonly<Record<string, unknown>> {
  const read = readJsonArtifact(from, name)
  return read.failure === undefined ? read.value : {}
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function epochMsOrNull(text: string | undefined): number | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}
