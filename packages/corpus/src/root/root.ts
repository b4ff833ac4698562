// The root of a corpus: a folder or a single file. Opens files in it and reports failures with
// Python's error messages. Paths in messages are relative to the root.
import { closeSync, realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import path from 'node:path'
import { openContained, openRoot, resolveContained } from '@zee/core/contained-path'
import type { ContainedFile, ContainedRoot, PathFailure } from '@zee/core/contained-path'
import { errnoOf, ZeeError } from '@zee/core/errors'
import { denyingRule } from '../deny/deny.ts'
import type { DenyRules } from '../deny/deny.ts'
import { pythonRepr } from '../python-repr.ts'

export interface CorpusRoot {
  folder: ContainedRoot
  /** Name of the file when the corpus is a single file. */
  onlyFile: string | undefined
  /** Relative paths that are never listed or searched, such as the server's own log. */
  omitted: ReadonlySet<string>
  /** The same files as absolute paths, inside or outside the root. */
  omittedFiles: readonly string[]
  /** Files that are listed but never read. */
  deny: DenyRules | undefined
  /** The corpus may change the working folder of the process during a request. */
  ownsProcess: boolean
}

export interface RootOptions {
  /** Absolute paths. */
  omit?: readonly string[] | undefined
  deny?: DenyRules | undefined
  ownsProcess?: boolean | undefined
}

/**
 * Opens a folder or a single file as root. Throws a ZeeError with exit code 2 if it does not exist.
 */
export function openCorpusRoot(rootPath: string, options: RootOptions = {}): CorpusRoot {
  // Resolves a link to the file, so that the folder is the one that contains it.
  const file = isRegularFile(rootPath) ? realpathSync.native(rootPath) : undefined
  const folder = openRoot(file === undefined ? rootPath : path.dirname(file))
  const onlyFile = file === undefined ? undefined : path.basename(file)
  const { omit = [], ownsProcess = false } = options
  // The caller chose a single file itself.
  const deny = onlyFile === undefined ? options.deny : undefined
  const omitted = new Set(omit.flatMap((one) => omittedPaths(folder, one)))
  return { folder, onlyFile, omitted, omittedFiles: omit, deny, ownsProcess }
}

/** Whether a link points to an omitted file. */
export function leadsToOmitted({ folder, omitted }: CorpusRoot, link: string): boolean {
  if (omitted.size === 0) return false
  const resolved = resolveContained(folder, link)
  return resolved.failure === undefined && omitted.has(resolved.path)
}

/** Identities of omitted files that have several hard links; undefined if there are none. */
export function omittedIdentities({ omittedFiles }: CorpusRoot): Set<string> | undefined {
  let identities: Set<string> | undefined
  for (const file of omittedFiles) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats !== undefined && stats.nlink > 1) (identities ??= new Set()).add(identityOf(stats))
  }
  return identities
}

export function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

function isRegularFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The path relative to the root; empty if the file is outside. */
function omittedPaths(folder: ContainedRoot, file: string): string[] {
  const resolved = resolveContained(folder, path.resolve(file))
  return resolved.failure === undefined ? [resolved.path] : []
}

/** Opens a regular file by a client's path. The caller closes `fd`. */
export function openFile(root: CorpusRoot, requested: string): ContainedFile {
  const inRoot = pathInRoot(root, requested)
  // Opening a FIFO or a device can have side effects, so it is refused first.
  const failure = irregularFailure(root, inRoot)
  if (failure !== undefined) throw pathError(root, requested, failure)
  const file = openContained(root.folder, inRoot)
  if (file.failure !== undefined) throw pathError(root, requested, file)
  const rule = root.deny && (denyingRule(root.deny, file.path) ?? requestedRule(root, requested))
  if (rule === undefined) return file
  closeSync(file.fd)
  throw new ZeeError('denied', `denied by rule: ${rule}`)
}

/** The rule for the requested name, which may be a link to a file that no rule denies. */
function requestedRule(root: CorpusRoot, requested: string): string | undefined {
  const absolute = path.resolve(root.folder.path, requested)
  return denyingRule(root.deny, path.relative(root.folder.path, absolute))
}

function irregularFailure(root: CorpusRoot, requested: string): PathFailure | undefined {
  const resolved = resolveContained(root.folder, requested)
  if (resolved.failure !== undefined || resolved.errno !== undefined) return undefined
  try {
    const stats = statSync(resolved.absolute)
    if (stats.isFile() || stats.isDirectory()) return undefined
    return { failure: 'not_a_file' }
  } catch {
    return undefined
  }
}

/** The path to look up. In a single-file corpus only that file is inside. */
export function pathInRoot(root: CorpusRoot, requested: string): string {
  if (root.onlyFile === undefined) return requested
  if (requested === '.') return root.onlyFile
  const resolved = resolveContained(root.folder, requested)
  if (resolved.failure === undefined && resolved.path === root.onlyFile) return requested
  throw outsideError()
}

export function outsideError(): ZeeError {
  return new ZeeError('outside', 'path outside root')
}

const errnoMessages: ReadonlyMap<string, [number: number, text: string]> = new Map([
  ['EPERM', [1, 'Operation not permitted']],
  ['ENOENT', [2, 'No such file or directory']],
  ['EIO', [5, 'Input/output error']],
  ['EACCES', [13, 'Permission denied']],
  ['ENOTDIR', [20, 'Not a directory']],
  ['EISDIR', [21, 'Is a directory']],
  ['EMFILE', [24, 'Too many open files']],
  ['ENAMETOOLONG', [36, 'File name too long']],
  ['ELOOP', [40, 'Too many levels of symbolic links']],
])

const errnoOfFailure: Partial<Record<PathFailure['failure'], string>> = {
  not_found: 'ENOENT',
  denied: 'EACCES',
  loop: 'ELOOP',
  is_directory: 'EISDIR',
  not_a_directory: 'ENOTDIR',
}

/** The client error for a path that cannot be opened. */
export function pathError(root: CorpusRoot, requested: string, failure: PathFailure): ZeeError {
  if (failure.failure === 'outside') return outsideError()
  if (failure.failure === 'invalid')
    return new ZeeError('invalid_path', invalidPathMessage(requested))
  const quoted = pythonRepr(pathForMessage(root, requested))
  if (failure.failure === 'not_a_file') {
    return new ZeeError('not_a_file', `Not a regular file: ${quoted}`)
  }
  return errnoError(failure.errno ?? errnoOfFailure[failure.failure] ?? 'EIO', quoted)
}

/** The client error for a system error on a path. */
export function systemError(root: CorpusRoot, requested: string, error: unknown): ZeeError {
  return errnoError(errnoOf(error) ?? 'EIO', pythonRepr(pathForMessage(root, requested)))
}

function errnoError(errno: string, quotedPath: string): ZeeError {
  const [number, text] = errnoMessages.get(errno) ?? [5, errno]
  return new ZeeError(errno.toLowerCase(), `[Errno ${number}] ${text}: ${quotedPath}`)
}

function invalidPathMessage(requested: string): string {
  return requested.includes('\0')
    ? 'embedded null byte'
    : 'path contains a character that file names cannot have'
}

/** The requested path without the folders above the root. */
function pathForMessage(root: CorpusRoot, requested: string): string {
  if (!requested.startsWith('/')) return requested
  return requested.startsWith(root.folder.prefix) ? requested.slice(root.folder.prefix.length) : '.'
}
