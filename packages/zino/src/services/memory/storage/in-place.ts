// Writes bytes into an existing file. They are in the write-ahead log first, so a replay completes the
// write after a crash. A write that fails is rolled back.
import { fstatSync, ftruncateSync, writeSync } from 'node:fs'
import type { Stats } from 'node:fs'
import type { ZeeError } from '@zee/core/errors'
import { fileError, lateFileError } from '@zee/core/errors'
import type { WriteAheadLog } from '@zee/core/wal'
import { checksumBefore } from '@zee/core/wal'
import { readBytes } from './read-list.ts'

export interface ListFile {
  /** Path relative to the data folder. */
  file: string
  descriptor: number
  stats: Stats
}

export interface InPlaceWrite {
  /** `append` truncates the file after the bytes. */
  kind: 'append' | 'patch'
  offset: number
  bytes: Buffer
}

/** A write that is in the journal but failed. */
export interface FailedWrite {
  error: ZeeError
  /** The content of the file before the write, when that could not be written back. */
  lost: Buffer | undefined
}

/** Resolves to a write that failed after its commit; a failed commit throws. */
export async function writeInPlace(
  { file, descriptor, stats }: ListFile,
  { kind, offset, bytes }: InPlaceWrite,
  journal: WriteAheadLog,
  /** Called synchronously with the write, so that no other code runs between the two. */
  onWritten: (stats: Stats) => void,
): Promise<FailedWrite | undefined> {
  const checksum = checksumBefore(descriptor, offset)
  const old = readBytes(descriptor, offset, Math.min(stats.size, offset + bytes.length))
  const commit = await journal.commit({ kind, file, offset, bytes, checksum })
  try {
    const failure = failureOf(() => {
      writeFully(descriptor, bytes, offset)
      const end = offset + bytes.length
      if (kind === 'append' && stats.size > end) ftruncateSync(descriptor, end)
    })
    const lost = failure === undefined ? undefined : rollBack(descriptor, old, offset, stats.size)
    onWritten(fstatSync(descriptor))
    return failure === undefined ? undefined : { error: fileError('write', file, failure), lost }
  } catch (error) {
    return { error: lateFileError('write', file, error), lost: undefined }
  } finally {
    commit.release()
  }
}

function failureOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

function writeFully(descriptor: number, bytes: Buffer, offset: number): void {
  let done = 0
  while (done < bytes.length) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done)
  }
}

/** Writes the old bytes back; returns the whole old content when that fails too. */
function rollBack(
  descriptor: number,
  old: Buffer,
  offset: number,
  size: number,
): Buffer | undefined {
  try {
    if (fstatSync(descriptor).size > size) ftruncateSync(descriptor, size)
    writeFully(descriptor, old, offset)
    return undefined
  } catch {
    const front = readBytes(descriptor, 0, offset)
    return Buffer.concat([front, old, readBytes(descriptor, offset + old.length, size)])
  }
}
