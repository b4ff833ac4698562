// Records what the shell commands of a turn change: a snapshot before the first command that may write,
// and the differences when the turn ends. In a large repository they are computed when they are needed.
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { SessionWriter } from '../session/session.ts'
import type { ChangeDecision } from '../tools/tools.ts'
import type { SnapshotRecord } from './change-log.ts'
import { appendToLog, readLog } from './change-log.ts'
import type { SessionPaths } from './live-changes.ts'
import { mayWrite } from './may-write.ts'
import { withoutSecrets } from './shown-names.ts'
import type { SnapshotContext, SnapshotScan } from './snapshots/snapshots.ts'
import {
  closeSnapshot,
  fileSystemTime,
  findRepository,
  keepObjects,
  mayLoseObjects,
  saveSnapshot,
  scanProject,
  snapshotChanges,
} from './snapshots/snapshots.ts'

/** Undo of the shell commands of one conversation. */
export interface ShellUndo {
  /** Must run before each command; refuses it if the session cannot be flushed, or after an interrupt. */
  beforeCommand(command: {
    callId: string
    command: string
    signal?: AbortSignal
  }): Promise<ChangeDecision>
  /** Must run at the end of each turn, with the signal of the turn. */
  endTurn(signal?: AbortSignal): Promise<void>
  /** Messages for the user since the last call. */
  takeNotices(): string[]
}

export interface ShellUndoOptions {
  /** The folder of the session's undo data. */
  folder: string
  /** The folder of the program, which snapshots leave out. */
  base: string
  root: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  session: Pick<SessionWriter, 'sync'>
  /** A repository with more tracked files is a large one. */
  maxTrackedFiles?: number
}

export function openShellUndo(options: ShellUndoOptions): ShellUndo {
  const { folder, base, root, env, clock, session, maxTrackedFiles } = options
  const notices: string[] = []
  let isTaken = false
  let open: { line: number; name: string; isLarge: boolean } | undefined
  const { signal } = new AbortController()
  const context: SnapshotContext = { folder, env, signal, maxTrackedFiles }

  const snapshot = async (callId: string, turn: AbortSignal): Promise<void> => {
    const { snapshots } = readLog(folder)
    const earlier = snapshots.findLast(({ isClosed }) => !isClosed)?.name
    const scanned = await scanProject({ ...context, signal: turn }, root, base, earlier)
    await closeOpenSnapshots({ undo: folder, env }, scanned)
    const opened = await saveSnapshot(context, scanned)
    if ('tooLarge' in opened) {
      notices.push(`Shell changes of this turn cannot be undone: ${opened.tooLarge}`)
      return
    }
    const ts = rfc3339(clock.now(), 0)
    const record = { type: 'snapshot', name: opened.name, call_id: callId, base, ts }
    open = { line: appendToLog(folder, [record]), ...opened }
    if (snapshots.length > 0) return
    if (opened.ignored.length > 0) {
      notices.push(
        `Undo leaves out files that git ignores: ${withoutSecrets(shortList(opened.ignored), env)}`,
      )
    }
  }

  return {
    beforeCommand: async ({ callId, command, signal: turn = signal }) => {
      try {
        session.sync()
      } catch (error) {
        return { ok: false, reason: reasonOf(error) }
      }
      if (!mayWrite(command)) return { ok: true }
      try {
        if (mayLoseObjects(command)) await keepProjectObjects(folder, root)
        if (isTaken) return { ok: true }
        isTaken = true
        await snapshot(callId, turn)
      } catch (error) {
        if (turn.aborted) return { ok: false, reason: 'the turn was interrupted' }
        notices.push(`Shell changes of this turn cannot be undone: ${reasonOf(error)}`)
      }
      return { ok: true }
    },
    endTurn: async (turn = signal) => {
      isTaken = false
      const ended = open
      open = undefined
      if (ended === undefined) return
      try {
        const endedMs = fileSystemTime(folder)
        appendToLog(folder, [{ type: 'snapshot_ended', snapshot: ended.line, ended_ms: endedMs }])
        const limit = turn.aborted ? AbortSignal.timeout(interruptedEndMs) : turn
        if (!ended.isLarge) await closeOpenSnapshots({ undo: folder, env }, undefined, limit)
      } catch (error) {
        // The changes are recorded when they are needed.
        if (turn.aborted) return
        notices.push(`Shell changes of this turn cannot be undone: ${reasonOf(error)}`)
      }
    },
    takeNotices: () => notices.splice(0),
  }
}

/** Time for the changes of an interrupted turn, whose snapshot stays open if it is not enough. */
const interruptedEndMs = 1000

const maxNames = 5

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(oneLine).join(', ')
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown
}

async function keepProjectObjects(folder: string, root: string): Promise<void> {
  const repository = findRepository(root)
  if (repository !== undefined) await keepObjects(folder, repository)
}

/** Records the changes of every snapshot that is still open; `scanned` may show those of one of them. */
export async function closeOpenSnapshots(
  { undo: folder, env }: Pick<SessionPaths, 'undo' | 'env'>,
  scanned?: SnapshotScan,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  for (const snapshot of readLog(folder).snapshots) {
    if (!snapshot.isClosed) await recordChanges({ folder, env, signal }, snapshot, scanned)
  }
}

async function recordChanges(
  context: SnapshotContext,
  snapshot: SnapshotRecord,
  scanned: SnapshotScan | undefined,
): Promise<void> {
  const { folder, signal } = context
  const { name, line, endedMs } = snapshot
  const base = path.dirname(path.dirname(folder))
  const changes = await snapshotChanges(context, name, base, endedMs ?? Infinity, scanned)
  // Git may have failed because of the interrupt.
  signal.throwIfAborted()
  const records = (changes ?? []).map(({ path, before, after, isLater }) => ({
    type: 'shell_change',
    snapshot: line,
    path,
    before,
    after,
    ...(isLater ? { is_later: true } : {}),
  }))
  appendToLog(folder, [...records, { type: 'snapshot_closed', snapshot: line }])
  await closeSnapshot(folder, name)
}
