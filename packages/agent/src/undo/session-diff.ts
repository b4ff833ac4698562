// What a session changed, as one unified diff: per file, the contents before its first change that is
// still in force against those after its last.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import { unifiedDiff } from '../diff/diff.ts'
import { isInside, decodeStrictUtf8 } from '../files/files.ts'
import { readImage } from './change-log.ts'
import type { LiveChange, SessionPaths } from './live-changes.ts'
import { liveChanges } from './live-changes.ts'

/** Empty when nothing is changed. Paths below `root` are shown relative to it. */
export function sessionDiff(places: SessionPaths, root: string): string {
  const byPath = new Map<string, LiveChange[]>()
  for (const change of liveChanges(places)) {
    byPath.set(change.path, [...(byPath.get(change.path) ?? []), change])
  }
  return [...byPath].map(([file, changes]) => fileDiff(places.undo, root, file, changes)).join('')
}

function fileDiff(
  folder: string,
  root: string,
  file: string,
  changes: readonly LiveChange[],
): string {
  const name = oneLine(isInside(root, file) ? path.relative(root, file) : file.slice(1))
  const events = changes.map(({ event }) => event).join(', ')
  const title = `diff ${name} (event ${events})\n`
  const [first, last] = [changes[0], changes.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (!first.kept || !last.kept) return `${title}The contents were too large to be kept.\n`
  const before = first.before === null ? null : readImageText(folder, first.before)
  const after = readImageText(folder, last.after)
  if (before === undefined || after === undefined) return `${title}Binary contents differ.\n`
  return title + unifiedDiff(name, before, after)
}

/** Undefined for what is no text, or gone. */
function readImageText(folder: string, hash: string): string | undefined {
  const contents = readImage(folder, hash)
  return contents === undefined ? undefined : decodeStrictUtf8(contents)
}
