// The pages of a SQLite database file, with the committed pages of its write-ahead log. Nothing is written,
// not even the shared-memory file that SQLite itself would create.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { invalid } from './invalid.ts'

export interface Pages {
  /** Bytes of a page that content may use. */
  usableSize: number
  encoding: 'utf8' | 'utf16le' | 'utf16be'
  /** Pages are numbered from 1. */
  page(number: number): Buffer
  close(): void
}

const magic = 'SQLite format 3\0'
const encodings = ['utf8', 'utf8', 'utf16le', 'utf16be'] as const
const maxCachedPages = 256
const maxLogBytes = 512 * 1024 * 1024

export function openPages(file: string): Pages {
  const handle = openSync(file, 'r')
  try {
    return pagesOf(handle, file)
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

function pagesOf(handle: number, file: string): Pages {
  const header = Buffer.alloc(100)
  const length = readSync(handle, header, 0, 100, 0)
  if (length < 100 || header.toString('latin1', 0, 16) !== magic) throw invalid('no header')
  if (hasContent(`${file}-journal`)) throw invalid('a program is writing to it')
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) throw invalid('wrong page size')
  const logged = loggedPages(`${file}-wal`, pageSize)
  const cache = new Map<number, Buffer>()
  return {
    usableSize: pageSize - header.readUInt8(20),
    encoding: encodings[header.readUInt32BE(56)] ?? 'utf8',
    page: (number) => {
      const found = logged.get(number) ?? cache.get(number)
      if (found !== undefined) return found
      const page = Buffer.alloc(pageSize)
      const offset = (number - 1) * pageSize
      if (offset < 0 || readSync(handle, page, 0, pageSize, offset) < pageSize) {
        throw invalid(`page ${number} is missing`)
      }
      if (cache.size >= maxCachedPages) cache.clear()
      cache.set(number, page)
      return page
    },
    close: () => closeSync(handle),
  }
}

/** A rollback journal that begins with zeros belongs to a finished transaction. */
function hasContent(journal: string): boolean {
  if ((statSync(journal, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  const bytes = Buffer.alloc(8)
  const handle = openSync(journal, 'r')
  try {
    readSync(handle, bytes, 0, 8, 0)
  } finally {
    closeSync(handle)
  }
  return bytes.some((byte) => byte !== 0)
}

const logHeaderSize = 32
const frameHeaderSize = 24

/** The newest committed version of each page in the write-ahead log. */
function loggedPages(file: string, pageSize: number): Map<number, Buffer> {
  const committed = new Map<number, Buffer>()
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < logHeaderSize) return committed
  if (size > maxLogBytes) throw invalid('its write-ahead log is larger than 512 MiB')
  const log = readFileSync(file)
  const first = log.readUInt32BE(0)
  const isLog = (first & ~1) >>> 0 === 0x377f_0682 && log.readUInt32BE(8) === pageSize
  const sum = new LogChecksum((first & 1) === 1)
  sum.add(log.subarray(0, 24))
  if (!isLog || !sum.equals(log, 24)) return committed
  const pending = new Map<number, Buffer>()
  const frameSize = frameHeaderSize + pageSize
  for (let at = logHeaderSize; at + frameSize <= log.length; at += frameSize) {
    const hasSalt = log.compare(log, 16, 24, at + 8, at + 16) === 0
    const page = log.subarray(at + frameHeaderSize, at + frameSize)
    sum.add(log.subarray(at, at + 8))
    sum.add(page)
    // A frame of an older log, or one that is being written, ends the log.
    if (!hasSalt || !sum.equals(log, at + 16)) break
    pending.set(log.readUInt32BE(at), page)
    if (log.readUInt32BE(at + 4) === 0) continue
    for (const [number, each] of pending) committed.set(number, each)
    pending.clear()
  }
  return committed
}

class LogChecksum {
  readonly #isBigEndian: boolean
  #first = 0
  #second = 0

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian
  }

  add(bytes: Buffer): void {
    const word = (at: number) =>
      this.#isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)
    for (let at = 0; at < bytes.length; at += 8) {
      this.#first = (this.#first + word(at) + this.#second) >>> 0
      this.#second = (this.#second + word(at + 4) + this.#first) >>> 0
    }
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second
  }
}
