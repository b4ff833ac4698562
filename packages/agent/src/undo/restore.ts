// Undoes changes: restores the contents of each file before its oldest change. Refuses if any of the
// files was modified afterwards; then no file is touched.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { oneLine, ZeeError } from '@zee/core/errors'
import { statIfExists, replaceContents } from '../files/files.ts'
import type { ChangeRecord } from './change-log.ts'
import { sha256Hex, readImage } from './change-log.ts'

export interface Restoration {
  path: string
  /** Null if the file did not exist. */
  contents: Buffer | null
  /** The file already has these contents. */
  isRestored: boolean
}

/** Plans the restoration of each file; throws if a change cannot be undone. */
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
  for (const { path, contents, isRestored } of plan) {
    if (isRestored) continue
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
  if (current === oldest.before) return { path, contents: null, isRestored: true }
  if (current !== newest.after) throw undoError(path, 'it has changed since')
  if (!oldest.kept) throw undoError(path, 'its contents were too large to store')
  if (oldest.before === null) return { path, contents: null, isRestored: false }
  const contents = await readImage(folder, oldest.before)
  if (contents === 'missing') throw undoError(path, 'its stored contents are missing')
  if (contents === 'damaged') throw damagedCopy(path)
  return { path, contents, isRestored: false }
}

/** Null if the file does not exist. */
async function currentHash(file: string): Promise<string | null> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return null
  if (!stats.isFile()) throw undoError(file, 'it is no longer a file')
  return sha256Hex(readFileSync(file))
}

function damagedCopy(file: string): ZeeError {
  const message = `the kept copy of ${oneLine(file)} is damaged; nothing was changed`
  return new ZeeError('damaged_copy', message)
}

function undoError(file: string, reason: string): ZeeError {
  return new ZeeError('cannot_undo', `cannot undo ${oneLine(file)}: ${reason}; nothing was changed`)
}
