// Opens entries of a folder: regular files, and links to files inside the root.
import { closeSync, statSync } from 'node:fs'
import { openContained, resolveContained } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFileBelow } from '@zee/core/contained-path-below'
import { ZeeError } from '@zee/core/errors'
import { denyingRule } from '../deny/deny.ts'
import { openFile } from '../root/root.ts'
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
  if (isDeniedAs(root, path, resolved.path)) return -1
  const opened = openContained(root.folder, path)
  return opened.failure === undefined ? opened.fd : -1
}

/** Whether a rule denies a link: by its own name, or by the name of the existing file that it leads to. */
export function isDeniedLink(root: CorpusRoot, path: string): boolean {
  if (root.deny === undefined) return false
  const resolved = resolveContained(root.folder, path)
  if (resolved.failure !== undefined || resolved.errno !== undefined) return false
  return isDeniedAs(root, path, resolved.path)
}

function isDeniedAs({ deny }: CorpusRoot, link: string, target: string): boolean {
  return (denyingRule(deny, target) ?? denyingRule(deny, link)) !== undefined
}

function isRegular(path: string | Buffer): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Errors that say what a name leads to. All others come from the disk or the limits of the process. */
const nameErrors = new Set([
  ...['outside', 'invalid_path', 'not_a_file', 'denied'],
  ...['enoent', 'enotdir', 'eisdir', 'eloop', 'eacces', 'eperm'],
])

/** Whether a listed file that could not be read has text: the disk failed, or no descriptor was left. */
export function hasReadFault(root: CorpusRoot, path: string): boolean {
  try {
    closeSync(openFile(root, path).fd)
    return true
  } catch (error) {
    return !(error instanceof ZeeError && nameErrors.has(error.code))
  }
}
