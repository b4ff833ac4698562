// Opening files for tools without ever hanging on one: a FIFO without a peer is waited for with the
// tool's own deadline, never inside a system call.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { errnoOf } from '@zee/core/errors'

const pollMs = 15

export interface OpenedFile {
  descriptor: number
  stats: Stats
}

/** Opens for reading; the caller closes. */
export function openForReading(path: string): OpenedFile {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { descriptor, stats: fstatSync(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * The first `maxBytes` of an open file. A pipe is read until its writer is done; when nobody writes,
 * the signal ends the wait.
 */
export async function readHead(
  file: OpenedFile,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  // Files that the system makes up (/proc) say that they are empty; only reading tells.
  const said = file.stats.isFile() ? file.stats.size : 0
  const size = said > 0 ? Math.min(maxBytes, said) : maxBytes
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const got = readSome(file.descriptor, buffer, filled)
    if (got > 0) {
      filled += got
    } else if (file.stats.isFIFO() && (got === noDataYet || filled === 0)) {
      await pause(signal)
    } else {
      break
    }
  }
  return buffer.subarray(0, filled)
}

const noDataYet = -1

function readSome(descriptor: number, buffer: Buffer, offset: number): number {
  try {
    return readSync(descriptor, buffer, offset, buffer.length - offset, null)
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return noDataYet
    throw error
  }
}

/** Writes into what is not a regular file (a pipe, a device), waiting for a reader if need be. */
export async function writeToSpecialFile(
  path: string,
  data: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const descriptor = await openForWriting(path, signal)
  try {
    let rest = data
    while (rest.length > 0) {
      const written = writeSome(descriptor, rest)
      if (written === 0) await pause(signal)
      rest = rest.subarray(written)
    }
  } finally {
    closeSync(descriptor)
  }
}

async function openForWriting(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (errnoOf(error) !== 'ENXIO') throw error
    }
    await pause(signal)
  }
}

function writeSome(descriptor: number, data: Buffer): number {
  try {
    return writeSync(descriptor, data)
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return 0
    throw error
  }
}

/** Loaded only when something must be waited for, which is rare. */
async function pause(signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  await sleep(pollMs, undefined, { signal })
}
