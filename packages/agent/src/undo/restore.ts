// Plans and applies the restoration of paths. Refuses if any of them was modified afterwards; then
// nothing is touched. Applying a plan twice has the effect of applying it once.
import { chmodSync, mkdirSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { errnoOf, oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import { replaceContents } from '../files/files.ts'
import type { ChangeRecord, TransactionEntry } from './change-log.ts'
import { withoutSecrets } from './shown-names.ts'
import type { FileState, PathState, RawPath } from './snapshots/snapshots.ts'
import {
  belowLinks,
  displayPath,
  hasState,
  lstatOrNull,
  parentOf,
  pathBuffer,
  stateAt,
  unknownMode,
} from './snapshots/snapshots.ts'

/** Reads the contents of a state, from the copies of the session or from git. */
export type ReadContents = (state: FileState) => Promise<Buffer | 'missing' | 'damaged'>

/** The target of every path; throws if a path has changed since, unless `force`. */
export function planUndo(
  changes: readonly ChangeRecord[],
  force: boolean,
): { path: RawPath; to: PathState }[] {
  const byPath = new Map<RawPath, ChangeRecord[]>()
  for (const change of changes) {
    const same = byPath.get(change.raw)
    if (same === undefined) byPath.set(change.raw, [change])
    else same.push(change)
    for (const folder of change.folders) addFolder(byPath, folder, change)
  }
  const folders = changes.filter(({ before }) => before?.kind === 'folder').map(({ raw }) => raw)
  const isHidden = belowLinks(folders)
  return [...byPath].map(([path, same]) => ({
    path,
    to: targetOf(path, same, force || isHidden(path)),
  }))
}

/** A folder that a tool created; a snapshot may have recorded it, too. */
function addFolder(byPath: Map<RawPath, ChangeRecord[]>, raw: RawPath, change: ChangeRecord): void {
  if (byPath.has(raw)) return
  const after: PathState = { kind: 'folder', mode: unknownMode }
  byPath.set(raw, [{ ...change, raw, path: displayPath(raw), before: null, after, folders: [] }])
}

function targetOf(raw: RawPath, same: readonly ChangeRecord[], force: boolean): PathState {
  const oldest = same.reduce((first, each) => (each.opened < first.opened ? each : first))
  const newest = same.reduce((last, each) => (each.closed > last.closed ? each : last))
  const to = withKnownMode(oldest.before, same)
  if (hasState(raw, to)) return to
  const current = lstatOrNull(raw)
  const isFolder = current?.isDirectory() === true
  // A folder may have new entries; it is removed only if it is empty.
  const isExpected = newest.after?.kind === 'folder' ? isFolder : hasState(raw, newest.after)
  // Restoring what is gone destroys nothing.
  const isGone = current === null && newest.tool === 'bash'
  if (!force && !isGone && (newest.isLater || !isExpected)) {
    throw undoError(
      raw,
      current !== null && !current.isFile() && to?.kind === 'file' && newest.after?.kind === 'file'
        ? 'it is no longer a file'
        : 'it has changed since',
    )
  }
  if (!oldest.kept) throw undoError(raw, 'its contents were too large to store')
  if (to?.kind === 'other') throw undoError(raw, 'it was neither a file nor a folder')
  return to
}

/** An edit does not record the mode; a later snapshot of the same turn does. */
function withKnownMode(state: PathState, same: readonly ChangeRecord[]): PathState {
  if (state?.kind !== 'file' || state.mode !== unknownMode) return state
  for (const { before } of same) {
    if (before?.kind === 'file' && before.mode !== unknownMode)
      return { ...state, mode: before.mode }
  }
  return state
}

/** Checks that every target can be read, before anything changes. */
export async function checkContents(
  entries: readonly { path: RawPath; to: PathState }[],
  read: ReadContents,
): Promise<void> {
  for (const { path, to } of entries) {
    if (to?.kind !== 'file' || hasState(path, to)) continue
    const contents = await read(to)
    if (contents === 'missing') throw undoError(path, 'its stored contents are missing')
    if (contents === 'damaged') throw damagedCopy(path)
  }
}

/** Brings every path to its target: removes, creates folders, writes, then sets modes of folders. */
export async function applyEntries(
  entries: readonly TransactionEntry[],
  read: ReadContents,
): Promise<void> {
  const isHidden = belowLinks(foldersOf(entries))
  const pending = entries.filter(({ path, to }) => isHidden(path) || !hasState(path, to))
  const byDepth = [...pending].sort((a, b) => a.path.length - b.path.length)
  for (const { path, to } of byDepth.toReversed()) if (!isHidden(path)) removeIfOther(path, to)
  for (const { path, to } of byDepth) if (to?.kind === 'folder') makeFolder(path)
  for (const { path, to } of byDepth) {
    if (to?.kind === 'file') await writeFile(path, to, read)
    if (to?.kind === 'link' && !hasState(path, to)) {
      makeFolder(parentOf(path))
      symlinkSync(pathBuffer(to.target), pathBuffer(path))
    }
  }
  for (const { path, to } of byDepth.toReversed()) {
    if (to?.kind === 'folder') chmodSync(pathBuffer(path), to.mode)
  }
}

/** Paths that must become folders. */
export function foldersOf(plan: readonly { path: RawPath; to: PathState }[]): RawPath[] {
  return plan.filter(({ to }) => to?.kind === 'folder').map(({ path }) => path)
}

/** Removes what is at the path if the target is of another kind. A folder with entries stays. */
function removeIfOther(path: RawPath, to: PathState): void {
  const current = lstatOrNull(path)
  if (current === null) return
  if (current.isDirectory()) {
    if (to?.kind === 'folder') return
    try {
      rmdirSync(pathBuffer(path))
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error
      if (to !== null) throw undoError(path, 'the folder in its place is not empty', false)
    }
    return
  }
  if (to === null || to.kind !== 'file' || current.isSymbolicLink()) unlinkSync(pathBuffer(path))
}

function makeFolder(path: RawPath): void {
  if (path === '' || lstatOrNull(path)?.isDirectory() === true) return
  makeFolder(parentOf(path))
  mkdirSync(pathBuffer(path), 0o777)
}

async function writeFile(path: RawPath, to: FileState, read: ReadContents): Promise<void> {
  const current = lstatOrNull(path)
  const isContentRight = current?.isFile() === true && hasState(path, { ...to, mode: unknownMode })
  if (!isContentRight) {
    const contents = await read(to)
    if (typeof contents === 'string') throw damagedCopy(path)
    makeFolder(parentOf(path))
    const name = displayPath(path)
    // A name that is not UTF-8 cannot be replaced atomically: Node's rename takes bytes, core does not.
    if (Buffer.from(name).toString('latin1') === path) {
      await replaceContents(name, contents, current ?? undefined)
    } else writeFileSync(pathBuffer(path), contents)
  }
  if (to.mode !== unknownMode) chmodSync(pathBuffer(path), to.mode)
}

/** The state now, for the entry of a transaction; contents are copied by `copy`. */
export function currentState(
  path: RawPath,
  copy: (raw: RawPath) => Pick<FileState, 'hash' | 'size' | 'copy'> | undefined,
): PathState {
  const stats = lstatOrNull(path)
  if (stats?.isFile() !== true) return stateAt(path)
  const copied = copy(path)
  if (copied === undefined) return stateAt(path)
  return { kind: 'file', mode: stats.mode & 0o7777, ...copied }
}

export function damagedCopy(raw: RawPath): ZeeError {
  const name = withoutSecrets(oneLine(displayPath(raw)))
  const message = `the kept copy of ${name} is damaged; nothing was changed`
  return new ZeeError('damaged_copy', message)
}

export function undoError(raw: RawPath, reason: string, isUntouched = true): ZeeError {
  const name = withoutSecrets(oneLine(displayPath(raw)))
  const rest = isUntouched ? '; nothing was changed' : ''
  return new ZeeError('cannot_undo', `cannot undo ${name}: ${reason}${rest}`)
}

/** Wraps an error of a system call. */
export function applyError(error: unknown, direction: 'undo' | 'redo'): ZeeError {
  if (error instanceof ZeeError) return error
  const rest = 'some files may be changed; run it again to finish it'
  const message = `the ${direction} stopped: ${reasonOf(error)}; ${rest}`
  return new ZeeError('cannot_undo', message, { cause: error })
}
