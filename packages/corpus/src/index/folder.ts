// One folder of the tree as it was last read: all its names in the order of paths, with what they are.
import type { BigIntStats } from 'node:fs'
import { comparePaths } from '../walk/walk.ts'
import { isRacy } from './racy.ts'

export interface Folder {
  /** Path and a slash; empty for the root. */
  readonly prefix: string
  readonly parent: Folder | undefined
  /** Sorted; a folder's name carries a slash, as its paths do. Undefined while it was not read. */
  names: string[] | undefined
  /** In the same order: a folder, or a file by its number. */
  values: (Folder | number)[]
  /** Which folder it was when it was read. */
  inode: bigint
  device: bigint
  /** Who may read it, as text, and since when it is there. */
  access: string
  /** When it was last changed before it was read, and whether that was only just before. */
  changed: bigint
  isRacy: boolean
  /** Tells changes; undefined where nothing does. */
  watch: { close(): void } | undefined
  isGone: boolean
}

export function newFolder(prefix: string, parent: Folder | undefined): Folder {
  return {
    prefix,
    parent,
    names: undefined,
    values: [],
    inode: 0n,
    device: 0n,
    access: '',
    changed: 0n,
    isRacy: true,
    watch: undefined,
    isGone: false,
  }
}

/** Notes which folder this is, as the system knows it, before it is read. */
export function identify(folder: Folder, stats: BigIntStats, nowNs: bigint): void {
  folder.inode = stats.ino
  folder.device = stats.dev
  folder.access = accessOf(stats)
  folder.changed = stats.ctimeNs
  folder.isRacy = isRacy(stats.ctimeNs, nowNs)
}

export function isSameFolder(folder: Folder, stats: BigIntStats): boolean {
  const { inode, device, access, changed } = folder
  if (stats.ino !== inode || stats.dev !== device) return false
  // Where the system does not know when a folder was made, it gives the last change instead.
  return access === accessOf(stats) || (isUntold(stats) && access === accessOf(stats, changed))
}

function isUntold({ birthtimeNs, ctimeNs }: BigIntStats): boolean {
  return birthtimeNs === ctimeNs
}

/** Also when it was made: numbers of folders that went are used again. */
export function accessOf(stats: BigIntStats, made: bigint = stats.birthtimeNs): string {
  const { mode, uid, gid } = stats
  return `${mode} ${uid} ${gid} ${made}`
}

/** The path, as the system takes it below the root. */
export function folderPath(folder: Folder): string {
  return folder.prefix === '' ? '.' : folder.prefix.slice(0, -1)
}

/** Where a name is, or would be: `-1 - place` when it is not there. A folder's name has its slash. */
export function placeOfName(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = comparePaths(names[middle] as string, name)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1 - low
}
