// What a snapshot's file says of itself, for people who want to know or to clear it away.
import { statSync } from 'node:fs'

export interface SnapshotFacts {
  file: string
  bytes: number
  /** Null when it cannot be used: broken, or made by another version. */
  root: string | null
  created: string | null
  files: number | null
}

/** Undefined when there is no such file. */
export async function snapshotFacts(file: string): Promise<SnapshotFacts | undefined> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return undefined
  const { snapshotHeader } = await import('./read-header.ts')
  const header = snapshotHeader(file)
  const { root = null, created = null, files = null } = header ?? {}
  return { file, bytes: stats.size, root, created, files }
}
