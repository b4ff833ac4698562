// Rebuilds states of a session's tree in another folder, from the change log: the tree before the first
// change, what an undo or redo made of it, and the tree after the last change.
import { contentsReader } from './contents.ts'
import { readLog } from './change-log.ts'
import type { SessionPaths } from './live-changes.ts'
import { applyEntries } from './restore.ts'
import { closeOpenSnapshots } from './shell-changes.ts'
import type { PathState, RawPath } from './snapshots/snapshots.ts'
import { displayPath, hasState, rawPath, unknownMode } from './snapshots/snapshots.ts'

/** A project folder, and the folder that stands for it. */
export interface MovedProject {
  from: string
  to: string
}

export interface SessionTree {
  /** Brings the moved project to the state before the first change of the session. */
  restoreStart(): Promise<void>
  /** Applies the undo or redo with this number, counted from 0. */
  applyTransaction(number: number): Promise<void>
  /** The first path of the moved project that differs from its state after the last change. */
  firstDifference(): string | undefined
}

/** Paths outside the project are left out. */
export async function openSessionTree(
  paths: SessionPaths,
  project: MovedProject,
): Promise<SessionTree> {
  await closeOpenSnapshots(paths)
  const { changes, transactions } = readLog(paths.undo)
  const read = contentsReader(paths)
  const move = pathMover(project)
  const apply = async (states: Iterable<[RawPath, PathState]>) => {
    const entries = [...states].flatMap(([path, to]) => {
      const moved = move(path)
      return moved === undefined ? [] : [{ path: moved, from: null, to }]
    })
    await applyEntries(entries, read)
  }
  return {
    restoreStart: async () => {
      const starts = new Map<RawPath, { opened: number; state: PathState }>()
      for (const { raw, before, opened, folders } of changes) {
        const known = starts.get(raw)
        if (known === undefined || opened < known.opened) starts.set(raw, { opened, state: before })
        for (const folder of folders) {
          if (!starts.has(folder)) starts.set(folder, { opened, state: null })
        }
      }
      await apply([...starts].map(([path, { state }]) => [path, state]))
    },
    applyTransaction: async (number) => {
      const { entries } = transactions[number] ?? { entries: [] }
      await apply(entries.map(({ path, to }) => [path, to]))
    },
    firstDifference: () => {
      const ends = new Map<RawPath, { line: number; state: PathState }>()
      const set = (path: RawPath, line: number, state: PathState) => {
        if ((ends.get(path)?.line ?? -1) <= line) ends.set(path, { line, state })
      }
      for (const { raw, closed, after } of changes) set(raw, closed, after)
      for (const { line, entries } of transactions) {
        for (const { path, to } of entries) set(path, line, to)
      }
      const sorted = [...ends].sort(([a], [b]) => (a < b ? -1 : 1))
      const different = sorted.find(([path, { state }]) => {
        const moved = move(path)
        return moved !== undefined && !hasState(moved, withoutMode(state))
      })
      return different === undefined ? undefined : displayPath(different[0])
    },
  }
}

/** The umask of the replay may differ, so only contents and the kind of a path are compared. */
function withoutMode(state: PathState): PathState {
  return state?.kind === 'file' ? { ...state, mode: unknownMode } : state
}

function pathMover({ from, to }: MovedProject): (path: RawPath) => RawPath | undefined {
  const [source, target] = [rawPath(from), rawPath(to)]
  return (path) => {
    if (path === source) return target
    return path.startsWith(`${source}/`) ? target + path.slice(source.length) : undefined
  }
}
