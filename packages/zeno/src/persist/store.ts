// The store of thread state and ledgers. JSON files are replaced atomically, ledgers are append-only, and
// storing the same turn twice is idempotent.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { errorAfter } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { openJournal, readJournalSync } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import type { TurnBlocks } from './blocks.ts'
import { fillHashes } from './fill-hashes.ts'
import { rotateIfLarger } from './rotation.ts'
import { safeId } from './safe-id.ts'
import { isObject } from '@zee/core/json'

type Row = Record<string, unknown>

export interface Turn {
  threadId: unknown
  turnId: unknown
  /** The notification or hook input, stored in the snapshot. */
  payload: unknown
  blocks: TurnBlocks
}

export interface StoreOptions {
  /** The store, such as `.codex/zeno` of a repository. */
  folder: string
  clock: Clock
  redactor: Redactor
  /** The folder whose files evidence cites. */
  root: string
  /** A larger ledger is rotated before the next append. */
  ledgerBytes: number
}

export interface Stored {
  threadId: string
  turnId: string
  evidence: number
  claims: number
  state: boolean
}

export const defaultLedgerBytes = 20 * 1024 * 1024

export function storePath(folder: string, kind: string, name: string): string {
  return path.join(folder, kind, name)
}

/** Stores one turn. The caller must hold the lock of the folder. */
export async function storeTurn(turn: Turn, options: StoreOptions): Promise<Stored> {
  try {
    return await storeParts(turn, options)
  } catch (error) {
    throw errorAfter('a part of the turn may be stored', error)
  }
}

async function storeParts(turn: Turn, options: StoreOptions): Promise<Stored> {
  const { folder, clock, redactor } = options
  const threadId = safeId(turn.threadId)
  const turnId = safeId(turn.turnId)
  const now = rfc3339(clock.now(), 0)
  const { state, evidence, claims } = redactor.value(turn.blocks).value as TurnBlocks
  const snapshot = storePath(folder, `snapshots/${threadId}`, `${turnId}.json`)
  const before = readSnapshot(snapshot)
  const context = { threadId, turnId, before }
  const hashed = await fillHashes(evidence, options.root, clock)
  const evidenceRows = hashed.map((row) => ({ hash: '', timestamp: now, ...row }))
  const claimRows = claims.map((row) => ({ confidence: '', timestamp: now, ...row }))
  const added = {
    evidence: appendNew('evidence', 'evidence_id', evidenceRows, context, options),
    claims: appendNew('claims', 'claim_id', claimRows, context, options),
  }
  const fullState = { thread_id: threadId, turn_id: turnId, timestamp: now, ...state }
  if (state !== undefined)
    await writeJson(storePath(folder, 'state', `${threadId}.json`), fullState)
  await writeJson(snapshot, {
    thread_id: threadId,
    turn_id: turnId,
    payload: redactor.value(turn.payload).value,
    state: state === undefined ? (before?.state ?? null) : fullState,
    evidence: concatRows(before?.evidence, added.evidence),
    claims: concatRows(before?.claims, added.claims),
  })
  return {
    threadId,
    turnId,
    evidence: added.evidence.length,
    claims: added.claims.length,
    state: state !== undefined,
  }
}

/** Formats a line of `notify.log`. */
export function logLine(stored: Stored, now: string): string {
  const { threadId, turnId, evidence, claims, state } = stored
  const ids = `thread_id=${threadId} turn_id=${turnId}`
  const block = state ? 'True' : 'False'
  return `${now} zeno_checkpoint ${ids} evidence=${evidence} claims=${claims} state_block=${block}\n`
}

export async function writeJson(file: string, value: unknown): Promise<void> {
  ensureDurableFolder(path.dirname(file))
  await writeJsonAtomic(file, value, { mode: 0o600 })
}

interface TurnContext {
  threadId: string
  turnId: string
  before: Row | undefined
}

/** Appends the rows that are not stored yet for this turn, and returns them. */
function appendNew(
  kind: 'evidence' | 'claims',
  idKey: string,
  rows: readonly Row[],
  { threadId, turnId, before }: TurnContext,
  { folder, clock, ledgerBytes }: StoreOptions,
): Row[] {
  if (rows.length === 0) return []
  const file = storePath(folder, kind, `${threadId}.jsonl`)
  ensureDurableFolder(path.dirname(file))
  const keys = storedKeys(file, kind, idKey, turnId, before)
  const added: Row[] = []
  rotateIfLarger(file, ledgerBytes, clock.now())
  const journal = openJournal(file, { durability: 'durable' })
  try {
    for (const row of rows) {
      const key = rowKey(row, idKey, turnId)
      if (keys.has(key)) continue
      keys.add(key)
      const fullRow = { ...row, turn_id: turnId }
      journal.append(fullRow)
      added.push(fullRow)
    }
  } finally {
    journal.close()
  }
  return added
}

/** Returns the keys of the turn's rows in the ledger and in its snapshot, which covers rotated ledgers. */
function storedKeys(
  file: string,
  kind: string,
  idKey: string,
  turnId: string,
  before: Row | undefined,
): Set<string> {
  const rows: unknown[] = Array.isArray(before?.[kind]) ? [...before[kind]] : []
  if (existsSync(file)) {
    readJournalSync(file, ({ record }) => void (record.turn_id === turnId && rows.push(record)))
  }
  return new Set(rows.filter(isObject).map((row) => rowKey(row, idKey, turnId)))
}

/** Identifies a row by its id, or by its content if the row or the turn has no id. */
function rowKey(row: Row, idKey: string, turnId: string): string {
  const id = row[idKey]
  if (typeof id === 'string' && id !== '' && turnId !== 'unknown') return `id ${id}`
  const { timestamp: _timestamp, turn_id: _turn, ...content } = row
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

function concatRows(before: unknown, added: readonly Row[]): Row[] {
  return [...(Array.isArray(before) ? (before as Row[]) : []), ...added]
}

function readSnapshot(file: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
