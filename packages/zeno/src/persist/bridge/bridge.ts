// The context bridge: the stored state of a thread, formatted for a session that resumes it.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import { lastLines } from '../../last-lines/last-lines.ts'
import { safeId } from '../safe-id.ts'
import { storePath } from '../store.ts'
import { parseObject } from '@zee/core/json'

type Row = Record<string, unknown>

export interface Bridge {
  threadId: string
  state: Row
  evidence: Row[]
  claims: Row[]
}

interface BridgeQuery {
  folder: string
  threadId?: string | undefined
  maxEvidence: number
  maxClaims: number
}

/** Loads the named thread, or the one with the newest state; undefined if there is none. */
export function loadBridge({
  folder,
  threadId,
  maxEvidence,
  maxClaims,
}: BridgeQuery): Bridge | undefined {
  const name = threadId === undefined ? newestState(folder) : `${safeId(threadId)}.json`
  if (name === undefined) return undefined
  const state = readState(storePath(folder, 'state', name))
  if (state === undefined) return undefined
  const thread = path.basename(name, '.json')
  return {
    threadId: thread,
    state,
    evidence: recentRows(folder, 'evidence', thread, maxEvidence),
    claims: recentRows(folder, 'claims', thread, maxClaims),
  }
}

/** Returns the last rows of a thread's ledger. */
export function recentRows(folder: string, kind: string, thread: string, count: number): Row[] {
  if (count === 0) return []
  return lastLines(storePath(folder, kind, `${thread}.jsonl`), count)
    .map(parseObject)
    .filter((row) => row !== undefined)
}

export function bridgeText({ threadId, state, evidence, claims }: Bridge): string {
  const lines = [
    '[ZENO_CONTEXT_BRIDGE]',
    `thread_id: ${threadId}`,
    `turn_id: ${formatValue(state.turn_id)}`,
    `timestamp: ${formatValue(state.timestamp)}`,
    `summary: ${formatValue(state.high_level_summary)}`,
    ...section('open_questions', asList(state.open_questions).map(formatValue)),
    ...section('next_retrieval_plan', asList(state.next_retrieval_plan).map(formatValue)),
    ...section('recent_evidence', evidence.map(evidenceLine)),
    ...section('recent_claims', claims.map(claimLine)),
    '[/ZENO_CONTEXT_BRIDGE]',
  ]
  return `${lines.join('\n')}\n`
}

export function bridgeJson({ threadId, state, evidence, claims }: Bridge): Row {
  return {
    thread_id: threadId,
    turn_id: state.turn_id ?? '',
    timestamp: state.timestamp ?? '',
    summary: state.high_level_summary ?? '',
    open_questions: asList(state.open_questions),
    next_retrieval_plan: asList(state.next_retrieval_plan),
    recent_evidence: evidence,
    recent_claims: claims,
  }
}

function newestState(folder: string): string | undefined {
  try {
    const states = readdirSync(path.join(folder, 'state'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, mtimeMs: statSync(storePath(folder, 'state', name)).mtimeMs }))
    return states.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? -1 : 1))[0]?.name
  } catch {
    return undefined
  }
}

function readState(file: string): Row | undefined {
  try {
    return parseObject(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function section(title: string, rows: readonly string[]): string[] {
  return [`${title}:`, ...rows.map((row) => `- ${row}`)]
}

function evidenceLine(row: Row): string {
  const location =
    row.kind === 'grep'
      ? `${formatValue(row.hit)} (${formatValue(row.pattern)})`
      : readLocation(row)
  return [formatValue(row.evidence_id), formatValue(row.kind), location, formatValue(row.why)]
    .filter(Boolean)
    .join(' ')
}

function readLocation({ path: file, lines }: Row): string {
  const range = asList(lines).map(formatValue).join('-')
  return range === '' ? formatValue(file) : `${formatValue(file)}:${range}`
}

function claimLine(row: Row): string {
  const evidence = asList(row.evidence).map(formatValue).join(', ')
  return `${formatValue(row.claim_id)} [${formatValue(row.confidence)}] ${formatValue(row.claim)} (${evidence})`
}

/** Formats a value on one line and breaks up end markers, so that it cannot close the block. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return oneLine(text).replaceAll('[/ZENO', '[ /ZENO')
}
