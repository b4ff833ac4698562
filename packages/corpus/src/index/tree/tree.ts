// The tree as last read. A folder is watched, then read, when a walk first enters it, and updated name by name.
// Links are resolved again for every request, because their targets may be anywhere.
import { closeSync, fstatSync, lstatSync, readdirSync, statSync } from 'node:fs'
import type { BigIntStats, Dirent } from 'node:fs'
import { descriptorPath, nameText } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFolderAt } from '@zee/core/contained-path-below'
import { denyingRule } from '../../deny/deny.ts'
import { sortNames } from '../../walk/walk.ts'
import { leadsToOmitted } from '../../root/root.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { statsOf, systemPath } from '../checked-file.ts'
import { fileSystemKind } from '../file-systems.ts'
import { FileFlag, FileKind, FileTable } from '../file-table.ts'
import { folderPath, identify, isSameFolder, newFolder, findName } from '../folder.ts'
import type { Folder } from '../folder.ts'
import type { FolderWatches, FolderEvents } from '../refresh/refresh.ts'

export { FolderOpener } from './folder-opener.ts'
export { LinkTargets } from './link-targets.ts'
export { isUnindexable, loadTree } from './load.ts'
export { IndexedWalk } from './walk.ts'

export interface TreeOptions {
  root: CorpusRoot
  watches: FolderWatches
  /** Wall-clock time. */
  nowNs(): bigint
  /** Called before a file is invalidated or removed. */
  onInvalidate(id: number): void
  /** Called for a file with several names, some of which may not be watched. */
  onHardLink(inode: bigint): void
}

/** The id of an added file, or `-1 - id` of a removed one. */
export type TreeChange = number

export class FolderTree {
  readonly table = new FileTable()
  top: Folder
  /** Files that were never read, or changed since. */
  readonly pending = new Set<number>()
  readonly links = new Set<number>()
  /** Added and removed files of this epoch. A list that is too long is cleared and starts a new epoch. */
  changes: TreeChange[] = []
  epoch = 0
  /** Incremented with every change. */
  version = 0
  /** Part of the tree is on a virtual file system, such as /proc. */
  isVirtual = false
  /** Part of the tree is not on a local file system, so times may come from another clock. */
  hasRemoteFiles = false
  /** New files may be hard links of known ones. */
  checksHardLinks = false
  readonly #devices = new Set<bigint>()
  readonly #options: TreeOptions

  constructor(options: TreeOptions) {
    this.#options = options
    this.top = newFolder('', undefined)
  }

  /** Reads a folder for the first time. An unreadable folder counts as empty. */
  load(folder: Folder): void {
    folder.names = []
    const opened = this.#open(folder)
    if (opened === undefined) return
    try {
      identify(folder, fstatSync(opened.fd, { bigint: true }), this.#options.nowNs())
      this.#checkDevice(folder, opened)
      this.#options.watches.add(folder, descriptorPath(opened))
      for (const [name, kind] of this.#read(folder, opened)) {
        this.#create(folder, name, kind)
        if (kind === 'file' && this.checksHardLinks) this.#checkLinked(lstatBelow(opened, name))
      }
      sortFolder(folder)
    } catch {
      // Removed while it was read: the parent gets an event.
    } finally {
      closeSync(opened.fd)
    }
  }

  #checkDevice({ device }: Folder, opened: ContainedFolder): void {
    if (this.#devices.has(device)) return
    this.#devices.add(device)
    const kind = fileSystemKind(descriptorPath(opened))
    if (kind === 'virtual') this.isVirtual = true
    if (kind === 'remote') this.#options.watches.disable()
    if (kind !== 'local') this.hasRemoteFiles = true
  }

  /** Applies events. */
  update(events: FolderEvents): void {
    for (const folder of events.folders) this.updateFolder(folder)
    for (const [folder, names] of events.names) {
      if (names.size <= maxNames) this.#updateNames(folder, names)
      else this.updateFolder(folder)
    }
  }

  /** Rereads a folder and invalidates everything in it. */
  updateFolder(folder: Folder): void {
    if (folder.isRemoved || folder.names === undefined) return
    this.reread(folder)
    this.#forgetFolders(folder)
    for (const value of folder.values) if (typeof value === 'number') this.invalidate(value)
  }

  #updateNames(folder: Folder, names: ReadonlyMap<string, boolean>): void {
    if (folder.isRemoved || folder.names === undefined) return
    const opened = this.#open(folder)
    if (opened === undefined) {
      this.updateFolder(folder)
      return
    }
    try {
      for (const [name, renamed] of names) this.#updateName(folder, name, renamed, opened)
    } finally {
      closeSync(opened.fd)
    }
  }

