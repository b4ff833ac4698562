// Facts about a snapshot file, for commands that list or remove snapshots.
import { statSync } from 'node:fs'

export interface SnapshotFacts {
  file: string
  bytes: number
  /** Null if the file is damaged or from another version. */
  root: string | null
  created: string | null
  files: number | null
}

/** Undefined if the file does not exist. */
export async function snapshotFacts(file: string): Promise<SnapshotFacts | undefined> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return undefined
  const { snapshotHeader } = await import('./read-header.ts')
  const header = snapshotHeader(file)
  const { root = null, created = null, files = null } = header ?? {}
  return { file, bytes: stats.size, root, created, files }
}
