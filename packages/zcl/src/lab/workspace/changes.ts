// What an agent changed in its workspace: the list of files, and a unified diff of those that are text.
// Both are bounded; the diff is redacted when it is stored.
import { lstatSync, promises, readdirSync, type Dirent, type Stats } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { unifiedDiff } from '@zee/core/diff'
import type { CopiedFile, TreeCopy } from './copy-tree.ts'

export interface FileChange {
  path: string
  kind: 'added' | 'modified' | 'deleted'
  /** Of the file after the attempt; before it, for a deleted one. */
  bytes: number
}

export interface WorkspaceChanges {
  added: number
  modified: number
  deleted: number
  /** At most `maxListed`, sorted. */
  files: FileChange[]
  /** Unified; binary and large files have one line each. */
  diff: string
  /** Some changes are in neither the list nor the diff. */
  truncated: boolean
}

const maxListed = 1000
const maxDiffBytes = 256 * 1024
const maxFileBytes = 512 * 1024
const maxEntries = 200_000

/** Compares the workspace with the folder that it was copied from. */
export async function workspaceChanges(
  source: string,
  workspace: string,
  copied: TreeCopy,
): Promise<WorkspaceChanges> {
  const { present, isComplete } = await listFiles(workspace)
  const changes: FileChange[] = []
  for (const [relative, stats] of present) {
    const before = copied.files.get(relative)
    if (before === undefined) {
      changes.push({ path: relative, kind: 'added', bytes: stats.size })
      continue
    }
    if (
      isUntouched(before, stats, copied) ||
      (await hasSameContent(source, workspace, relative, stats))
    )
      continue
    changes.push({ path: relative, kind: 'modified', bytes: stats.size })
  }
  for (const [relative, { size }] of copied.files) {
    if (!present.has(relative)) changes.push({ path: relative, kind: 'deleted', bytes: size })
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  const { diff, isWhole } = await diffOf(changes, source, workspace)
  const count = (kind: FileChange['kind']) => changes.filter((each) => each.kind === kind).length
  return {
    added: count('added'),
    modified: count('modified'),
    deleted: count('deleted'),
    files: changes.slice(0, maxListed),
    diff,
    truncated: !isComplete || !isWhole || changes.length > maxListed,
  }
}

/** A file of the last clock tick of the copy may have been written since: its content is compared. */
function isUntouched(before: CopiedFile, now: Stats, copied: TreeCopy): boolean {
  const isOfCopy = now.ctimeMs >= copied.startedMs && now.ctimeMs < copied.endedMs
  return before.link === undefined && before.size === now.size && isOfCopy && now.isFile()
}

interface Listing {
  present: Map<string, Stats>
  isComplete: boolean
}

/** The agent may have made millions of files: the list is bounded. */
async function listFiles(root: string): Promise<Listing> {
  const present = new Map<string, Stats>()
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    await nextTurn()
    for (const entry of entriesOf(path.join(root, folder))) {
      const relative = path.join(folder, entry.name)
      if (entry.isDirectory()) {
        folders.push(relative)
        continue
      }
      if (present.size >= maxEntries) return { present, isComplete: false }
      const stats = statsOf(path.join(root, relative))
      if (stats !== undefined) present.set(relative, stats)
    }
  }
  return { present, isComplete: true }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Undefined for a file that is gone, or whose path is too long. */
function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file)
  } catch {
    return undefined
  }
}

async function hasSameContent(
  source: string,
  workspace: string,
  relative: string,
  stats: Stats,
): Promise<boolean> {
  const [before, after] = [path.join(source, relative), path.join(workspace, relative)]
  try {
    if (stats.isSymbolicLink()) {
      return (await promises.readlink(before)) === (await promises.readlink(after))
    }
    const old = await promises.lstat(before)
    if (!old.isFile() || !stats.isFile() || old.size !== stats.size) return false
    if (stats.size > maxFileBytes * 64) return false
    return (await promises.readFile(before)).equals(await promises.readFile(after))
  } catch {
    return false
  }
}

async function diffOf(
  changes: readonly FileChange[],
  source: string,
  workspace: string,
): Promise<{ diff: string; isWhole: boolean }> {
  let diff = ''
  for (const change of changes) {
    const before = change.kind === 'added' ? null : await textOf(path.join(source, change.path))
    const after = change.kind === 'deleted' ? null : await textOf(path.join(workspace, change.path))
    const part =
      before === undefined || after === undefined
        ? `Binary or large file ${change.kind}: ${change.path} (${change.bytes} bytes)\n`
        : unifiedDiff(change.path, before, after)
    if (diff.length + part.length > maxDiffBytes) return { diff, isWhole: false }
    diff += part
  }
  return { diff, isWhole: true }
}

/** Undefined for a file that is not text, is too large, or is a link. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    const stats = await promises.lstat(file)
    if (!stats.isFile() || stats.size > maxFileBytes) return undefined
    const bytes = await promises.readFile(file)
    return bytes.includes(0) ? undefined : bytes.toString('utf8')
  } catch {
    return undefined
  }
}
