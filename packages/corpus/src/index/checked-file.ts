// Checks whether a file is unchanged since the index read it.
import { lstatSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { systemName } from '@zee/core/contained-path'
import type { ContainedRoot } from '@zee/core/contained-path'
import { FileFlag } from './file-table.ts'
import type { FileTable } from './file-table.ts'

/** A path below the root for system calls. Safe for `lstat` only: it is not checked against links. */
export function systemPath(root: ContainedRoot, path: string): string | Buffer {
  return systemName(root.prefix + path) as string | Buffer
}

/** Whether an indexed file still has the same size, times and inode. */
export function isUnchanged(root: ContainedRoot, table: FileTable, id: number): boolean {
  if (table.has(id, FileFlag.racy)) return false
  const stats = statsOf(root, table.path(id))
  return stats !== undefined && isSame(table, id, stats)
}

/** Every change sets ctime, even if a program restores mtime. */
export function isSame(table: FileTable, id: number, stats: BigIntStats): boolean {
  return (
    stats.ctimeNs === table.changed[id] &&
    stats.mtimeNs === table.modified[id] &&
    stats.ino === table.inodes[id] &&
    Number(stats.size) === table.sizes[id]
  )
}

const exactOrNone = { bigint: true, throwIfNoEntry: false } as const

export function statsOf(root: ContainedRoot, path: string): BigIntStats | undefined {
  try {
    return lstatSync(systemPath(root, path), exactOrNone)
  } catch {
    return undefined
  }
}
