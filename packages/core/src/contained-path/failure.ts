// Why a path below a root could not be opened, as a value that callers can put into words.
import type { Stats } from 'node:fs'

export type PathFailureKind =
  | 'outside' // leads out of the root
  | 'invalid' // no path: a NUL byte, or text that stands for no name
  | 'not_found'
  | 'denied'
  | 'loop' // links without an end
  | 'link' // openBelow only: a link, which it does not follow
  | 'is_directory'
  | 'not_a_directory' // what should be a folder, or a part of the path
  | 'not_a_file' // FIFO, socket or device
  | 'io'

export interface PathFailure {
  failure: PathFailureKind
  /** The system's name of the error, such as `ENOENT`, where it has one. */
  errno?: string
}

/** Only regular files are read. */
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
  // What the system answers for a socket and for a device without a driver.
  ['ENXIO', 'not_a_file'],
  ['ENODEV', 'not_a_file'],
])

export function failed(errno: string): PathFailure {
  return { failure: failureKinds.get(errno) ?? 'io', errno }
}
