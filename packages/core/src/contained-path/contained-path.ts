// Files below a root and nothing else, whatever links say and however names change meanwhile: a
// path is resolved, opened without following a link, and the opened descriptor is then asked where
// it lies. Nothing here ever blocks on a FIFO or a device.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  statSync,
  type Stats,
} from 'node:fs'
import { errnoOf, oneLine, reasonOf, ZeeError } from '../errors/errors.ts'
import { failed, kindFailure, type PathFailure } from './failure.ts'
import { nameText, systemName } from './names.ts'
import { realPath } from './resolve.ts'

export type { PathFailure, PathFailureKind } from './failure.ts'
export { nameText, systemName } from './names.ts'

export interface ContainedRoot {
  /** Absolute and without links. */
  readonly path: string
  /** The same with a slash at its end. */
  readonly prefix: string
  /** The system tells where an open descriptor lies, and opens below it, through /proc. */
  readonly hasProc: boolean
}

export interface ResolvedPath {
  failure?: undefined
  /** Links resolved, relative to the root; `.` is the root itself. */
  path: string
  /** For the system, which takes bytes where the name is no UTF-8. */
  absolute: string | Buffer
  /** Undefined when it is there; otherwise why not, such as `ENOENT`. */
  errno: string | undefined
}

/** The caller closes `fd`. */
export interface ContainedFile {
  failure?: undefined
  fd: number
  path: string
  stats: Stats
}

/** The caller closes `fd`. */
export interface ContainedFolder {
  failure?: undefined
  fd: number
  path: string
  root: ContainedRoot
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_DIRECTORY } = constants
const fileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
const folderFlags = O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK

// Then there is no saying where the path leads.
const unresolved = new Set(['ELOOP', 'ENAMETOOLONG'])

// A name that is replaced between the look and the open is looked at again.
const mostTries = 4

/** The folder that paths are held in; resolved once, here. */
export function openRoot(
  path: string | Buffer,
  hasProc: boolean = existsSync('/proc/self/fd'),
): ContainedRoot {
  const text = typeof path === 'string' ? path : nameText(path)
  try {
    const absolute = text.startsWith('/') ? text : `${process.cwd()}/${text}`
    const real = realPath(absolute)
    if (real === undefined) throw new Error('it holds a NUL byte')
    const system = systemName(real.path) as string | Buffer
    if (!statSync(system).isDirectory()) throw new Error('it is not a folder')
    return { path: real.path, prefix: real.path === '/' ? '/' : `${real.path}/`, hasProc }
  } catch (error) {
    const message = `cannot use ${oneLine(text)} as the root: ${reasonOf(error)}`
    throw new ZeeError('root', message, { exitCode: 2, cause: error })
  }
}

/** Where a path leads, if it stays inside. Its end need not exist. For looking, not for reading. */
export function resolveContained(
  root: ContainedRoot,
  path: string | Buffer,
): ResolvedPath | PathFailure {
  const text = typeof path === 'string' ? path : nameText(path)
  const real = realPath(text.startsWith('/') ? text : root.prefix + text)
  if (real === undefined) return { failure: 'invalid' }
  if (real.errno !== undefined && unresolved.has(real.errno)) return failed(real.errno)
  const relative = relativeTo(root, real.path)
  if (relative === undefined) return { failure: 'outside' }
  const absolute = systemName(real.path) as string | Buffer
  return { path: relative, absolute, errno: real.errno }
}

/** Opens a regular file for reading. Links that stay inside the root are followed. */
export function openContained(
  root: ContainedRoot,
  path: string | Buffer,
): ContainedFile | PathFailure {
  return openResolved<ContainedFile>(root, path, fileFlags, (fd, resolved) => {
    const stats = fstatSync(fd)
    const wrong = kindFailure(stats)
    if (wrong !== undefined) return wrong
    const where = verifiedPath(root, fd, resolved)
    return where === undefined ? { failure: 'outside' } : { fd, path: where, stats }
  })
}

/** Opens a folder, for `openBelow` and for listing by `descriptorPath`. */
export function openFolder(
  root: ContainedRoot,
  path: string | Buffer,
): ContainedFolder | PathFailure {
  return openResolved<ContainedFolder>(root, path, folderFlags, (fd, resolved) => {
    const where = verifiedPath(root, fd, resolved)
    return where === undefined ? { failure: 'outside' } : { fd, path: where, root }
  })
}

