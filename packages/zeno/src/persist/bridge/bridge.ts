// What a thread knew when it stopped, as a block of text to carry on with.
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

/** The named thread, or the one whose state is newest; undefined when there is none. */
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

/** The last rows of a thread's ledger. */
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
      .map((name) => ({ name, at: statSync(storePath(folder, 'state', name)).mtimeMs }))
    return states.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))[0]?.name
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

function asList(given: unknown): unknown[] {
  return Array.isArray(given) ? given : []
}

function section(title: string, rows: readonly string[]): string[] {
  return [`${title}:`, ...rows.map((row) => `- ${row}`)]
}

function evidenceLine(row: Row): string {
  const where =
    row.kind === 'grep'
      ? `${formatValue(row.hit)} (${formatValue(row.pattern)})`
      : readLocation(row)
  return [formatValue(row.evidence_id), formatValue(row.kind), where, formatValue(row.why)]
    .filter(Boolean)
    .join(' ')
}

function readLocation({ path: file, lines }: Row): string {
  const range = asList(lines).map(formatValue).join('-')
  return range === '' ? formatValue(file) : `${formatValue(file)}:${range}`
}

function claimLine(row: Row): string {
  const grounds = asList(row.evidence).map(formatValue).join(', ')
  return `${formatValue(row.claim_id)} [${formatValue(row.confidence)}] ${formatValue(row.claim)} (${grounds})`
}

/** One line that cannot close the block it stands in. */
function formatValue(given: unknown): string {
  if (given === undefined || given === null) return ''
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return oneLine(text).replaceAll('[/ZENO', '[ /ZENO')
}
