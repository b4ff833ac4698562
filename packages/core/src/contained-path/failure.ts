// Why a path below a root could not be opened, as a value for callers to describe.
import type { Stats } from 'node:fs'

export type PathFailureKind =
  | 'outside' // leads out of the root
  | 'invalid' // not a path: a NUL byte, or text that encodes no name
  | 'not_found'
  | 'denied'
  | 'loop' // a cycle of links
  | 'link' // openBelow only, which does not follow links
  | 'is_directory'
  | 'not_a_directory' // the path or a part of it that must be a folder
  | 'not_a_file' // FIFO, socket or device
  | 'io'

export interface PathFailure {
  failure: PathFailureKind
  /** The system's error name, such as `ENOENT`, if there is one. */
  errno?: string
}

/** The failure for anything that is not a regular file. */
export function kindFailure(stats: Stats): PathFailure | undefined {
  if (stats.isFile()) return undefined
  return stats.isDirectory() ? failed('EISDIR') : { failure: 'not_a_file' }
}

const failureKinds: ReadonlyMap<string, PathFailureKind> = new Map([
  ['ENOENT', 'not_found'],
  ['ENOTDIR', 'not_a_directory'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['ELOOP', 'loop'],
  ['EISDIR', 'is_directory'],
  // From open(2) on a socket and on a device without a driver.
  ['ENXIO', 'not_a_file'],
  ['ENODEV', 'not_a_file'],
])

export function failed(errno: string): PathFailure {
  return { failure: failureKinds.get(errno) ?? 'io', errno }
}
