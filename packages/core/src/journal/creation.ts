// Gives a new journal its header record: the first line, exactly once, whoever comes first.
//
// A missing file appears with its header in it (a private file is linked to the name). A file that is
// there and empty cannot be replaced, because others may have it open: its header is written under a
// short lock, `<name>.header.lock`, and whoever comes second finds the file no longer empty.
import { closeSync, fsyncSync, linkSync, openSync, statSync } from 'node:fs'
import { errnoOf, fileError, ZeeError } from '../errors/errors.ts'
import {
  isLinkUnsupported,
  removeQuietly,
  sweepDeadTemps,
  tempPathFor,
  writeFully,
} from '../files/files.ts'
import { withLockSync } from '../lock/lock.ts'

const headerLockWaitMs = 10_000

interface CreationOptions {
  mode: number
  durable: boolean
}

/** Afterwards the file exists with at least one line, unless it is not a regular file. */
export function createWithHeader(
  path: string,
  header: () => string,
  options: CreationOptions,
): void {
  try {
    const size = regularSize(path)
    if (size === undefined && createLinked(path, header(), options)) return
    if (regularSize(path) === 0) writeIntoEmpty(path, header, options)
  } catch (error) {
    throw error instanceof ZeeError ? error : fileError('create', path, error)
  }
}

/** undefined when there is no file; devices and pipes count as not empty. */
function regularSize(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isFile() ? stats.size : Infinity
}

/** Returns whether it created the file. If not, an empty file may still need its header. */
function createLinked(path: string, header: string, options: CreationOptions): boolean {
  const temp = tempPathFor(path)
  try {
    writeLine(temp, 'wx', header, options)
    sweepDeadTemps(path, () => statSync(temp).mtimeMs)
    linkSync(temp, path)
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' && !isLinkUnsupported(error)) throw error
    // Somebody was faster, it is a link to nothing, or the disk has no hard links.
    closeSync(openSync(path, 'a', options.mode))
    return false
  } finally {
    removeQuietly(temp)
  }
}

function writeIntoEmpty(path: string, header: () => string, options: CreationOptions): void {
  withLockSync(`${path}.header.lock`, headerLockWaitMs, () => {
    if (regularSize(path) === 0) writeLine(path, 'a', header(), options)
  })
}

function writeLine(path: string, flags: 'a' | 'wx', line: string, options: CreationOptions): void {
  const descriptor = openSync(path, flags, options.mode)
  try {
    writeFully(descriptor, `${line}\n`)
    if (options.durable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
