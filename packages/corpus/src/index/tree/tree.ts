// The tree as it was last seen: folders are read when a walk first comes to them, watched from just before
// that, and brought up to date name by name. Links are looked at again for every request, because what
// they lead to may lie anywhere.
import { closeSync, fstatSync, lstatSync, readdirSync, statSync } from 'node:fs'
import type { BigIntStats, Dirent } from 'node:fs'
import { descriptorPath, nameText } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFolderAt } from '@zee/core/contained-path-below'
import { sortNames } from '../../walk/walk.ts'
import { leadsToOmitted } from '../../root/root.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { statsOf, systemPath } from '../checked-file.ts'
import { fileSystemKind } from '../file-systems.ts'
import { FileFlag, FileKind, FileTable } from '../file-table.ts'
import { folderPath, identify, isSameFolder, newFolder, placeOfName } from '../folder.ts'
import type { Folder } from '../folder.ts'
import type { FolderWatches, Heard } from '../refresh/refresh.ts'

export { FolderOpener } from './folder-opener.ts'
export { LinkTargets } from './link-targets.ts'
export { isHopeless, loadTree } from './load.ts'
export { IndexedWalk } from './walk.ts'

export interface TreeOptions {
  root: CorpusRoot
  watches: FolderWatches
  /** The time of day. */
  nowNs(): bigint
  /** Called before what is known of a file is forgotten. */
  onForget(id: number): void
  /** A file turned up that has other names, too, of which nothing may have been heard. */
  onLinked(inode: bigint): void
}

/** A file that came (its number) or went (its number, less than 0: `-1 - id`). */
export type TreeChange = number

export class FolderTree {
  readonly table = new FileTable()
  top: Folder
  /** Files of which nothing is known yet, or nothing that still holds. */
  readonly pending = new Set<number>()
  readonly links = new Set<number>()
  /** What came and went; when it is too long it begins anew with another epoch. */
  changes: TreeChange[] = []
  epoch = 0
  /** Goes up with everything that changes. */
  version = 0
  /** Some of it is not stored anywhere, such as what the kernel shows of processes. */
  isMadeUp = false
  /** Some of it lies where times may come from another clock. */
  isForeign = false
  /** Files may already be known under other names when they turn up. */
  expectsLinks = false
  readonly #devices = new Set<bigint>()
  readonly #options: TreeOptions

  constructor(options: TreeOptions) {
    this.#options = options
    this.top = newFolder('', undefined)
  }

