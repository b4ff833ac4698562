// Records the files of projects that the user trusts: canonical path and SHA-256 of the content, in
// `trust.json` (mode 0600) of a program's own folder. A file with another content is not trusted.
import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '../files/bounded-file.ts'
import type { Clock } from '../clock/clock.ts'
import { rfc3339 } from '../clock/clock.ts'
import { errnoOf, fileError, oneLine, ZeeError } from '../errors/errors.ts'
import { isObject } from '../json/json.ts'

export interface TrustRecord {
  /** Canonical. */
  path: string
  sha256: string
  ts: string
}

/** Whether the user trusts `file` with exactly this content. */
export async function isTrusted(
  folder: string,
  file: string,
  content: Uint8Array,
): Promise<boolean> {
  const record = trustedFiles(folder).find((each) => each.path === canonicalPath(file))
  return record !== undefined && record.sha256 === (await sha256Hex(content))
}

/** Records that the user trusts `file` with this content; replaces an earlier record. */
export async function trust(
  folder: string,
  file: string,
  content: Uint8Array,
  clock: Clock,
): Promise<TrustRecord> {
  const canonical = canonicalPath(file)
  const ts = rfc3339(clock.now(), 0)
  const record = { path: canonical, sha256: await sha256Hex(content), ts }
  await updateRecords(folder, (records) => [...without(records, canonical), record])
  return record
}

/** Removes the record of `file`; false if there was none. */
export async function untrust(folder: string, file: string): Promise<boolean> {
  const canonical = canonicalPath(file)
  let wasTrusted = false
  await updateRecords(folder, (records) => {
    const others = without(records, canonical)
    wasTrusted = others.length < records.length
    return others
  })
  return wasTrusted
}

/** All records; empty if the file is missing. Throws `trust_unsafe` if another user could have written it. */
export function trustedFiles(folder: string): TrustRecord[] {
  const file = trustPath(folder)
  let text: string
  try {
    const stats = lstatSync(file)
    const user = process.getuid?.()
    const isForeign = user !== undefined && stats.uid !== user
    if (!stats.isFile() || isForeign || (stats.mode & 0o022) !== 0) throw unsafe(file)
    text = readBoundedFile(file).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw error instanceof ZeeError ? error : fileError('read', file, error)
  }
  return parseRecords(text)
}

function trustPath(folder: string): string {
  return path.join(folder, 'trust.json')
}

function unsafe(file: string): ZeeError {
  const message = `${oneLine(file)} must be a file that only you can write: delete it or run chmod 600`
  return new ZeeError('trust_unsafe', message)
}

/** A damaged file trusts nothing. */
function parseRecords(text: string): TrustRecord[] {
  try {
    const value: unknown = JSON.parse(text)
    const files = isObject(value) && Array.isArray(value.files) ? (value.files as unknown[]) : []
    return files.filter(isRecord)
  } catch {
    return []
  }
}

function isRecord(value: unknown): value is TrustRecord {
  return (
    isObject(value) &&
    typeof value.path === 'string' &&
    typeof value.sha256 === 'string' &&
    typeof value.ts === 'string'
  )
}

async function updateRecords(
  folder: string,
  change: (records: readonly TrustRecord[]) => TrustRecord[],
): Promise<void> {
  const [{ writeJsonAtomic }, { withLock }, { ensureDurableFolder }] = await Promise.all([
    import('../files/atomic-file.ts'),
    import('../lock/lock.ts'),
    import('../files/folders.ts'),
  ])
  ensureDurableFolder(folder, 0o700)
  const file = trustPath(folder)
  await withLock(`${file}.lock`, {}, async () => {
    await writeJsonAtomic(file, { files: change(trustedFiles(folder)) }, { mode: 0o600 })
  })
}

function without(records: readonly TrustRecord[], file: string): TrustRecord[] {
  return records.filter((record) => record.path !== file)
}

function canonicalPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return path.resolve(file)
  }
}

async function sha256Hex(content: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(content).digest('hex')
}
