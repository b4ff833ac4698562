// What a session did to files: a log of changes with the contents before and after each, kept apart
// from the session in a folder of its own. Contents are stored once under their hash and bounded.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { openJournal, readJournalSync } from '@zee/core/journal'
import type { ChangeDecision, FileChange } from '../tools/tools.ts'

/** Larger files are changed without a way back. */
export const maxImageBytes = 16 * 1024 * 1024
/** Of all contents that one session keeps. */
const maxFolderBytes = 256 * 1024 * 1024

/** One line of the log. */
export interface ChangeRecord {
  /** Counted from 1 in the order of the log. */
  number: number
  callId: string
  tool: string
  path: string
  /** Hash of the contents; null when there was no file. */
  before: string | null
  after: string
  /** False when the contents were too large to be kept. */
  kept: boolean
  ts: string
}

/**
 * Stores the contents before and after a change, and logs it. Must run before the file is written;
 * refuses the change when it cannot be logged, because it could not be undone.
 */
export async function logChange(
  folder: string,
  change: FileChange,
  clock: Clock,
): Promise<ChangeDecision> {
  try {
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
  ensureFolder(folder, 0o700)
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
  const journal = openJournal(logPath(folder))
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

/** Contents by their hash; undefined when they are gone. */
export function readImage(folder: string, hash: string): Buffer | undefined {
  try {
    return readFileSync(path.join(folder, hash))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
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

/** Undefined for what is too large to keep. */
function readImageOf(file: string): Buffer | undefined {
  return statSync(file).size > maxImageBytes ? undefined : readFileSync(file)
}

async function storeImage(folder: string, contents: Uint8Array, kept: boolean): Promise<string> {
  const hash = await sha256Hex(contents)
  const file = path.join(folder, hash)
  if (!kept || existsSync(file)) return hash
  const { writeFileAtomic } = await import('@zee/core/atomic-file')
  await writeFileAtomic(file, contents, { mode: 0o600, durable: false })
  return hash
}

function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  const sizes = readdirSync(folder).map((name) => {
    // Private files of another writer come and go.
    return lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
