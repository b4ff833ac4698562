// Opens artifacts for reading. Only regular files inside their run are opened: a link out of the
// run, a pipe or a device is a failure.
import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import path from 'node:path'
import { openContained, openRoot, type ContainedRoot } from '@zee/core/contained-path'
import { errnoOf, errnoReason, fileError, reasonOf } from '@zee/core/errors'
import { artifactError } from './error.ts'
import { isDeeperThan } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { isObject } from '@zee/core/json'

export { artifactError }
export { createFolderAtomically, sweepFolders } from './new-folder.ts'
export { artifactText, refuseLink } from './write.ts'

export type ArtifactFailure =
  | { failure: 'missing' }
  | { failure: 'outside' }
  | { failure: 'irregular' }
  | { failure: 'io'; reason: string }

export interface OpenArtifact {
  failure?: undefined
  descriptor: number
  size: number
}

export type JsonArtifact =
  | { failure?: undefined; value: Record<string, unknown>; bytes: Buffer }
  | { failure: 'invalid'; reason: string }
  | { failure: 'too_large' }
  | { failure: 'too_deep' }
  | ArtifactFailure

/** A folder of evidence; both paths are real paths. */
export interface EvidenceFolder {
  path: string
  /** Reads from the folder must stay inside this one. */
  within: string
  /** Names in the folder, if it is already listed; saves system calls for missing files. */
  names?: ReadonlySet<string>
}

export interface ListedFolder extends EvidenceFolder {
  names: ReadonlySet<string>
}

export function listedFolder(folder: string, within: string): ListedFolder {
  return { path: folder, within, names: new Set(namesIn(folder)) }
}

/** Far above the size of any JSON file that zcl writes. */
const maxJsonBytes = 64 * 1024 * 1024

export function openArtifact(from: EvidenceFolder, name: string): OpenArtifact | ArtifactFailure {
  const isInner = name.includes('/')
  if (!isInner && from.names?.has(name) === false) return { failure: 'missing' }
  const file = path.join(from.path, name)
  const plain = isInner ? undefined : openRegularFile(file)
  if (plain !== undefined) return plain
  const root = containedRoot(from.within)
  if (root === undefined) return { failure: 'missing' }
  const opened = openContained(root, file)
  if (opened.failure === undefined) return { descriptor: opened.fd, size: opened.stats.size }
  switch (opened.failure) {
    case 'not_found':
    case 'not_a_directory':
      return { failure: 'missing' }
    case 'outside':
    case 'loop':
      return { failure: 'outside' }
    case 'is_directory':
    case 'not_a_file':
    case 'invalid':
      return { failure: 'irregular' }
    default:
      return { failure: 'io', reason: errnoReason(opened.errno ?? 'the system refused') }
  }
}

/** An open artifact; undefined if it is missing or not a file of the run. Throws if it cannot be opened. */
export function openIfPresent(from: EvidenceFolder, name: string): OpenArtifact | undefined {
  const opened = openArtifact(from, name)
  if (opened.failure === 'io') throw artifactError(opened, name)
  return opened.failure === undefined ? opened : undefined
}

/** Opens a regular file that is not a link: its folder is already known to be inside the run. */
function openRegularFile(file: string): OpenArtifact | undefined {
  let descriptor: number
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return undefined
  }
  const stats = fstatSync(descriptor)
  if (stats.isFile()) return { descriptor, size: stats.size }
  closeSync(descriptor)
  return undefined
}

let lastRoot: ContainedRoot | undefined

/** The root, or undefined if it is missing. Cached, because callers read many files of one run. */
function containedRoot(folder: string): ContainedRoot | undefined {
  if (lastRoot?.path === folder) return lastRoot
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
  lastRoot = openRoot(folder)
  return lastRoot
}

/** Reads a JSON object of at most `maxBytes`. */
export function readJsonArtifact(
  from: EvidenceFolder,
  name: string,
  maxBytes = maxJsonBytes,
): JsonArtifact {
  const opened = openArtifact(from, name)
  if (opened.failure !== undefined) return opened
  try {
    if (opened.size > maxBytes) return { failure: 'too_large' }
    return parseObject(readAll(opened))
  } catch (error) {
    return { failure: 'io', reason: reasonOf(error) }
  } finally {
    closeSync(opened.descriptor)
  }
}

/** The object of a JSON artifact; undefined if it is missing or invalid. Throws if it cannot be read. */
export function validArtifact(
  from: EvidenceFolder,
  name: string,
): Record<string, unknown> | undefined {
  const read = readJsonArtifact(from, name)
  if (read.failure === 'io') throw artifactError(read, path.join(from.path, name))
  return read.failure === undefined ? read.value : undefined
}

/** The bytes of an open artifact, up to its size at the time of opening. */
export function readAll({ descriptor, size }: OpenArtifact): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const got = readSync(descriptor, bytes, filled, size - filled, null)
    if (got === 0) break
    filled += got
  }
  return bytes.subarray(0, filled)
}

/** Entries of a folder, sorted by name; undefined if it is missing. */
export function listFolder(folder: string): Dirent[] | undefined {
  const entries = unlessMissing(() => readdirSync(folder, { withFileTypes: true }))
  return entries?.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function namesIn(folder: string): string[] {
  return unlessMissing(() => readdirSync(folder)) ?? []
}

function unlessMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

export function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory()
  } catch (error) {
    if (errnoOf(error) === 'EIO') throw fileError('read', folder, error)
    return false
  }
}

/** Whether the real path `inner` is `root` or is below it. */
export function isInside(root: string, inner: string): boolean {
  return inner === root || inner.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
}

/** Whether a path exists and resolves, links followed, to a path inside the real folder `root`. */
export function isContained(root: string, file: string): boolean {
  try {
    return isInside(root, realpathSync.native(file))
  } catch {
    return false
  }
}

/** Above what zcl writes. Deeper values would exhaust the stack of functions that recurse. */
const maxFileDepth = 256

function parseObject(bytes: Buffer): JsonArtifact {
  if (!isUtf8(bytes)) return { failure: 'invalid', reason: 'it is not UTF-8' }
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    // A shorter text cannot nest that deep.
    if (bytes.length > 2 * maxFileDepth && isDeeperThan(value, maxFileDepth)) {
      return { failure: 'too_deep' }
    }
    if (isObject(value)) return { value, bytes }
    return { failure: 'invalid', reason: 'it is not an object' }
  } catch (error) {
    return { failure: 'invalid', reason: reasonOf(error) }
  }
}

/** Only this many bytes of a prompt are read. */
const maxPromptBytes = 16 * 1024 * 1024

/** The prompt of an attempt; undefined if it is missing or not a regular file of the run. */
export function readPrompt(attempt: EvidenceFolder): string | undefined {
  return readTextArtifact(attempt, artifactName.prompt)
}

/** The start of a text file of an attempt; undefined if it is missing or not a regular file of it. */
export function readTextArtifact(attempt: EvidenceFolder, name: string): string | undefined {
  const opened = openArtifact(attempt, name)
  if (opened.failure !== undefined) return undefined
  try {
    const size = Math.min(opened.size, maxPromptBytes)
    return readAll({ ...opened, size }).toString('utf8')
  } finally {
    closeSync(opened.descriptor)
  }
}
