// Writes the header record of a new journal exactly once, with any number of concurrent creators.
//
// A missing file appears together with its header: a temporary file is linked to the name. An empty file
// cannot be replaced, because other processes may have it open. Its header is written under a short
// lock, `<name>.header.lock`, and a later creator finds the file no longer empty.
import { closeSync, fsyncSync, linkSync, openSync, statSync } from 'node:fs'
import { errnoOf, fileError, ZeeError } from '../errors/errors.ts'
import {
  isLinkUnsupported,
  removeQuietly,
  siblingPath,
  sweepDeadTemps,
  tempPathFor,
  writeFully,
} from '../files/files.ts'
import { randomHex } from '../ids/ids.ts'
import { withLockSync } from '../lock/lock.ts'

const headerLockWaitMs = 10_000

interface CreationOptions {
  mode: number
  durable: boolean
  /** The name is new, so no writer can have left a temporary file for it. */
  isNewName: boolean
}

/** Ensures that the file exists and has a first line, unless it is not a regular file. */
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

/** Undefined when the file does not exist; Infinity for devices and pipes. */
function regularSize(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isFile() ? stats.size : Infinity
}

/** Returns whether it created the file. If not, an empty file may still need its header. */
function createLinked(path: string, header: string, options: CreationOptions): boolean {
  // Only a sweep needs to know the writer of a temporary file.
  const temp = options.isNewName ? siblingPath(path, `${randomHex(6)}.tmp`) : tempPathFor(path)
  try {
    writeLine(temp, 'wx', header, options)
    if (!options.isNewName) sweepDeadTemps(path, () => statSync(temp).mtimeMs)
    linkSync(temp, path)
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' && !isLinkUnsupported(error)) throw error
    // Another creator was faster, it is a dangling link, or the disk has no hard links.
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
