// The change log of a session: every file change with the contents before and after it. Contents are
// stored once, named by their hash, in a folder beside the log. Their total size is limited. Contents
// and log are on the disk before the file changes. Reading verifies the hash.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { openJournal, readJournalSync } from '@zee/core/journal'
import type { SessionWriter } from '../session/session.ts'
import type { ChangeDecision, FileChange } from '../tools/tools.ts'
import type { PathState, RawPath } from './snapshots/snapshots.ts'
import { displayPath, rawPath, unknownMode, unknownSize } from './snapshots/snapshots.ts'

/** Changes to larger files cannot be undone. */
export const maxImageBytes = 16 * 1024 * 1024
/** Maximum size of the stored contents of one session. */
const maxFolderBytes = 256 * 1024 * 1024

/** A change of one path, made by a tool or by the shell commands of a turn. */
export interface ChangeRecord {
  /** Position among the changes of the log, counted from 1. */
  number: number
  callId: string
  tool: string
  /** For display. */
  path: string
  raw: RawPath
  before: PathState
  after: PathState
  /** Lines of the log: where the state before was taken, and where the state after was. */
  opened: number
  closed: number
  /** False if the contents were too large to store. */
  kept: boolean
  /** The path changed after the turn, before the change was recorded. */
  isLater: boolean
  /** Folders that the tool created for the file, outermost last. */
  folders: RawPath[]
  ts: string
}

/** A snapshot of the project before the first shell command of a turn. */
export interface SnapshotRecord {
  /** Its line in the log. */
  line: number
  name: string
  callId: string
  /** End of the turn; undefined if the turn was killed. */
  endedMs?: number
  isClosed: boolean
}

/** Paths that an undo or a redo changes. Written before the first path changes. */
export interface TransactionRecord {
  line: number
  direction: 'undo' | 'redo'
  /** Numbers of the changes. */
  numbers: number[]
  entries: TransactionEntry[]
  isDone: boolean
}

export interface TransactionEntry {
  path: RawPath
  from: PathState
  to: PathState
}

export interface ChangeLog {
  changes: ChangeRecord[]
  snapshots: SnapshotRecord[]
  transactions: TransactionRecord[]
}

/**
 * Stores the contents before and after a change, and logs it. Must run before the file is written;
 * refuses the change when it cannot be logged, because it could not be undone. Flushes the session
 * first, so that a change never survives a power cut without the call that made it.
 */
