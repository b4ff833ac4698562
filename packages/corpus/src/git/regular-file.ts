// Opens files of a repository. A FIFO in place of a ref or of an object would block the server until something writes.
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { gitError } from './failure.ts'

export interface RegularFile {
  fd: number
  bytes: number
}

/** Throws if there is no such file, or if it is not a regular one. */
export function openRegularFile(file: string): RegularFile {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const stats = fstatSync(fd)
  if (stats.isFile()) return { fd, bytes: stats.size }
  closeSync(fd)
  throw gitError(`${file.slice(file.lastIndexOf('/') + 1)} is not a regular file`)
}
