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
export async function sessionDiff(paths: SessionPaths, root: string): Promise<string> {
  const byPath = new Map<string, LiveChange[]>()
  for (const change of liveChanges(paths)) {
    byPath.set(change.path, [...(byPath.get(change.path) ?? []), change])
  }
  const diffs: string[] = []
  for (const [file, changes] of byPath) diffs.push(await fileDiff(paths.undo, root, file, changes))
  return diffs.join('')
}

async function fileDiff(
  folder: string,
  root: string,
  file: string,
  changes: readonly LiveChange[],
): Promise<string> {
  const name = oneLine(isInside(root, file) ? path.relative(root, file) : file.slice(1))
  const events = changes.map(({ event }) => event).join(', ')
  const title = `diff ${name} (event ${events})\n`
  const [first, last] = [changes[0], changes.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (!first.kept || !last.kept) return `${title}The contents were too large to store.\n`
  const before = first.before === null ? null : await readImage(folder, first.before)
  const after = await readImage(folder, last.after)
  if (before === 'damaged' || after === 'damaged') return `${title}The kept copy is damaged.\n`
  if (before === 'missing' || after === 'missing') return `${title}The kept copy is missing.\n`
  const beforeText = before === null ? null : decodeStrictUtf8(before)
  const afterText = decodeStrictUtf8(after)
  if (beforeText === undefined || afterText === undefined) {
    return `${title}Binary contents differ.\n`
  }
  return title + unifiedDiff(name, beforeText, afterText)
}