  /** Replaces subfolders by unread ones, which are read when next needed. */
  #forgetFolders(folder: Folder): void {
    for (const [index, value] of folder.values.entries()) {
      if (typeof value !== 'number') this.#replaceFolder(folder, index)
    }
  }

  /** Updates whether a link leads to a folder. */
  updateLink(id: number): void {
    const was = this.table.has(id, FileFlag.toFolder)
    const { root } = this.#options
    const path = this.table.path(id)
    // A link to an omitted file is hidden like a link to a folder.
    const is = isFolder(systemPath(root.folder, path)) || leadsToOmitted(root, path)
    if (was === is) return
    this.table.forget(id)
    this.table.flags[id] = is ? FileFlag.toFolder : 0
    this.#note(is ? -1 - id : id)
  }

  /** Marks a file as changed, to be read again. */
  invalidate(id: number): void {
    if (this.table.kinds[id] !== FileKind.file) return
    this.version++
    this.#options.onInvalidate(id)
    this.table.forget(id)
    this.pending.add(id)
  }

  /** Drops everything: the root was removed or replaced. */
  reset(): void {
    this.#drop(this.top)
    this.top = newFolder('', undefined)
    this.epoch++
  }

  #open(folder: Folder): ContainedFolder | undefined {
    return openFolderAt(this.#options.root.folder, folderPath(folder))
  }

  /** The kind of every name; names of folders end with a slash. */
  #read(folder: Folder, opened: ContainedFolder): Map<string, EntryKind> {
    const at = descriptorPath(opened)
    const found = new Map<string, EntryKind>()
    const { omitted } = this.#options.root
    const add = (name: string, entry: Dirent | Dirent<Buffer>): void => {
      const kind = this.#entryKind(entry, folder.prefix + name)
      if (kind === 'folder') found.set(`${name}/`, kind)
      else if (omitted.size === 0 || !omitted.has(folder.prefix + name)) found.set(name, kind)
    }
    let replaced = false
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.name.includes('\ufffd')) replaced = true
      else add(entry.name, entry)
    }
    if (!replaced) return found
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      if (entry.name.toString().includes('\ufffd')) add(nameText(entry.name), entry)
    }
    return found
  }

  /**
   * Rereads the names of a folder. Returns whether it is the same folder as before. After lost events it may be a
   * new folder with the same inode and time, which the old watch does not cover: set `rewatch`.
   */
  reread(folder: Folder, rewatch = false): boolean {
    const opened = this.#open(folder)
    let found = new Map<string, EntryKind>()
    let same = opened !== undefined
    if (opened !== undefined) {
      try {
        same = this.#checkIdentity(folder, opened, rewatch)
        found = this.#read(folder, opened)
      } catch {
        same = false
      } finally {
        closeSync(opened.fd)
      }
    }
    const names = folder.names ?? []
    for (const [index, name] of names.entries()) {
      if (found.get(name) === this.#kindOf(folder.values[index] as Folder | number)) {
        found.delete(name)
        continue
      }
      this.#drop(folder.values[index] as Folder | number)
      folder.values[index] = gone
    }
    folder.names = names.filter((_, index) => folder.values[index] !== gone)
    folder.values = folder.values.filter((value) => value !== gone)
    for (const [name, kind] of found) {
      this.#create(folder, name, kind)
      if (kind === 'file')
        this.#checkLinked(statsOf(this.#options.root.folder, folder.prefix + name))
    }
    if (found.size > 0) sortFolder(folder)
    return same
  }

  /** Whether the folder is the same as before; if not, watches the new one. */
  #checkIdentity(folder: Folder, opened: ContainedFolder, rewatch: boolean): boolean {
    const stats = fstatSync(opened.fd, { bigint: true })
    const same = isSameFolder(folder, stats)
    identify(folder, stats, this.#options.nowNs())
    if (same && !rewatch) return true
    this.#checkDevice(folder, opened)
    this.#options.watches.remove(folder)
    this.#options.watches.add(folder, descriptorPath(opened))
    return same
  }

  #updateName(folder: Folder, name: string, renamed: boolean, opened: ContainedFolder): void {
    const { root } = this.#options
    if (root.omitted.has(folder.prefix + name)) return
    const stats = lstatBelow(opened, name)
    const kind = stats === undefined ? undefined : this.#entryKind(stats, folder.prefix + name)
    if (kind === 'file') this.#checkLinked(stats)
    // inotify reports events of the root itself under another name.
    if (kind === undefined && folder.parent === undefined) this.reread(folder)
    const entryName = kind === 'folder' ? `${name}/` : name
    this.#removeName(folder, kind === 'folder' ? name : `${name}/`)
    const position = findName(folder.names as string[], entryName)
    const value = position < 0 ? undefined : (folder.values[position] as Folder | number)
    if (value !== undefined && kind === this.#kindOf(value)) {
      if (typeof value === 'number') this.invalidate(value)
      // A recreated folder may look like the removed one.
      else if (renamed || !this.#isAsRead(value, stats as BigIntStats)) {
        this.#replaceFolder(folder, position)
      }
      return
    }
    if (value !== undefined) this.#removeName(folder, entryName)
    if (kind === undefined) return
    const insertAt = -1 - findName(folder.names as string[], entryName)
    ;(folder.names as string[]).splice(insertAt, 0, entryName)
    folder.values.splice(insertAt, 0, this.#value(folder, entryName, kind))
  }

  #isAsRead(folder: Folder, stats: BigIntStats): boolean {
    return folder.names === undefined || isSameFolder(folder, stats)
  }

  #checkLinked(stats: BigIntStats | undefined): void {
    if (stats !== undefined && stats.nlink > 1n) this.#options.onHardLink(stats.ino)
  }

  #replaceFolder(parent: Folder, index: number): void {
    const old = parent.values[index] as Folder
    this.#drop(old)
    parent.values[index] = newFolder(old.prefix, parent)
    this.epoch++
    this.version++
  }

  #removeName(folder: Folder, name: string): void {
    const index = findName(folder.names as string[], name)
    if (index < 0) return
    this.#drop(folder.values[index] as Folder | number)
    ;(folder.names as string[]).splice(index, 1)
    folder.values.splice(index, 1)
  }

  #create(folder: Folder, name: string, kind: EntryKind): void {
    ;(folder.names as string[]).push(name)
    folder.values.push(this.#value(folder, name, kind))
  }

  #value(folder: Folder, name: string, kind: EntryKind): Folder | number {
    if (kind === 'folder') {
      // Its files are unknown until it is read.
      this.epoch++
      return newFolder(folder.prefix + name, folder)
    }
    const id = this.table.add(folder, name, FileKind[kind])
    if (kind === 'file') this.pending.add(id)
    if (kind === 'link') this.#addLink(id)
    this.#note(id)
    return id
  }

  #addLink(id: number): void {
    this.links.add(id)
    const at = systemPath(this.#options.root.folder, this.table.path(id))
    if (isFolder(at)) this.table.flags[id] = FileFlag.toFolder
  }

  /** A denied file is listed but never opened. */
  #entryKind(entry: Dirent | Dirent<Buffer> | BigIntStats, path: string): EntryKind {
    const kind = kindOf(entry)
    const { deny } = this.#options.root
    const isDenied = kind === 'file' && denyingRule(deny, path) !== undefined
    return isDenied ? 'other' : kind
  }

  #kindOf(value: Folder | number): EntryKind {
    if (typeof value !== 'number') return 'folder'
    return kindNames[this.table.kinds[value] as number] as EntryKind
  }

  #drop(value: Folder | number): void {
    if (typeof value !== 'number') {
      value.isRemoved = true
      this.version++
      this.#options.watches.remove(value)
      for (const inner of value.values) this.#drop(inner)
      return
    }
    this.#options.onInvalidate(value)
    this.pending.delete(value)
    this.links.delete(value)
    this.#note(-1 - value)
    this.table.remove(value)
  }

  #note(change: TreeChange): void {
    this.version++
    if (this.changes.length >= maxChanges) {
      this.changes = []
      this.epoch++
    }
    this.changes.push(change)
  }
}

type EntryKind = 'folder' | keyof typeof FileKind

const kindNames: readonly EntryKind[] = ['file', 'link', 'other']
const maxChanges = 4096
/** With more changed names the entire folder is reread. */
const maxNames = 64
const gone = -1

function kindOf(entry: Dirent | Dirent<Buffer> | BigIntStats): EntryKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

function lstatBelow(folder: ContainedFolder, name: string): BigIntStats | undefined {
  try {
    const at = descriptorPath(folder)
    const path =
      typeof at === 'string' ? `${at}/${name}` : Buffer.concat([at, Buffer.from(`/${name}`)])
    return lstatSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

function isFolder(path: string | Buffer): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function sortFolder(folder: Folder): void {
  const names = folder.names as string[]
  const values = new Map(
    names.map((name, index) => [name, folder.values[index] as Folder | number]),
  )
  sortNames(names)
  folder.values = names.map((name) => values.get(name) as Folder | number)
}
