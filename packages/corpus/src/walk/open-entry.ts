// Opens entries of a folder: regular files, and links to files inside the root.
import { statSync } from 'node:fs'
import { openContained, resolveContained } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFileBelow } from '@zee/core/contained-path-below'
import { denyingRule } from '../deny/deny.ts'
import type { CorpusRoot } from '../root/root.ts'

/**
 * An entry that is neither a folder nor a regular file. Only links to files inside the root are
 * opened.
 */
export type SpecialKind = 'link' | 'other'

/** Opens a listed entry: a regular file in the folder, or the target of a link. */
export function openEntry(
  root: CorpusRoot,
  folder: ContainedFolder | undefined,
  path: string,
  kind: SpecialKind | undefined,
): number {
  if (kind !== undefined) return kind === 'link' ? openLink(root, path) : -1
  return folder === undefined ? -1 : openFileBelow(folder, path.slice(path.lastIndexOf('/') + 1))
}

/** Opens a regular file inside the root through a link. Omitted files are refused. */
export function openLink(root: CorpusRoot, path: string): number {
  const resolved = resolveContained(root.folder, path)
  if (resolved.failure !== undefined || resolved.errno !== undefined) return -1
  if (root.omitted.has(resolved.path) || !isRegular(resolved.absolute)) return -1
  if ((denyingRule(root.deny, resolved.path) ?? denyingRule(root.deny, path)) !== undefined)
    return -1
  const opened = openContained(root.folder, path)
  return opened.failure === undefined ? opened.fd : -1
}

function isRegular(path: string | Buffer): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
