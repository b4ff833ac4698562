// Opens entries of a verified folder through the folder's descriptor, without following links. Renames
// during a walk cannot lead outside the root. Meant for walking trees: one system call per entry, where
// a verified open by path takes five.
import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { descriptorPath, openBelow, openFolder } from './contained-path.ts'
import type { ContainedFolder, ContainedRoot } from './contained-path.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_DIRECTORY } = constants
const fileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
const folderFlags = O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK
const notOpened = -1
const unavailable = -2

// Read once here instead of at the program's entry, so that callers need not pass the switch through.
const isAllowed = process.env.ZEE_CHDIR !== '0'

/** A name with a lone surrogate is not UTF-8: the system needs its bytes. */
const loneSurrogate = /[\ud800-\udfff]/

/** Opens a directory entry listed as a regular file; -1 on failure. Does not check its type again. */
export function openFileBelow(folder: ContainedFolder, name: string): number {
  if (!folder.root.hasProc || loneSurrogate.test(name)) {
    const file = openBelow(folder, name)
    return file.failure === undefined ? file.fd : -1
  }
  return tryOpen(`${descriptorPath(folder) as string}/${name}`, fileFlags)
}

/** Opens a folder in a folder, by its path and name; undefined if it is not a folder. */
export function openFolderBelow(
  parent: ContainedFolder,
  path: string,
  name: string,
): ContainedFolder | undefined {
  if (!parent.root.hasProc || loneSurrogate.test(name)) return openFolderAt(parent.root, path)
  const fd = tryOpen(`${descriptorPath(parent) as string}/${name}`, folderFlags)
  return fd === -1 ? undefined : { fd, path, root: parent.root }
}

/** Opens a folder by its path, which must not lead through a link. */
export function openFolderAt(root: ContainedRoot, path: string): ContainedFolder | undefined {
  const fd = root.hasProc && !loneSurrogate.test(path) ? openWithoutLinks(root, path) : -1
  if (fd !== -1) return { fd, path, root }
  const folder = openFolder(root, path)
  if (folder.failure !== undefined) return undefined
  if (folder.path === path) return folder
  closeSync(folder.fd)
  return undefined
}

/** Opens first and verifies afterwards: if /proc reports the same path, no link was followed. */
function openWithoutLinks(root: ContainedRoot, path: string): number {
  const absolute = path === '.' ? root.path : root.prefix + path
  const fd = tryOpen(absolute, folderFlags)
  if (fd === -1) return -1
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`) === absolute) return fd
  } catch {
    // `openFolder` decides.
  }
  closeSync(fd)
  return -1
}

/**
 * Opens many files of one folder: enters the folder by its descriptor with `process.chdir`, so that names
 * are not resolved through /proc each time, a third of the cost of an open. ADR 15 has the measured gain;
 * ZEE_CHDIR=0 turns this off. The working folder is process-wide, so only programs that own their
 * process may use this, and `leave` must be called in the same turn of the event loop.
 */
export class WorkingFolder {
  /** Descriptor of the original working folder, or one of the two constants above. */
  #home = isAllowed ? notOpened : unavailable
  #current: ContainedFolder | undefined

  /** Changes into a folder; returns false if that is not possible. */
  enter(folder: ContainedFolder): boolean {
    if (this.#current === folder) return true
    if (this.#home === unavailable || !folder.root.hasProc) return false
    if (this.#home === notOpened) this.#home = tryOpen('.', O_RDONLY | O_DIRECTORY)
    try {
      // chdir throws in a worker thread and without search permission on the folder.
      if (this.#home < 0) throw new Error('the original working folder cannot be opened')
      process.chdir(`/proc/self/fd/${folder.fd}`)
      this.#current = folder
      return true
    } catch {
      this.close()
      return false
    }
  }

  /** Same as `openFileBelow` for the current folder; the name must not need bytes. */
  openFile(name: string): number {
    return tryOpen(name, fileFlags)
  }

  /** Changes back to the original working folder. */
  leave(): void {
    if (this.#current === undefined) return
    this.#current = undefined
    try {
      process.chdir(`/proc/self/fd/${this.#home}`)
    } catch {
      // Permission was lost concurrently. All other paths in use are absolute.
    }
  }

  /** Changes back; `enter` returns false from now on. */
  close(): void {
    this.leave()
    if (this.#home >= 0) closeSync(this.#home)
    this.#home = unavailable
  }
}

function tryOpen(path: string, flags: number): number {
  try {
    return openSync(path, flags)
  } catch {
    return -1
  }
}
