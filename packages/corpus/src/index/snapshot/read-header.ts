// Reads the header of a snapshot file. Loaded lazily: only commands that list snapshots need it.
import { closeSync } from 'node:fs'
import type { SnapshotHeader } from './header.ts'
import { readHeader, openOwned } from './open.ts'

/** The header of a snapshot, without a check of its sections; undefined if it is invalid. */
export function snapshotHeader(file: string): SnapshotHeader | undefined {
  const fd = openOwned(file)
  if (fd === undefined) return undefined
  try {
    return readHeader(fd)
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
