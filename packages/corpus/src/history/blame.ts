// The commit that last changed each line of a file, equal to `git blame`: lines pass to the parents whose file has
// them, also through renames of the whole file.
import { diffLines } from '../diff/diff.ts'
import { CommitQueue } from '../git/git.ts'
import type { Commit } from '../git/git.ts'
import type { RevisionReader } from '../revision/revision.ts'
import { findRenames } from './renames.ts'
import { treeChanges } from './tree-changes.ts'

/** Lines of the final text; numbers from 0. */
interface Piece {
  line: number
  count: number
  /** The first line in the file of the suspect. */
  at: number
}

/** Git blames a link by its target text, and never across a change of the kind. */
type BlamedKind = 'file' | 'link'

/** A file of a commit that may have introduced lines. */
interface Suspect {
  commit: Commit
  path: string
  kind: BlamedKind
  object: string
  pieces: Piece[]
}

export interface BlamedLines {
  /** From 1, both included. */
  start: number
  end: number
  commit: Commit
  /** The path in that commit, and the first line there. */
  path: string
  originalStart: number
}

export interface BlameRequest {
  /** May be a commit that stands for the file on the disk. */
  start: Commit
  path: string
  kind: BlamedKind
  object: string
  /** Lines to blame, from 1, both included. */
  first: number
  last: number
  /** Content of an object that is not in the repository. */
  content?: { object: string; bytes: Buffer } | undefined
}

/** Yields after each commit; the pieces found so far are in `result`. */
export function* blame(
  reader: RevisionReader,
  request: BlameRequest,
  result: BlamedLines[],
): Generator<void> {
  const { start, path, kind, object, first, last } = request
  const queue = new CommitQueue()
  const suspects = new Map<string, Suspect[]>()
  const add = (suspect: Suspect): void => {
    if (suspect.pieces.length === 0) return
    const { name } = suspect.commit
    const known = suspects.get(name)
    if (known === undefined) {
      suspects.set(name, [suspect])
      queue.add(suspect.commit)
      return
    }
    const same = known.find((one) => one.path === suspect.path)
    if (same === undefined) known.push(suspect)
    else same.pieces.push(...suspect.pieces)
  }
  const pieces = [{ line: first - 1, count: last - first + 1, at: first - 1 }]
  add({ commit: start, path, kind, object, pieces })
  for (let commit = queue.take(); commit !== undefined; commit = queue.take()) {
    const own = suspects.get(commit.name) ?? []
    suspects.delete(commit.name)
    for (const suspect of own) {
      for (const older of passBlame(reader, suspect, request)) add(older)
      for (const piece of suspect.pieces) result.push(blamedLines(suspect, piece))
      yield
    }
  }
}

/** Takes from a suspect the lines that its parents have, and returns them. */
function passBlame(reader: RevisionReader, suspect: Suspect, request: BlameRequest): Suspect[] {
  const { repository } = reader
  const parents = suspect.commit.parents.map((name) => repository.commit(name))
  const found = new Map<Commit, Suspect>()
  for (const find of [sameFile, renamedFile]) {
    for (const parent of parents) {
      if (found.has(parent)) continue
      const older = find(reader, suspect, parent)
      if (older === undefined) continue
      if (older.object === suspect.object) {
        older.pieces = suspect.pieces
        suspect.pieces = []
        return [older]
      }
      if (![...found.values()].some(({ object }) => object === older.object))
        found.set(parent, older)
    }
  }
  const result: Suspect[] = []
  for (const parent of parents) {
    const older = found.get(parent)
    if (older === undefined || suspect.pieces.length === 0) continue
    passLines(reader, suspect, older, request)
    result.push(older)
  }
  return result
}

function sameFile(
  { repository }: RevisionReader,
  { path, kind }: Suspect,
  parent: Commit,
): Suspect | undefined {
  const entry = repository.entryAt(parent.tree, path)
  if (entry?.kind !== kind) return undefined
  return { commit: parent, path, kind, object: entry.object, pieces: [] }
}

function renamedFile(
  reader: RevisionReader,
  { commit, path, kind }: Suspect,
  parent: Commit,
): Suspect | undefined {
  const { repository, blobs } = reader
  if (commit.tree === '' || repository.entryAt(parent.tree, path) !== undefined) return undefined
  const changes = treeChanges(repository, parent.tree, commit.tree)
  const source = findRenames(changes, blobs, path).get(path)
  const entry = source === undefined ? undefined : repository.entryAt(parent.tree, source)
  if (source === undefined || entry?.kind !== kind) return undefined
  return { commit: parent, path: source, kind, object: entry.object, pieces: [] }
}

/** Moves the unchanged lines from a suspect to an older one. */
function passLines(
  { blobs }: RevisionReader,
  suspect: Suspect,
  older: Suspect,
  { content }: BlameRequest,
): void {
  const read = (object: string): Buffer =>
    content?.object === object ? content.bytes : blobs.read(object)
  const hunks = diffLines(read(older.object), read(suspect.object))
  const kept: Piece[] = []
  for (const piece of suspect.pieces) {
    const end = piece.at + piece.count
    let at = piece.at
    const take = (to: number, into: Piece[], shift: number): void => {
      const stop = Math.min(to, end)
      if (stop <= at) return
      into.push({ line: piece.line + (at - piece.at), count: stop - at, at: at + shift })
      at = stop
    }
    let shift = 0
    for (const { oldStart, oldCount, newStart, newCount } of hunks) {
      take(newStart, older.pieces, shift)
      take(newStart + newCount, kept, 0)
      shift = oldStart + oldCount - (newStart + newCount)
    }
    take(end, older.pieces, shift)
  }
  suspect.pieces = kept
}

function blamedLines({ commit, path }: Suspect, { line, count, at }: Piece): BlamedLines {
  return { start: line + 1, end: line + count, commit, path, originalStart: at + 1 }
}
