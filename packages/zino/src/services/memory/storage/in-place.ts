// Writes bytes into an existing file so that a crash at any instant leaves a way to finish: they are
// in the journal before they are in the file. What fails half way is taken back.
import { fstatSync, ftruncateSync, writeSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { fileError } from '@zee/core/errors'
import type { WriteAheadLog } from '@zee/core/wal'
import { checksumBefore } from '@zee/core/wal'
import { readBytes } from './read-list.ts'

export interface ListFile {
  /** Its name below the data folder. */
  file: string
  descriptor: number
  stats: Stats
}

export interface InPlaceWrite {
  /** `append`: the file ends behind the bytes. */
  kind: 'append' | 'patch'
  offset: number
  bytes: Buffer
}

export async function writeInPlace(
  { file, descriptor, stats }: ListFile,
  { kind, offset, bytes }: InPlaceWrite,
  journal: WriteAheadLog,
  /** Called in the same breath as the write, so that nobody sees one without the other. */
  onWritten: (stats: Stats) => void,
): Promise<void> {
  const checksum = checksumBefore(descriptor, offset)
  const old = readBytes(descriptor, offset, Math.min(stats.size, offset + bytes.length))
  const commit = await journal.commit({ kind, file, offset, bytes, checksum })
  try {
    writeFully(descriptor, bytes, offset)
    const end = offset + bytes.length
    if (kind === 'append' && stats.size > end) ftruncateSync(descriptor, end)
  } catch (error) {
    rollBack(descriptor, old, offset, stats.size)
    throw fileError('write', file, error)
  } finally {
    onWritten(fstatSync(descriptor))
    commit.release()
  }
}

function writeFully(descriptor: number, bytes: Buffer, offset: number): void {
  let done = 0
  while (done < bytes.length) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done)
  }
}

function rollBack(descriptor: number, old: Buffer, offset: number, size: number): void {
  if (fstatSync(descriptor).size > size) ftruncateSync(descriptor, size)
  writeFully(descriptor, old, offset)
}
