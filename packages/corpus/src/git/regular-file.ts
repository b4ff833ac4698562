// Opens files of a repository. A FIFO in place of a ref or of an object would block the server until something writes.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
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

/** Throws like `openRegularFile`. */
export function readRegularFile(file: string): Buffer {
  const { fd } = openRegularFile(file)
  try {
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}
