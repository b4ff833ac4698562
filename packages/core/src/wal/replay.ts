// Finishes the writes that a crash interrupted: applies the records of a write-ahead log to the files
// that they name. Replay is idempotent; interrupting or repeating it changes nothing.
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError, reasonOf, ZeeError } from '../errors/errors.ts'
import { flushFile, writeFileAtomic } from '../files/atomic-file.ts'
import { fsyncIfExists, writeFullyAt } from '../files/files.ts'
import { copyAside } from '../files/set-aside.ts'
import type { Logger } from '../log/log.ts'
import { checksumBefore } from './checksum-before.ts'
import type { WalRecord } from './record.ts'
import { decodeRecords } from './record.ts'
import type { WalFile } from './wal.ts'

export interface ReplayOptions extends WalFile {
  /** File names in records are relative to it. */
  folder: string
  log: Logger
}

/** Applies every record and empties the log. A file that cannot be repaired is logged and skipped. */
export async function replayWal({ path: file, header, folder, log }: ReplayOptions): Promise<void> {
  const bytes = readIfExists(file)
  if (bytes.length === 0) return
  const { records, isDamaged } = decodeRecords(bytes, header)
  if (isDamaged) log.error(`${file} is damaged; a copy is kept as ${copyAside(file)}`)
  const valid = withoutVoided(records)
  if (valid.length > 0) await makeDurable(file, bytes)
  // A patch may change bytes that another record's checksum covers: such files are not verified.
  const patched = new Set(valid.filter(({ kind }) => kind === 'patch').map((record) => record.file))
  const touched = new Set<string>()
  const refused = new Set<string>()
  for (const record of valid) {
    if (refused.has(record.file)) continue
    touched.add(record.file)
    const refusal = applyRecord(folder, record, !patched.has(record.file))
    if (refusal === undefined) continue
    refused.add(record.file)
    log.error(`${record.file}: cannot finish its interrupted writes: ${refusal}`)
  }
  for (const name of touched) await fsyncIfExists(path.join(folder, name))
  const folders = new Set([...touched].map((name) => path.dirname(path.join(folder, name))))
  for (const one of folders) await fsyncIfExists(one)
  await writeFileAtomic(file, header, { mode: 0o600 })
  if (valid.length > 0) log.info(`replayed ${valid.length} writes into ${touched.size} files`)
}

/**
 * A killed process leaves records that no flush has reached. A power loss during the replay must not take
 * them from files that are half written.
 */
async function makeDurable(file: string, bytes: Buffer): Promise<void> {
  try {
    await writeFileAtomic(file, bytes, { mode: 0o600 })
  } catch (error) {
    if (!fullDisk.has(error instanceof ZeeError ? error.code : '')) throw error
    // There is no room for a copy. A flush is enough unless an earlier one has failed.
    await flushFile(file)
  }
}

const fullDisk: ReadonlySet<string> = new Set(['enospc', 'edquot'])

function readIfExists(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw fileError('read', file, error)
  }
}

/** The records that no later barrier voids. `replaced` itself needs no work. */
export function withoutVoided(records: readonly WalRecord[]): WalRecord[] {
  const lastBarrier = new Map<string, number>()
  for (const [index, { kind, file }] of records.entries()) {
    if (kind === 'replaced' || kind === 'removed') lastBarrier.set(file, index)
  }
  return records.filter(
    ({ kind, file }, index) => index >= (lastBarrier.get(file) ?? 0) && kind !== 'replaced',
  )
}

/** The content of a file after these records of it, all of kind `append` or `patch`. */
export function applyRecords(content: Buffer, records: readonly WalRecord[]): Buffer {
  let result = content
  for (const { kind, offset, bytes } of records) {
    const rest = kind === 'append' ? Buffer.alloc(0) : result.subarray(offset + bytes.length)
    result = Buffer.concat([result.subarray(0, offset), bytes, rest])
  }
  return result
}

/** Returns the reason when the record cannot be applied. */
function applyRecord(folder: string, record: WalRecord, shouldVerify: boolean): string | undefined {
  const file = path.join(folder, record.file)
  try {
    if (record.kind === 'removed') rmSync(file, { force: true })
    else return writeRecord(file, record, shouldVerify)
  } catch (error) {
    return reasonOf(error)
  }
  return undefined
}

function writeRecord(file: string, record: WalRecord, shouldVerify: boolean): string | undefined {
  const { offset, bytes, kind, checksum } = record
  const descriptor = openForReplay(file, offset)
  if (descriptor === undefined) return 'the file no longer exists'
  try {
    if (shouldVerify && checksumBefore(descriptor, offset) !== checksum) {
      return 'another program changed the file'
    }
    writeFullyAt(descriptor, bytes, offset)
    const end = offset + bytes.length
    if (kind === 'append' && fstatSync(descriptor).size > end) ftruncateSync(descriptor, end)
  } finally {
    closeSync(descriptor)
  }
  return undefined
}

function openForReplay(file: string, offset: number): number | undefined {
  try {
    return openSync(file, 'r+')
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return offset === 0 ? openSync(file, 'wx+', 0o600) : undefined
  }
}
