// Reads and writes files without blocking. A FIFO without a peer is polled until the tool's deadline,
// because a blocking system call could not be aborted.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { errnoOf } from '@zee/core/errors'

const pollMs = 15

export interface OpenedFile {
  descriptor: number
  stats: Stats
}

/** Opens a file for reading; the caller closes the descriptor. */
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
 * The first `maxBytes` of an open file. A pipe is read until its writer closes it; the signal ends the
 * wait for a writer.
 */
export async function readHead(
  file: OpenedFile,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  // Files in /proc report size 0 but have contents.
  const reported = file.stats.isFile() ? file.stats.size : 0
  const size = reported > 0 ? Math.min(maxBytes, reported) : maxBytes
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const count = readSome(file.descriptor, buffer, filled)
    if (count > 0) {
      filled += count
    } else if (file.stats.isFIFO() && (count === noDataYet || filled === 0)) {
      await pause(signal)
    } else {
      break
    }
  }
  return buffer.subarray(0, filled)
}

const chunkBytes = 256 * 1024
/** Chunks between two turns of the event loop, so that timers and signals run during a long scan. */
const chunksPerTurn = 16

/** The bytes of an open file in chunks; each is valid until the next. */
export async function* readChunks(file: OpenedFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let hasData = false
  for (let count = 1; ; count++) {
    signal.throwIfAborted()
    const bytes = readSome(file.descriptor, buffer, 0)
    if (bytes > 0) {
      hasData = true
      yield buffer.subarray(0, bytes)
      if (count % chunksPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
    } else if (file.stats.isFIFO() && (bytes === noDataYet || !hasData)) {
      await pause(signal)
    } else {
      return
    }
  }
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

/** Writes to a pipe or a device; waits for a reader if there is none. */
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

/** Imports timers lazily, because a wait is rare. */
async function pause(signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  await sleep(pollMs, undefined, { signal })
}
