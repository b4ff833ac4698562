// Opens what lies directly in a folder that was verified, through the folder's own descriptor and without
// following a link: whatever becomes of names meanwhile, nothing from outside the root is reached. This
// is the way for whole trees; it costs one system call where a verified open by name costs five.
import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { descriptorPath, openBelow, openFolder } from './contained-path.ts'
import type { ContainedFolder, ContainedRoot } from './contained-path.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_DIRECTORY } = constants
const fileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
const folderFlags = O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK

/** No UTF-8, so the system needs bytes for it. */
const lone = /[\ud800-\udfff]/

/** A descriptor of what the folder's list called a regular file, or -1. Reading shows what it is. */
export function openFileBelow(folder: ContainedFolder, name: string): number {
  if (!folder.root.hasProc || lone.test(name)) {
    const file = openBelow(folder, name)
    return file.failure === undefined ? file.fd : -1
  }
  return openAt(`${descriptorPath(folder) as string}/${name}`, fileFlags)
}

/** A folder in a folder, by its path and name; undefined when it is none (any more). */
export function openFolderBelow(
  parent: ContainedFolder,
  path: string,
  name: string,
): ContainedFolder | undefined {
  if (!parent.root.hasProc || lone.test(name)) return openFolderAt(parent.root, path)
  const fd = openAt(`${descriptorPath(parent) as string}/${name}`, folderFlags)
  return fd === -1 ? undefined : { fd, path, root: parent.root }
}

/** A folder by its path, which must not lead through a link. */
export function openFolderAt(root: ContainedRoot, path: string): ContainedFolder | undefined {
  const fd = root.hasProc && !lone.test(path) ? openPlainly(root, path) : -1
  if (fd !== -1) return { fd, path, root }
  const folder = openFolder(root, path)
  if (folder.failure !== undefined) return undefined
  if (folder.path === path) return folder
  closeSync(folder.fd)
  return undefined
}

/** Opens first and asks afterwards: what the system calls by this very path was reached through no link. */
function openPlainly(root: ContainedRoot, path: string): number {
  const absolute = path === '.' ? root.path : root.prefix + path
  const fd = openAt(absolute, folderFlags)
  if (fd === -1) return -1
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`) === absolute) return fd
  } catch {
    // Then the longer way will tell.
  }
  closeSync(fd)
  return -1
}

/**
 * Opens many files of one folder after the other from within: the process goes into the folder, by its
 * descriptor, and names need not be looked up from /proc each time, which is a third of an open. The
 * working folder belongs to the whole process, so this is for programs that own theirs, within one turn
 * of the event loop: `leave` must be called before anything else runs.
 */
export class WorkingFolder {
  /** Where the process was, held open meanwhile; -2 when it cannot go anywhere. */
  #home = -1
  #at: ContainedFolder | undefined

  /** Goes into a folder; false when there is no way. */
  enter(folder: ContainedFolder): boolean {
    if (this.#at === folder) return true
    if (this.#home === -2 || !folder.root.hasProc) return false
    if (this.#home === -1) this.#home = openAt('.', O_RDONLY | O_DIRECTORY)
    try {
      // Threads have no working folder of their own, and a folder may be closed to us.
      if (this.#home < 0) throw new Error('there is no way back')
      process.chdir(`/proc/self/fd/${folder.fd}`)
      this.#at = folder
      return true
    } catch {
      this.close()
      return false
    }
  }

  /** As `openFileBelow` in the folder that was entered, for a name of plain text. */
  openFile(name: string): number {
    return openAt(name, fileFlags)
  }

  /** Goes back. */
  leave(): void {
    if (this.#at === undefined) return
    this.#at = undefined
    try {
      process.chdir(`/proc/self/fd/${this.#home}`)
    } catch {
      // It was closed to us meanwhile. All paths that matter are absolute.
    }
  }

  /** Goes back for good. */
  close(): void {
    this.leave()
    if (this.#home >= 0) closeSync(this.#home)
    this.#home = -2
  }
}

function openAt(path: string, flags: number): number {
  try {
    return openSync(path, flags)
  } catch {
    return -1
  }
}
