// zee reads and replaces regular files only: a pipe may never end, and a rename over a device would
// destroy it.
import type { Stats } from 'node:fs'
import { fileError, oneLine, ZeeError } from '../errors/errors.ts'

/** Throws unless `stats` describe a regular file. */
export function assertRegularFile(verb: 'read' | 'write', file: string, stats: Stats): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) {
    throw fileError(verb, file, Object.assign(new Error('folder'), { code: 'EISDIR' }))
  }
  throw new ZeeError('not_a_file', `cannot ${verb} ${oneLine(file)}: it is not a regular file`)
}
