// The folder, or the one file, that a corpus is. Opens files in it and says in the words of the first
// server why one cannot be opened; paths in messages are relative to the root.
import { realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import path from 'node:path'
import { openContained, openRoot, resolveContained } from '@zee/core/contained-path'
import type { ContainedFile, ContainedRoot, PathFailure } from '@zee/core/contained-path'
import { errnoOf, ZeeError } from '@zee/core/errors'
import { pythonRepr } from '../python-repr.ts'

export interface CorpusRoot {
  folder: ContainedRoot
  /** The one file that is the whole corpus, by its name in the folder. */
  only: string | undefined
  /** Relative paths that are never listed or searched, such as the server's own log. */
  omitted: ReadonlySet<string>
  /** The same by absolute paths, wherever they are. */
  omittedFiles: readonly string[]
  /** Nobody else in this process needs its working folder while a request is at work. */
  ownsProcess: boolean
}

export interface RootOptions {
  /** Absolute paths. */
  omit?: readonly string[] | undefined
  ownsProcess?: boolean | undefined
}

/** A file as the root is a corpus of one; throws a ZeeError with exit code 2 when there is nothing. */
export function openCorpusRoot(at: string, options: RootOptions = {}): CorpusRoot {
  // The file behind a link, so that the folder is the one it really lies in.
  const file = isRegularFile(at) ? realpathSync.native(at) : undefined
  const folder = openRoot(file === undefined ? at : path.dirname(file))
  const only = file === undefined ? undefined : path.basename(file)
  const { omit = [], ownsProcess = false } = options
  const omitted = new Set(omit.flatMap((one) => omittedPaths(folder, one)))
  return { folder, only, omitted, omittedFiles: omit, ownsProcess }
}

/** Whether a link leads to a file that is left out. */
export function leadsToOmitted({ folder, omitted }: CorpusRoot, link: string): boolean {
  if (omitted.size === 0) return false
  const resolved = resolveContained(folder, link)
  return resolved.failure === undefined && omitted.has(resolved.path)
}

/** What files that are left out and have several names are known by; undefined when there are none. */
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

function isRegularFile(at: string): boolean {
  try {
    return statSync(at).isFile()
  } catch {
    return false
  }
}

/** Under the name it was given and under the one its folder really has. */
function omittedPaths(folder: ContainedRoot, at: string): string[] {
  const resolved = resolveContained(folder, path.resolve(at))
  return resolved.failure === undefined ? [resolved.path] : []
}

/** Opens a regular file by a path as a client sends it. The caller closes `fd`. */
export function openFile(root: CorpusRoot, asked: string): ContainedFile {
  const at = pathInRoot(root, asked)
  // A FIFO or a device is not even opened: that alone can have effects.
  const kind = irregular(root, at)
  if (kind !== undefined) throw pathError(root, asked, kind)
  const file = openContained(root.folder, at)
  if (file.failure === undefined) return file
  throw pathError(root, asked, file)
}

function irregular(root: CorpusRoot, at: string): PathFailure | undefined {
  const resolved = resolveContained(root.folder, at)
  if (resolved.failure !== undefined || resolved.errno !== undefined) return undefined
  try {
    const stats = statSync(resolved.absolute)
    if (stats.isFile() || stats.isDirectory()) return undefined
    return { failure: 'not_a_file' }
  } catch {
    return undefined
  }
}

/** The path to look up. In a corpus of one file, that file and nothing else is inside. */
export function pathInRoot(root: CorpusRoot, asked: string): string {
  if (root.only === undefined) return asked
  if (asked === '.') return root.only
  const resolved = resolveContained(root.folder, asked)
  if (resolved.failure === undefined && resolved.path === root.only) return asked
  throw outsideError()
}

export function outsideError(): ZeeError {
  return new ZeeError('outside', 'path outside root')
}

const words: ReadonlyMap<string, [number: number, words: string]> = new Map([
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

/** Why a path cannot be opened, as an error for the client. */
export function pathError(root: CorpusRoot, asked: string, failure: PathFailure): ZeeError {
  if (failure.failure === 'outside') return outsideError()
  if (failure.failure === 'invalid') return new ZeeError('invalid_path', invalidWords(asked))
  const shown = pythonRepr(relativeText(root, asked))
  if (failure.failure === 'not_a_file') {
    return new ZeeError('not_a_file', `Not a regular file: ${shown}`)
  }
  return errnoError(failure.errno ?? errnoOfFailure[failure.failure] ?? 'EIO', shown)
}

/** A system error on a path, in the same words. */
export function systemError(root: CorpusRoot, asked: string, error: unknown): ZeeError {
  return errnoError(errnoOf(error) ?? 'EIO', pythonRepr(relativeText(root, asked)))
}

function errnoError(errno: string, shown: string): ZeeError {
  const [number, text] = words.get(errno) ?? [5, errno]
  return new ZeeError(errno.toLowerCase(), `[Errno ${number}] ${text}: ${shown}`)
}

function invalidWords(asked: string): string {
  return asked.includes('\0')
    ? 'embedded null byte'
    : 'path holds a character that no name can have'
}

/** The path as it was asked for, but never with the folders above the root. */
function relativeText(root: CorpusRoot, asked: string): string {
  if (!asked.startsWith('/')) return asked
  return asked.startsWith(root.folder.prefix) ? asked.slice(root.folder.prefix.length) : '.'
}
