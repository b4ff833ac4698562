// Takes changes back: every file gets the contents it had before the oldest of them, provided that
// nobody touched it since. Nothing is touched unless all of them can be taken back.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { oneLine, ZeeError } from '@zee/core/errors'
import { statIfExists, replaceContents } from '../files/files.ts'
import type { ChangeRecord } from './change-log.ts'
import { sha256Hex, readImage } from './change-log.ts'

export interface Restoration {
  path: string
  /** Null when the file did not exist. */
  contents: Buffer | null
  /** It already is as it was. */
  done: boolean
}

/** What undoing these changes means for each file; throws when one cannot be taken back. */
export async function planRestoration(
  folder: string,
  changes: readonly ChangeRecord[],
): Promise<Restoration[]> {
  const byPath = new Map<string, { oldest: ChangeRecord; newest: ChangeRecord }>()
  for (const change of changes) {
    const seen = byPath.get(change.path)
    byPath.set(change.path, { oldest: seen?.oldest ?? change, newest: change })
  }
  const plan: Restoration[] = []
  for (const { oldest, newest } of byPath.values()) {
    plan.push(await planFile(folder, oldest, newest))
  }
  return plan
}

export async function restore(plan: readonly Restoration[]): Promise<void> {
  for (const { path, contents, done } of plan) {
    if (done) continue
    if (contents === null) rmSync(path)
    else await replaceContents(path, contents, statIfExists(path))
  }
}

async function planFile(
  folder: string,
  oldest: ChangeRecord,
  newest: ChangeRecord,
): Promise<Restoration> {
  const { path } = oldest
  const current = await currentHash(path)
  if (current === oldest.before) return { path, contents: null, done: true }
  if (current !== newest.after) throw undoError(path, 'it has changed since')
  if (!oldest.kept) throw undoError(path, 'it was too large for its contents to be kept')
  if (oldest.before === null) return { path, contents: null, done: false }
  const contents = readImage(folder, oldest.before)
  if (contents === undefined) throw undoError(path, 'the contents kept of it are gone')
  return { path, contents, done: false }
}

/** Null when there is no file. */
async function currentHash(file: string): Promise<string | null> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return null
  if (!stats.isFile()) throw undoError(file, 'it is no longer a file')
  return sha256Hex(readFileSync(file))
}

function undoError(file: string, why: string): ZeeError {
  return new ZeeError('cannot_undo', `cannot undo ${oneLine(file)}: ${why}; nothing was changed`)
}
