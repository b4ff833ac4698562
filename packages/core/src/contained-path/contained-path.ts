// Opens files below a root and nothing outside it, despite links and concurrent renames: resolve the
// path, open it without following links, then verify where the opened descriptor lies. Never blocks on
// a FIFO or a device.
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
  /** The same path with a trailing slash. */
  readonly prefix: string
  /** /proc/self/fd exists: it shows the path of a descriptor, and opens below a folder's descriptor. */
  readonly hasProc: boolean
}

export interface ResolvedPath {
  failure?: undefined
  /** Links resolved, relative to the root; `.` is the root itself. */
  path: string
  /** For system calls; bytes if the name is not UTF-8. */
  absolute: string | Buffer
  /** Undefined if the path exists, otherwise the error name, such as `ENOENT`. */
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

// With these errors the target of the path is unknown.
const unresolvedErrors = new Set(['ELOOP', 'ENAMETOOLONG'])

// A name that is replaced between resolve and open is resolved again.
const maxTries = 4

/** Resolves the root folder once; throws a ZeeError if it is not a folder. */
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

/** Resolves a path inside the root; its end need not exist. For display: reading needs an open. */
export function resolveContained(
  root: ContainedRoot,
  path: string | Buffer,
): ResolvedPath | PathFailure {
  const text = typeof path === 'string' ? path : nameText(path)
  const real = realPath(text.startsWith('/') ? text : root.prefix + text)
  if (real === undefined) return { failure: 'invalid' }
  if (real.errno !== undefined && unresolvedErrors.has(real.errno)) return failed(real.errno)
  const relative = relativeTo(root, real.path)
  if (relative === undefined) return { failure: 'outside' }
  const absolute = systemName(real.path) as string | Buffer
  return { path: relative, absolute, errno: real.errno }
}

/** Whether a link leads from `path` out of `root`. A path that does not exist leads nowhere. */
export function leadsOutOf(root: string, path: string): boolean {
  return existsSync(path) && resolveContained(openRoot(root), path).failure === 'outside'
}

/** Opens a regular file for reading. Follows links that stay inside the root. */
export function openContained(
  root: ContainedRoot,
  path: string | Buffer,
): ContainedFile | PathFailure {
  return openResolved<ContainedFile>(root, path, fileFlags, (fd, resolved) => {
    const stats = fstatSync(fd)
    const wrong = kindFailure(stats)
    if (wrong !== undefined) return wrong
    const location = verifiedPath(root, fd, resolved)
    return location === undefined ? { failure: 'outside' } : { fd, path: location, stats }
  })
}

/** Opens a folder, for `openBelow` and for listing through `descriptorPath`. */
export function openFolder(
  root: ContainedRoot,
  path: string | Buffer,
): ContainedFolder | PathFailure {
  return openResolved<ContainedFolder>(root, path, folderFlags, (fd, resolved) => {
    const location = verifiedPath(root, fd, resolved)
    return location === undefined ? { failure: 'outside' } : { fd, path: location, root }
  })
}

/**
 * Opens a regular file by its name in a verified folder. If the folder is renamed or replaced, this
 * still reads from the verified one. Does not follow links.
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
  if (!folder.root.hasProc) return openByPath(folder.root, path)
  const system = systemName(`/proc/self/fd/${folder.fd}/${text}`)
  if (system === undefined) return { failure: 'invalid' }
  const result = open<ContainedFile>(system, fileFlags, (fd) => {
    const stats = fstatSync(fd)
    return kindFailure(stats) ?? { fd, path, stats }
  })
  return result.failure === 'loop' ? { ...result, failure: 'link' } : result
}

/** Without /proc each file is verified on its own; a different path means that a link was followed. */
function openByPath(root: ContainedRoot, path: string): ContainedFile | PathFailure {
  const file = openContained(root, path)
  if (file.failure !== undefined || file.path === path) return file
  closeSync(file.fd)
  return { failure: 'link' }
}

/** A path to the opened folder itself, even if it was renamed (with /proc). */
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
    // A resolved path has no links, so another process has just created one.
    if (result.failure !== 'loop' || tries === maxTries) return result
  }
}

/** Opens a path and runs a check on the descriptor; closes it if the check fails. */
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

/** The path of an opened descriptor relative to the root; undefined if it is outside. */
function verifiedPath(root: ContainedRoot, fd: number, resolved: ResolvedPath): string | undefined {
  if (!root.hasProc) return verifiedByIdentity(root, fd, resolved)
  const link = `/proc/self/fd/${fd}`
  let location = readlinkSync(link)
  if (location.includes('\ufffd')) location = nameText(readlinkSync(link, 'buffer'))
  const relative = relativeTo(root, location)
  // The kernel appends this mark if the name has been deleted.
  return relative === `${resolved.path}${deletedMark}` ? resolved.path : relative
}

const deletedMark = ' (deleted)'

/**
 * Without /proc: the path must still resolve inside the root, to the same device and inode as the
 * descriptor. Names can change between these two checks, so they are repeated.
 */
function verifiedByIdentity(
  root: ContainedRoot,
  fd: number,
  resolved: ResolvedPath,
): string | undefined {
  const held = fstatSync(fd)
  for (let check = 0; check < identityChecks; check++) {
    const again = resolveContained(root, root.prefix + resolved.path)
    if (again.failure !== undefined || again.path !== resolved.path) return undefined
    const named = statSync(again.absolute, { throwIfNoEntry: false })
    if (named?.dev !== held.dev || named.ino !== held.ino) return undefined
  }
  return resolved.path
}

const identityChecks = 8

function relativeTo(root: ContainedRoot, path: string): string | undefined {
  if (path === root.path) return '.'
  return path.startsWith(root.prefix) ? path.slice(root.prefix.length) : undefined
}