export async function logChange(
  folder: string,
  change: FileChange,
  clock: Clock,
  session?: Pick<SessionWriter, 'sync'>,
): Promise<ChangeDecision> {
  try {
    session?.sync()
    await appendChange(folder, change, clock)
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

async function appendChange(folder: string, change: FileChange, clock: Clock): Promise<void> {
  const before = change.exists ? readImageOf(change.path) : null
  const room = maxFolderBytes - folderBytes(folder)
  const bytes = (before?.length ?? 0) + change.after.length
  const kept = before !== undefined && change.after.length <= maxImageBytes && bytes <= room
  ensureDurableFolder(folder, 0o700)
  const record = {
    call_id: change.callId,
    tool: change.tool,
    path: change.path,
    before:
      before === null ? null : before === undefined ? '' : await storeImage(folder, before, kept),
    after: await storeImage(folder, change.after, kept),
    kept,
    ...(change.folders === undefined ? {} : { folders: change.folders.map(rawPath) }),
    ts: rfc3339(clock.now(), 0),
  }
  appendToLog(folder, [record])
}

/** Appends records; they are durable when the function returns. Returns the line of the last one. */
export function appendToLog(folder: string, records: readonly Record<string, unknown>[]): number {
  ensureDurableFolder(folder, 0o700)
  const journal = openJournal(logPath(folder), { mode: 0o600 })
  try {
    for (const record of records) journal.append(record)
    journal.sync()
  } finally {
    journal.close()
  }
  let last = 0
  readJournalSync(logPath(folder), ({ line }) => {
    last = line
  })
  return last
}

export function readLog(folder: string): ChangeLog {
  const log: ChangeLog = { changes: [], snapshots: [], transactions: [] }
  if (!existsSync(logPath(folder))) return log
  readJournalSync(logPath(folder), ({ record, line }) => {
    switch (record.type) {
      case undefined:
        addEdit(log, record, line)
        break
      case 'shell_change':
        addShellChange(log, record, line)
        break
      case 'snapshot':
        log.snapshots.push({
          line,
          name: String(record.name),
          callId: String(record.call_id),
          isClosed: false,
        })
        break
      case 'snapshot_ended':
      case 'snapshot_closed':
        endSnapshot(log, record)
        break
      case 'transaction':
        log.transactions.push({
          line,
          direction: record.direction === 'redo' ? 'redo' : 'undo',
          numbers: Array.isArray(record.numbers) ? record.numbers.map(Number) : [],
          entries: Array.isArray(record.entries) ? (record.entries as TransactionEntry[]) : [],
          isDone: false,
        })
        break
      case 'transaction_done': {
        const done = log.transactions.find((each) => each.line === record.transaction)
        if (done !== undefined) done.isDone = true
        break
      }
      default:
    }
  })
  return log
}

export function readChanges(folder: string): ChangeRecord[] {
  return readLog(folder).changes
}

type RawRecord = Readonly<Record<string, unknown>>

function addEdit({ changes }: ChangeLog, record: RawRecord, line: number): void {
  const { call_id: callId, tool, path, before, after, kept, folders, ts } = record
  if (typeof path !== 'string' || typeof after !== 'string') return
  changes.push({
    number: changes.length + 1,
    callId: String(callId),
    tool: String(tool),
    path,
    raw: rawPath(path),
    before: typeof before === 'string' ? storedState(before) : null,
    after: storedState(after),
    opened: line,
    closed: line,
    kept: kept === true,
    isLater: false,
    folders: Array.isArray(folders) ? folders.map(String) : [],
    ts: String(ts),
  })
}

function addShellChange({ changes, snapshots }: ChangeLog, record: RawRecord, line: number): void {
  const { snapshot, path, before, after, is_later: isLater } = record
  const opened = snapshots.find((each) => each.line === snapshot)
  if (typeof path !== 'string' || opened === undefined) return
  changes.push({
    number: changes.length + 1,
    callId: opened.callId,
    tool: 'bash',
    path: displayPath(path),
    raw: path,
    before: (before ?? null) as PathState,
    after: (after ?? null) as PathState,
    opened: opened.line,
    closed: line,
    kept: true,
    isLater: isLater === true,
    folders: [],
    ts: '',
  })
}

function endSnapshot({ snapshots }: ChangeLog, record: RawRecord): void {
  const snapshot = snapshots.find((each) => each.line === record.snapshot)
  if (snapshot === undefined) return
  if (record.type === 'snapshot_closed') snapshot.isClosed = true
  else if (typeof record.ended_ms === 'number') snapshot.endedMs = record.ended_ms
}

/** Contents of an edited file: stored under their hash; a tool keeps the mode. */
function storedState(hash: string): PathState {
  return {
    kind: 'file',
    mode: unknownMode,
    size: unknownSize,
    hash,
    copy: { file: hash, offset: 0 },
  }
}

/** Stored contents by their hash. A copy that does not match its hash is damaged. */
export async function readImage(
  folder: string,
  hash: string,
): Promise<Buffer | 'missing' | 'damaged'> {
  try {
    const contents = readFileSync(path.join(folder, hash))
    return (await sha256Hex(contents)) === hash ? contents : 'damaged'
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'missing'
    throw error
  }
}

export async function sha256Hex(contents: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(contents).digest('hex')
}

function logPath(folder: string): string {
  return path.join(folder, 'changes.jsonl')
}

/** Undefined if the file is too large to store. */
function readImageOf(file: string): Buffer | undefined {
  return statSync(file).size > maxImageBytes ? undefined : readFileSync(file)
}

/** Replaces a damaged copy. */
async function storeImage(folder: string, contents: Uint8Array, kept: boolean): Promise<string> {
  const hash = await sha256Hex(contents)
  if (!kept) return hash
  const file = path.join(folder, hash)
  const { flushFile, writeFileAtomic } = await import('@zee/core/atomic-file')
  // The process that stored an existing copy may have been killed before it flushed the copy.
  if (typeof (await readImage(folder, hash)) === 'object') await flushFile(file)
  else await writeFileAtomic(file, contents, { mode: 0o600 })
  return hash
}

function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  const sizes = readdirSync(folder).map((name) => {
    // Temporary files of another writer may disappear.
    return lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
