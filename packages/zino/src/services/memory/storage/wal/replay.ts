// Brings the files of a data folder to where the journal says they should be, after whatever ended
// the service before. Doing it twice, or being interrupted, changes nothing.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { errnoOf, fileError, reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { copyAside } from '../set-aside.ts'
import { checksumBefore } from './checksum-before.ts'
import type { JournalRecord } from './record.ts'
import { decodeRecords, journalHead } from './record.ts'
import { syncPath } from './sync-path.ts'

export async function replayJournal(folder: string, file: string, log: Logger): Promise<void> {
  const journal = readIfThere(file)
  if (journal.length === 0) return
  const { records, isDamaged } = decodeRecords(journal)
  if (isDamaged) log.error(`${file} is damaged; a copy is kept as ${copyAside(file)}`)
  const valid = afterBarriers(records)
  // What stands before an append is as it was then, unless a later record changed it.
  const patched = new Set(valid.filter(({ kind }) => kind === 'patch').map((record) => record.file))
  const touched = new Set<string>()
  const refused = new Set<string>()
  for (const record of valid) {
    if (refused.has(record.file)) continue
    touched.add(record.file)
    const refusal = applyRecord(folder, record, !patched.has(record.file))
    if (refusal === undefined) continue
    refused.add(record.file)
    log.error(`${record.file}: not brought up to date after a crash: ${refusal}`)
  }
  for (const name of touched) await syncPath(path.join(folder, name))
  const folders = new Set([...touched].map((name) => path.dirname(path.join(folder, name))))
  for (const one of folders) await syncPath(one)
  await writeFileAtomic(file, journalHead, { mode: 0o600 })
  if (valid.length > 0) log.info(`replayed ${valid.length} writes into ${touched.size} files`)
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw fileError('read', file, error)
  }
}

/** Without what a later barrier made void; a file that was replaced needs nothing done. */
function afterBarriers(records: readonly JournalRecord[]): JournalRecord[] {
  const last = new Map<string, number>()
  for (const [at, { kind, file }] of records.entries()) {
    if (kind === 'replaced' || kind === 'removed') last.set(file, at)
  }
  return records.filter(({ kind, file }, at) => at >= (last.get(file) ?? 0) && kind !== 'replaced')
}

/** The reason when it cannot be done. */
function applyRecord(
  folder: string,
  record: JournalRecord,
  isChecked: boolean,
): string | undefined {
  const file = path.join(folder, record.file)
  try {
    if (record.kind === 'removed') rmSync(file, { force: true })
    else return writeRecord(file, record, isChecked)
  } catch (error) {
    return reasonOf(error)
  }
  return undefined
}

function writeRecord(file: string, record: JournalRecord, isChecked: boolean): string | undefined {
  const { offset, bytes, kind, before } = record
  const descriptor = openForReplay(file, offset)
  if (descriptor === undefined) return 'the file is gone'
  try {
    if (isChecked && checksumBefore(descriptor, offset) !== before) {
      return 'the file was changed by others'
    }
    writeSync(descriptor, bytes, 0, bytes.length, offset)
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
