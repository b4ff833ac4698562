// Formats the changes of a session as one unified diff: for each path, the state before its first change
// that is not undone against the state after its last change.
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { oneLine } from '@zee/core/errors'
import { unifiedDiff } from '@zee/core/diff'
import { isInside, decodeStrictUtf8 } from '../files/files.ts'
import { contentsReader } from './contents.ts'
import type { LiveChange, SessionPaths } from './live-changes.ts'
import { liveChanges } from './live-changes.ts'
import { closeOpenSnapshots } from './shell-changes.ts'
import type { FileState, PathState, RawPath } from './snapshots/snapshots.ts'
import { displayPath, hasState, pathBuffer, unknownMode } from './snapshots/snapshots.ts'

/** Empty if there are no changes. Paths below `root` are relative to it. */
export async function sessionDiff(paths: SessionPaths, root: string): Promise<string> {
  await closeOpenSnapshots(paths)
  const byPath = new Map<RawPath, LiveChange[]>()
  for (const change of liveChanges(paths)) {
    byPath.set(change.raw, [...(byPath.get(change.raw) ?? []), change])
  }
  const pieces: Piece[] = []
  for (const [raw, changes] of byPath) {
    const piece = await pieceOf(paths, root, raw, changes)
    if (piece !== undefined) pieces.push(piece)
  }
  return joinRenames(pieces).map(formatPiece).join('')
}

interface Side {
  state: PathState
  /** Contents of a file; a sentence if they are unavailable. */
  contents?: Buffer | string
}

interface Piece {
  name: string
  events: number[]
  before: Side
  after: Side
  renamedFrom?: string
}

async function pieceOf(
  paths: SessionPaths,
  root: string,
  raw: RawPath,
  changes: readonly LiveChange[],
): Promise<Piece | undefined> {
  const first = changes.reduce((one, other) => (other.opened < one.opened ? other : one))
  const last = changes.reduce((one, other) => (other.closed > one.closed ? other : one))
  const kinds = [first.before?.kind, last.after?.kind]
  // Git does not show folders either.
  if (kinds.every((kind) => kind === undefined || kind === 'folder')) return undefined
  const full = displayPath(raw)
  const name = oneLine(isInside(root, full) ? path.relative(root, full) : full.slice(1))
  const isKept = changes.every(({ kept }) => kept)
  const side = async (state: PathState): Promise<Side> => {
    if (state?.kind !== 'file') return { state }
    if (!isKept) return { state, contents: 'The contents were too large to store.' }
    return { state, contents: await contentsOf(paths, raw, state) }
  }
  const [before, after] = [await side(first.before), await side(last.after)]
  // The snapshot of a turn also sees the edits of that turn. They belong to the tools alone, unless a shell
  // command changed the file as well.
  const edits = changes.filter(({ tool }) => tool !== 'bash')
  const [firstEdit, lastEdit] = [edits[0], edits.at(-1)]
  const isExplained =
    firstEdit !== undefined &&
    lastEdit !== undefined &&
    equalContents(await side(firstEdit.before), before) &&
    equalContents(await side(lastEdit.after), after)
  const events = (isExplained ? edits : changes).map(({ event }) => event)
  return { name, events: events.toSorted((one, other) => one - other), before, after }
}

function equalContents(one: Side, other: Side): boolean {
  if (!Buffer.isBuffer(one.contents) || !Buffer.isBuffer(other.contents)) {
    return one.state === null && other.state === null
  }
  return one.contents.equals(other.contents)
}

/** The contents after a shell command are not stored: they are in the file, unless it changed since. */
async function contentsOf(
  paths: SessionPaths,
  raw: RawPath,
  state: FileState,
): Promise<Buffer | string> {
  if (state.copy === undefined && state.blob === undefined) {
    if (hasState(raw, state)) return readFileSync(pathBuffer(raw))
    return 'The file has changed since.'
  }
  const contents = await contentsReader(paths)(state)
  if (contents === 'damaged') return 'The kept copy is damaged.'
  return contents === 'missing' ? 'The kept copy is missing.' : contents
}

/** A deleted and a created file with the same contents are one renamed file. */
function joinRenames(pieces: readonly Piece[]): Piece[] {
  const deleted = new Map<string, Piece>()
  for (const piece of pieces) {
    const { contents } = piece.before
    if (piece.after.state === null && Buffer.isBuffer(contents) && contents.length > 0) {
      deleted.set(contents.toString('latin1'), piece)
    }
  }
  const sources = new Set<Piece>()
  const joined = pieces.map((piece): Piece => {
    const { contents } = piece.after
    if (piece.before.state !== null || !Buffer.isBuffer(contents)) return piece
    const source = deleted.get(contents.toString('latin1'))
    if (source === undefined || sources.has(source)) return piece
    sources.add(source)
    return { ...piece, before: source.before, renamedFrom: source.name }
  })
  return joined.filter((piece) => !sources.has(piece))
}

function formatPiece({ name, events, before, after, renamedFrom }: Piece): string {
  const lines = [`diff ${name} (event ${[...new Set(events)].join(', ')})\n`]
  if (renamedFrom !== undefined) lines.push(`rename from ${renamedFrom}\nrename to ${name}\n`)
  lines.push(...kindLines(before.state, after.state))
  const texts = [before, after].map(textOf)
  const reason = [before, after]
    .map(({ contents }) => contents)
    .find((each) => typeof each === 'string')
  if (typeof reason === 'string') return `${lines.join('')}${reason}\n`
  const [first, second] = texts
  if (first === undefined || second === undefined) {
    return `${lines.join('')}Binary contents differ.\n`
  }
  return lines.join('') + unifiedDiff(name, first, second)
}

/** Null if there is no file, undefined if it is not text. */
function textOf({ state, contents }: Side): string | null | undefined {
  if (state?.kind !== 'file' || !Buffer.isBuffer(contents)) return null
  return decodeStrictUtf8(contents)
}

/** Deletions, modes and links. */
function kindLines(before: PathState, after: PathState): string[] {
  const lines: string[] = []
  if (before !== null && after === null) lines.push(`deleted ${before.kind}\n`)
  if (before?.kind === 'file' && after?.kind === 'file' && before.mode !== after.mode) {
    if (before.mode !== unknownMode && after.mode !== unknownMode) {
      lines.push(`old mode ${before.mode.toString(8)}\nnew mode ${after.mode.toString(8)}\n`)
    }
  }
  if (before?.kind === 'link' || after?.kind === 'link') {
    if (before?.kind === 'link') lines.push(`-link to ${oneLine(displayPath(before.target))}\n`)
    if (after?.kind === 'link') lines.push(`+link to ${oneLine(displayPath(after.target))}\n`)
  }
  return lines
}
