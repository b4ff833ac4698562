// One folder of the tree as last read: its entries in path order, and its identity on the disk.
import type { BigIntStats } from 'node:fs'
import { comparePaths } from '../walk/walk.ts'
import { isRacy } from './racy.ts'

export interface Folder {
  /** Path with a trailing slash; empty for the root. */
  readonly prefix: string
  readonly parent: Folder | undefined
  /** In path order; names of folders end with a slash. Undefined until the folder is read. */
  names: string[] | undefined
  /** In the same order: a folder, or a file id. */
  values: (Folder | number)[]
  inode: bigint
  device: bigint
  /** Mode, owner and birth time (see `accessKey`). */
  access: string
  /** ctime when it was read, and whether that was within the last clock tick. */
  changed: bigint
  isRacy: boolean
  /** Undefined if the folder is not watched. */
  watch: { close(): void } | undefined
  isRemoved: boolean
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
    isRemoved: false,
  }
}

/** Stores the identity of a folder before it is read. */
export function identify(folder: Folder, stats: BigIntStats, nowNs: bigint): void {
  folder.inode = stats.ino
  folder.device = stats.dev
  folder.access = accessKey(stats)
  folder.changed = stats.ctimeNs
  folder.isRacy = isRacy(stats.ctimeNs, nowNs)
}

export function isSameFolder(folder: Folder, stats: BigIntStats): boolean {
  const { inode, device, access, changed } = folder
  if (stats.ino !== inode || stats.dev !== device) return false
  // File systems without birth times report ctime instead.
  return (
    access === accessKey(stats) || (lacksBirthTime(stats) && access === accessKey(stats, changed))
  )
}

function lacksBirthTime({ birthtimeNs, ctimeNs }: BigIntStats): boolean {
  return birthtimeNs === ctimeNs
}

/** Includes the birth time, because inodes of removed folders are reused. */
export function accessKey(stats: BigIntStats, birthNs: bigint = stats.birthtimeNs): string {
  const { mode, uid, gid } = stats
  return `${mode} ${uid} ${gid} ${birthNs}`
}

/** The path below the root; `.` for the root. */
export function folderPath(folder: Folder): string {
  return folder.prefix === '' ? '.' : folder.prefix.slice(0, -1)
}

/** The position of a name, or `-1 - position` where it would be inserted. Folders end with a slash. */
export function findName(names: readonly string[], name: string): number {
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
