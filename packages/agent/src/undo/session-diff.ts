// Formats the changes of a session as one unified diff: for each file, the contents before its first
// change that is not undone against those after its last change.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import { unifiedDiff } from '../diff/diff.ts'
import { isInside, decodeStrictUtf8 } from '../files/files.ts'
import { readImage } from './change-log.ts'
import type { LiveChange, SessionPaths } from './live-changes.ts'
import { liveChanges } from './live-changes.ts'

/** Empty if there are no changes. Paths below `root` are relative to it. */
export function sessionDiff(paths: SessionPaths, root: string): string {
  const byPath = new Map<string, LiveChange[]>()
  for (const change of liveChanges(paths)) {
    byPath.set(change.path, [...(byPath.get(change.path) ?? []), change])
  }
  return [...byPath].map(([file, changes]) => fileDiff(paths.undo, root, file, changes)).join('')
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
  if (!first.kept || !last.kept) return `${title}The contents were too large to store.\n`
  const before = first.before === null ? null : readImageText(folder, first.before)
  const after = readImageText(folder, last.after)
  if (before === undefined || after === undefined) return `${title}Binary contents differ.\n`
  return title + unifiedDiff(name, before, after)
}

/** Undefined if the contents are not UTF-8 text or are missing. */
function readImageText(folder: string, hash: string): string | undefined {
  const contents = readImage(folder, hash)
  return contents === undefined ? undefined : decodeStrictUtf8(contents)
}