/**
 * Opens a regular file by its plain name in a folder that was verified: whatever becomes of the
 * folder's own name, this reads from the folder that was inside. Links are not followed.
 */
export function openBelow(
  folder: ContainedFolder,
  name: string | Buffer,
): ContainedFile | PathFailure {
  const text = typeof name === 'string' ? name : nameText(name)
  if (text === '' || text === '.' || text === '..' || text.includes('/')) {
    return { failure: 'invalid' }
  }
  const path = folder.path === '.' ? text : `${folder.path}/${text}`
  if (!folder.root.hasProc) return openNamed(folder.root, path)
  const system = systemName(`/proc/self/fd/${folder.fd}/${text}`)
  if (system === undefined) return { failure: 'invalid' }
  const result = open<ContainedFile>(system, fileFlags, (fd) => {
    const stats = fstatSync(fd)
    return kindFailure(stats) ?? { fd, path, stats }
  })
  return result.failure === 'loop' ? { ...result, failure: 'link' } : result
}

/** Without /proc every file is verified by itself, and a link shows in another path. */
function openNamed(root: ContainedRoot, path: string): ContainedFile | PathFailure {
  const file = openContained(root, path)
  if (file.failure !== undefined || file.path === path) return file
  closeSync(file.fd)
  return { failure: 'link' }
}

/** A path that leads to the opened folder itself, whatever became of its name. */
export function descriptorPath(folder: ContainedFolder): string | Buffer {
  if (folder.root.hasProc) return `/proc/self/fd/${folder.fd}`
  return systemName(folder.root.prefix + folder.path) as string | Buffer
}

type Check<Opened> = (fd: number, resolved: ResolvedPath) => Opened | PathFailure

function openResolved<Opened extends { failure?: undefined }>(
  root: ContainedRoot,
  path: string | Buffer,
  flags: number,
  check: Check<Opened>,
): Opened | PathFailure {
  for (let tries = 1; ; tries++) {
    const resolved = resolveContained(root, path)
    if (resolved.failure !== undefined) return resolved
    if (resolved.errno !== undefined) return failed(resolved.errno)
    const result = open(resolved.absolute, flags, (fd) => check(fd, resolved))
    // A resolved path holds no link, so somebody has just put one there.
    if (result.failure !== 'loop' || tries === mostTries) return result
  }
}

/** Opens, asks, and closes again unless the answer is good. */
function open<Opened extends { failure?: undefined }>(
  path: string | Buffer,
  flags: number,
  check: (fd: number) => Opened | PathFailure,
): Opened | PathFailure {
  let fd: number
  try {
    fd = openSync(path, flags)
  } catch (error) {
    return failed(errnoOf(error) ?? 'EIO')
  }
  let result: Opened | PathFailure
  try {
    result = check(fd)
  } catch (error) {
    result = failed(errnoOf(error) ?? 'EIO')
  }
  if (result.failure !== undefined) closeSync(fd)
  return result
}

/** Where the opened thing lies, relative to the root; undefined when that is outside. */
function verifiedPath(root: ContainedRoot, fd: number, resolved: ResolvedPath): string | undefined {
  if (!root.hasProc) return verifiedByIdentity(root, fd, resolved)
  const link = `/proc/self/fd/${fd}`
  let where = readlinkSync(link)
  if (where.includes('\ufffd')) where = nameText(readlinkSync(link, 'buffer'))
  const relative = relativeTo(root, where)
  // The kernel says so in the text of the link when the name is gone by now.
  return relative === `${resolved.path}${deletedMark}` ? resolved.path : relative
}

const deletedMark = ' (deleted)'

/**
 * Without /proc: what the name leads to must be inside and be the very thing we hold. Names can
 * change between these two looks as well, so they are taken several times over.
 */
function verifiedByIdentity(
  root: ContainedRoot,
  fd: number,
  resolved: ResolvedPath,
): string | undefined {
  const held = fstatSync(fd)
  for (let look = 0; look < identityLooks; look++) {
    const again = resolveContained(root, root.prefix + resolved.path)
    if (again.failure !== undefined || again.path !== resolved.path) return undefined
    const named = statSync(again.absolute, { throwIfNoEntry: false })
    if (named?.dev !== held.dev || named.ino !== held.ino) return undefined
  }
  return resolved.path
}

const identityLooks = 8

function relativeTo(root: ContainedRoot, path: string): string | undefined {
  if (path === root.path) return '.'
  return path.startsWith(root.prefix) ? path.slice(root.prefix.length) : undefined
}
