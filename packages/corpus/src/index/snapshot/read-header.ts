// Reads the header of a snapshot's file. Loaded lazily: only people who look at snapshots need it.
import { closeSync } from 'node:fs'
import type { SnapshotHeader } from './header.ts'
import { headerIn, openOwn } from './open.ts'

/** What a snapshot says of itself, without a look at the rest; undefined when it is none. */
export function snapshotHeader(file: string): SnapshotHeader | undefined {
  const fd = openOwn(file)
  if (fd === undefined) return undefined
  try {
    return headerIn(fd)
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