  /** Reads a folder that was not read yet. One that cannot be read is as good as empty. */
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
        if (kind === 'file' && this.expectsLinks) this.#checkLinked(lstatBelow(opened, name))
      }
      sortFolder(folder)
    } catch {
      // Gone while it was read: its own folder hears of that.
    } finally {
      closeSync(opened.fd)
    }
  }

  #checkDevice({ device }: Folder, opened: ContainedFolder): void {
    if (this.#devices.has(device)) return
    this.#devices.add(device)
    const kind = fileSystemKind(descriptorPath(opened))
    if (kind === 'made-up') this.isMadeUp = true
    if (kind === 'untold') this.#options.watches.giveUp()
    if (kind !== 'told') this.isForeign = true
  }

  /** Looks at what something happened to. */
  update(heard: Heard): void {
    for (const folder of heard.folders) this.updateFolder(folder)
    for (const [folder, names] of heard.names) {
      if (names.size <= manyNames) this.#updateNames(folder, names)
      else this.updateFolder(folder)
    }
  }

  /** Everything in a folder may be another. */
  updateFolder(folder: Folder): void {
    if (folder.isGone || folder.names === undefined) return
    this.reread(folder)
    this.#forgetFolders(folder)
    for (const value of folder.values) if (typeof value === 'number') this.suspect(value)
  }

  #updateNames(folder: Folder, names: ReadonlyMap<string, boolean>): void {
    if (folder.isGone || folder.names === undefined) return
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

  /** Folders in it are read again when they are next needed. */
  #forgetFolders(folder: Folder): void {
    for (const [index, value] of folder.values.entries()) {
      if (typeof value !== 'number') this.#replaceFolder(folder, index)
    }
  }

  /** A link may by now lead to a folder, or not any more. */
  updateLink(id: number): void {
    const was = this.table.has(id, FileFlag.toFolder)
    const { root } = this.#options
    const path = this.table.path(id)
    // What is left out is not to be found by another name, and is not listed, as little as a folder.
    const is = isFolder(systemPath(root.folder, path)) || leadsToOmitted(root, path)
    if (was === is) return
    this.table.forget(id)
    this.table.flags[id] = is ? FileFlag.toFolder : 0
    this.#note(is ? -1 - id : id)
  }

  /** The file may be another one than it was. */
  suspect(id: number): void {
    if (this.table.kinds[id] !== FileKind.file) return
    this.version++
    this.#options.onForget(id)
    this.table.forget(id)
    this.pending.add(id)
  }

  /** Everything is gone, or another folder is in its place. */
  reset(): void {
    this.#drop(this.top)
    this.top = newFolder('', undefined)
    this.epoch++
  }

  #open(folder: Folder): ContainedFolder | undefined {
    return openFolderAt(this.#options.root.folder, folderPath(folder))
  }

  /** Every name with what it is; folders' names carry a slash. */
  #read(folder: Folder, opened: ContainedFolder): Map<string, EntryKind> {
    const at = descriptorPath(opened)
    const found = new Map<string, EntryKind>()
    const { omitted } = this.#options.root
    const add = (name: string, entry: Dirent | Dirent<Buffer>): void => {
      const kind = kindOf(entry)
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
   * Reads a folder's names again; true when it is still the folder that it was. After events were lost it may be
   * another one with the same number and time, of which the old watch hears nothing: `rewatch` then.
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

  /** Whether the folder is the one that it was; if not, that one is watched from now on. */
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
    const kind = stats === undefined ? undefined : kindOf(stats)
    if (kind === 'file') this.#checkLinked(stats)
    // The root hears of itself under some other name.
    if (kind === undefined && folder.parent === undefined) this.reread(folder)
    const place = kind === 'folder' ? `${name}/` : name
    this.#removeName(folder, kind === 'folder' ? name : `${name}/`)
    const at = placeOfName(folder.names as string[], place)
    const value = at < 0 ? undefined : (folder.values[at] as Folder | number)
    if (value !== undefined && kind === this.#kindOf(value)) {
      if (typeof value === 'number') this.suspect(value)
      // A folder that came again may look like the one that went.
      else if (renamed || !this.#isAsRead(value, stats as BigIntStats)) {
        this.#replaceFolder(folder, at)
      }
      return
    }
    if (value !== undefined) this.#removeName(folder, place)
    if (kind === undefined) return
    const free = -1 - placeOfName(folder.names as string[], place)
    ;(folder.names as string[]).splice(free, 0, place)
    folder.values.splice(free, 0, this.#value(folder, place, kind))
  }

  #isAsRead(folder: Folder, stats: BigIntStats): boolean {
    return folder.names === undefined || isSameFolder(folder, stats)
  }

  #checkLinked(stats: BigIntStats | undefined): void {
    if (stats !== undefined && stats.nlink > 1n) this.#options.onLinked(stats.ino)
  }

  #replaceFolder(parent: Folder, at: number): void {
    const old = parent.values[at] as Folder
    this.#drop(old)
    parent.values[at] = newFolder(old.prefix, parent)
    this.epoch++
    this.version++
  }

  #removeName(folder: Folder, name: string): void {
    const at = placeOfName(folder.names as string[], name)
    if (at < 0) return
    this.#drop(folder.values[at] as Folder | number)
    ;(folder.names as string[]).splice(at, 1)
    folder.values.splice(at, 1)
  }

  #create(folder: Folder, name: string, kind: EntryKind): void {
    ;(folder.names as string[]).push(name)
    folder.values.push(this.#value(folder, name, kind))
  }

  #value(folder: Folder, name: string, kind: EntryKind): Folder | number {
    if (kind === 'folder') {
      // What is in it is not known before it is read.
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

  #kindOf(value: Folder | number): EntryKind {
    if (typeof value !== 'number') return 'folder'
    return kindNames[this.table.kinds[value] as number] as EntryKind
  }

  #drop(value: Folder | number): void {
    if (typeof value !== 'number') {
      value.isGone = true
      this.version++
      this.#options.watches.remove(value)
      for (const inner of value.values) this.#drop(inner)
      return
    }
    this.#options.onForget(value)
    this.pending.delete(value)
    this.links.delete(value)
    this.#note(-1 - value)
    this.table.remove(value)
  }

  #note(change: TreeChange): void {
    this.version++
    if (this.changes.length >= mostChanges) {
      this.changes = []
      this.epoch++
    }
    this.changes.push(change)
  }
}

type EntryKind = 'folder' | keyof typeof FileKind

const kindNames: readonly EntryKind[] = ['file', 'link', 'other']
const mostChanges = 4096
/** So many are looked at together. */
const manyNames = 64
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
