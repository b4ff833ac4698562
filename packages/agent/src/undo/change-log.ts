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

/** Changes to larger files cannot be undone. */
export const maxImageBytes = 16 * 1024 * 1024
/** Maximum size of the stored contents of one session. */
const maxFolderBytes = 256 * 1024 * 1024

/** One record of the log. */
export interface ChangeRecord {
  /** Position in the log, counted from 1. */
  number: number
  callId: string
  tool: string
  path: string
  /** Hash of the contents; null if the file did not exist. */
  before: string | null
  after: string
  /** False if the contents were too large to store. */
  kept: boolean
  ts: string
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
    ts: rfc3339(clock.now(), 0),
  }
  const journal = openJournal(logPath(folder), { durability: 'durable' })
  try {
    journal.append(record)
  } finally {
    journal.close()
  }
}

export function readChanges(folder: string): ChangeRecord[] {
  const changes: ChangeRecord[] = []
  if (!existsSync(logPath(folder))) return changes
  readJournalSync(logPath(folder), ({ record }) => {
    const { call_id: callId, tool, path, before, after, kept, ts } = record
    if (typeof path !== 'string' || typeof after !== 'string') return
    changes.push({
      number: changes.length + 1,
      callId: String(callId),
      tool: String(tool),
      path,
      before: typeof before === 'string' ? before : null,
      after,
      kept: kept === true,
      ts: String(ts),
    })
  })
  return changes
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
