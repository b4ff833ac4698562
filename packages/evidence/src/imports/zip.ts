// Reads the entries of a zip archive. Deflate and zstd are the methods that logs use.
import { constants } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { reasonOf } from '@zee/core/errors'
import { evidenceError } from '../errors/errors.ts'
import type { Decompress } from '../transcripts/transcripts.ts'

export interface ZipEntry {
  name: string
  read(): Buffer
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const zip64Locator = 0x07064b50
const maxCommentBytes = 65_557
/** An entry that claims more is refused; a longer text could not be parsed. */
const maxEntryBytes = constants.MAX_STRING_LENGTH
/** Entries may share their bytes, so that a small archive could hold any amount. */
const maxTotalBytes = 4 * 1024 ** 3

export function zipEntries(archive: Buffer, name: string, unzstd: Decompress): ZipEntry[] {
  const end = findEnd(archive)
  if (end < 0) throw evidenceError('ZCL_E_USAGE', `${name} is not a zip archive`)
  const { count, start } = directoryOf(archive, end)
  const entries: ZipEntry[] = []
  const budget = { bytes: maxTotalBytes }
  let at = start
  try {
    for (let n = 0; n < count && archive.readUInt32LE(at) === entrySignature; n++) {
      const nameBytes = archive.readUInt16LE(at + 28)
      const skip = nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
      const entry = {
        name: archive.toString('utf8', at + 46, at + 46 + nameBytes),
        method: archive.readUInt16LE(at + 10),
        packed: archive.readUInt32LE(at + 20),
        bytes: archive.readUInt32LE(at + 24),
        offset: archive.readUInt32LE(at + 42),
      }
      entries.push({
        name: entry.name,
        read: () => contentOf(archive, entry, { name, unzstd, budget }),
      })
      at += 46 + skip
    }
  } catch {
    throw evidenceError('ZCL_E_USAGE', `${name}: its directory is damaged`)
  }
  return entries
}

function findEnd(archive: Buffer): number {
  const last = archive.length - 22
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at--) {
    if (archive.readUInt32LE(at) === endSignature) return at
  }
  return -1
}

function directoryOf(archive: Buffer, end: number): { count: number; start: number } {
  const locator = end - 20
  if (locator >= 0 && archive.readUInt32LE(locator) === zip64Locator) {
    const record = Number(archive.readBigUInt64LE(locator + 8))
    if (record + 56 <= archive.length) {
      return {
        count: Number(archive.readBigUInt64LE(record + 32)),
        start: Number(archive.readBigUInt64LE(record + 48)),
      }
    }
  }
  return { count: archive.readUInt16LE(end + 10), start: archive.readUInt32LE(end + 16) }
}

function contentOf(
  archive: Buffer,
  entry: { name: string; method: number; packed: number; bytes: number; offset: number },
  { name, unzstd, budget }: { name: string; unzstd: Decompress; budget: { bytes: number } },
): Buffer {
  const { method, packed, bytes, offset } = entry
  try {
    if (bytes > maxEntryBytes) throw new Error('it is too large')
    budget.bytes -= bytes
    if (budget.bytes < 0) throw new Error('the archive is too large')
    const start =
      offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
    const content = archive.subarray(start, start + packed)
    if (method === 0) return content
    if (method === 8) return inflateRawSync(content, { maxOutputLength: Math.max(bytes, 1) })
    if (method === 93) return unzstd(content, bytes)
  } catch (error) {
    const isLonger =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    const reason = isLonger ? 'it is larger than it states' : reasonOf(error)
    throw evidenceError('ZCL_E_USAGE', `${name}: ${entry.name} cannot be read: ${reason}`)
  }
  throw evidenceError('ZCL_E_USAGE', `${name}: ${entry.name} has compression method ${method}`)
}
