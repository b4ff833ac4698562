// Logs, shows, undoes and redoes the file changes of a session.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { SessionWriter } from '../session/session.ts'
import type { TransactionEntry, TransactionRecord } from './change-log.ts'
import { appendToLog, readLog } from './change-log.ts'
import { contentsReader } from './contents.ts'
import type { SessionPaths } from './live-changes.ts'
import { liveChanges, promptBefore } from './live-changes.ts'
import {
  applyEntries,
  applyError,
  checkContents,
  currentState,
  foldersOf,
  planUndo,
  undoError,
} from './restore.ts'
import { closeOpenSnapshots } from './shell-changes.ts'
import { withoutSecrets } from './shown-names.ts'
import type { PathState, RawPath } from './snapshots/snapshots.ts'
import { belowLinks, displayPath, hasState, openCopies } from './snapshots/snapshots.ts'
export { unifiedDiff } from '@zee/core/diff'
export { redoNote, undoNote } from '../session/session.ts'
export { logChange } from './change-log.ts'
export type { LiveChange, SessionPaths } from './live-changes.ts'
export { liveChanges } from './live-changes.ts'
export type { MovedProject, SessionTree } from './rebuild.ts'
export { openSessionTree } from './rebuild.ts'
export { sessionDiff } from './session-diff.ts'
export type { ShellUndo } from './shell-changes.ts'
export { openShellUndo } from './shell-changes.ts'

export interface Undone {
  files: string[]
  /** Those of `files` that no longer exist. */
  removed: string[]
}

export interface UndoOptions {
  /** Undo the changes after this event; by default those of the last turn with changes. */
  to?: number | undefined
  /** Also undo paths that have changed since; the present state is saved first. */
  force?: boolean
}

/** Undoes changes and appends an undo record to the session. Finishes an interrupted undo first. */
export async function undoSession(
  paths: SessionPaths,
  { to, force = false }: UndoOptions,
  session: SessionWriter,
): Promise<Undone> {
  const finished = await finishPending(paths, session, 'undo')
  if (finished !== undefined) return finished
  await closeOpenSnapshots(paths)
  const live = liveChanges(paths)
  const last = live.at(-1)
  const since = to ?? (last === undefined ? 0 : promptBefore(paths, last.event))
  const changes = live.filter(({ event }) => event > since)
  if (changes.length === 0) {
    throw new ZeeError('nothing_to_undo', 'there are no changes to undo')
  }
  const plan = planUndo(changes, force)
  await checkContents(plan, contentsReader(paths))
  const numbers = changes.map(({ number }) => number)
  return finish(paths, begin(paths, 'undo', numbers, plan), session)
}

/** Takes the last undo back and appends a redo record to the session. Finishes an interrupted redo first. */
export async function redoSession(
  paths: SessionPaths,
  { force = false }: Pick<UndoOptions, 'force'>,
  session: SessionWriter,
): Promise<Undone> {
  const finished = await finishPending(paths, session, 'redo')
  if (finished !== undefined) return finished
  const undo = lastUndo(readLog(paths.undo).transactions)
  if (undo === undefined) throw new ZeeError('nothing_to_redo', 'there is no undo to take back')
  for (const { path, from, to } of undo.entries) {
    if (!force && !hasState(path, from) && !isAsLeft(path, to)) {
      throw undoError(path, 'it has changed since')
    }
  }
  const plan = undo.entries.map(({ path, from }) => ({ path, to: from }))
  await checkContents(plan, contentsReader(paths))
  return finish(paths, begin(paths, 'redo', undo.numbers, plan), session)
}

/** Undo leaves folders that are not empty. */
function isAsLeft(path: RawPath, to: PathState): boolean {
  return (
    hasState(path, to) || (to === null && currentState(path, () => undefined)?.kind === 'folder')
  )
}

/** Finishes an interrupted transaction; returns its result when it has the wanted direction. */
async function finishPending(
  paths: SessionPaths,
  session: SessionWriter,
  wanted: TransactionRecord['direction'],
): Promise<Undone | undefined> {
  const pending = readLog(paths.undo).transactions.find(({ isDone }) => !isDone)
  if (pending === undefined) return undefined
  const finished = await finish(paths, pending, session)
  return pending.direction === wanted ? finished : undefined
}

/** The last undo that no redo has taken back. */
function lastUndo(transactions: readonly TransactionRecord[]): TransactionRecord | undefined {
  const open: TransactionRecord[] = []
  for (const transaction of transactions) {
    if (transaction.direction === 'undo') open.push(transaction)
    else open.pop()
  }
  return open.at(-1)
}

/** Saves the present state of every path and logs what will change, durably. */
function begin(
  { undo: folder }: SessionPaths,
  direction: 'undo' | 'redo',
  numbers: number[],
  plan: readonly { path: RawPath; to: PathState }[],
): TransactionRecord {
  const log = readLog(folder)
  const copies = openCopies(folder, `saved-${log.transactions.length + 1}-${process.pid}`)
  const isHidden = belowLinks(foldersOf(plan))
  const entries: TransactionEntry[] = plan
    .filter(({ path, to }) => isHidden(path) || !hasState(path, to))
    .map(({ path, to }) => ({
      path,
      from: isHidden(path) ? null : currentState(path, copies.add),
      to,
    }))
  copies.finish()
  const line = appendToLog(folder, [{ type: 'transaction', direction, numbers, entries }])
  return { line, direction, numbers, entries, isDone: false }
}

async function finish(
  paths: SessionPaths,
  transaction: TransactionRecord,
  session: SessionWriter,
): Promise<Undone> {
  const { direction, numbers, entries, line } = transaction
  try {
    await applyEntries(entries, contentsReader(paths))
  } catch (error) {
    throw applyError(error, direction)
  }
  const shown = shownEntries(entries)
  const nameOf = ({ path }: TransactionEntry) => withoutSecrets(displayPath(path), paths.env)
  const files = shown.map(nameOf)
  const removed = shown.filter(({ to }) => to === null).map(nameOf)
  try {
    if (direction === 'undo') session.append({ type: 'undo', files, undone: numbers })
    else session.append({ type: 'redo', files, redone: numbers })
    session.sync()
    appendToLog(paths.undo, [{ type: 'transaction_done', transaction: line }])
  } catch (error) {
    const message = `restored ${files.length} file(s), but: ${reasonOf(error)}`
    throw new ZeeError('undo_not_recorded', message, { cause: error })
  }
  return { files, removed }
}

/** Folders are shown only if nothing else changed. */
function shownEntries(entries: readonly TransactionEntry[]): readonly TransactionEntry[] {
  const files = entries.filter(
    ({ from, to }) => (from ?? to)?.kind !== 'folder' || (to !== null && to.kind !== 'folder'),
  )
  return files.length > 0 ? files : entries
}
