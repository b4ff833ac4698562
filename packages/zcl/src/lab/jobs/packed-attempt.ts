// Packs an attempt into a gzipped tar of regular files below `<runId>/<attemptId>/`, and reads it back.
// Archives are not trusted: checksums are verified and the size is bounded; `collect` checks the names.
import { lstatSync, promises, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { reasonOf } from '@zee/core/errors'
import { zclError } from '../../errors/errors.ts'

export interface PackedFile {
  /** The path in the archive, separated by `/`. */
  name: string
  content: Buffer
}

const blockBytes = 512
/** 1 GiB uncompressed: fits a trace of a million calls and stops decompression bombs. */
const maxArchiveBytes = 2 ** 30

export async function packAttempt(folder: string, prefix: string, target: string): Promise<void> {
  const parts: Buffer[] = []
  for (const inner of filesBelow(folder)) {
    const content = readFileSync(path.join(folder, inner))
    parts.push(header(`${prefix}/${inner}`, content.length), content, padding(content.length))
  }
  parts.push(Buffer.alloc(2 * blockBytes))
  await writeFileAtomic(target, await promisify(gzip)(Buffer.concat(parts)), { mode: 0o600 })
}

/** Lists regular files, without hidden files and locks of active writers. */
function filesBelow(folder: string, inner = ''): string[] {
  const entries = readdirSync(path.join(folder, inner), { withFileTypes: true })
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.posix.join(inner, entry.name)
      if (entry.name.startsWith('.') || entry.name.endsWith('.lock')) return []
      if (entry.isDirectory()) return filesBelow(folder, name)
      return lstatSync(path.join(folder, name)).isFile() ? [name] : []
    })
}

export async function readPacked(file: string): Promise<PackedFile[]> {
  let bytes: Buffer
  try {
    const packed = await promises.readFile(file)
    bytes = await promisify(gunzip)(packed, { maxOutputLength: maxArchiveBytes })
  } catch (error) {
    throw zclError('ZCL_E_CONTRACT', `${file} is not a packed attempt: ${reasonOf(error)}`, error)
  }
  const files: PackedFile[] = []
  for (let offset = 0; offset + blockBytes <= bytes.length;) {
    const head = bytes.subarray(offset, offset + blockBytes)
    if (head.every((byte) => byte === 0)) break
    const entry = readHeader(head, file)
    offset += blockBytes
    if (offset + entry.size > bytes.length) throw damagedArchive(file)
    files.push({ name: entry.name, content: bytes.subarray(offset, offset + entry.size) })
    offset += entry.size + padding(entry.size).length
  }
  return files
}

function header(name: string, size: number): Buffer {
  const head = Buffer.alloc(blockBytes)
  const [prefix, short] = splitName(name)
  head.write(short, 0, 100)
  head.write('0000600\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        ', 148)
  head.write('0', 156)
  head.write('ustar\0', 257)
  head.write('00', 263)
  head.write(prefix, 345, 155)
  head.write(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

/** Splits a name of more than 100 bytes at a slash, as ustar requires. */
function splitName(name: string): [string, string] {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
    const [prefix, short] = [name.slice(0, slash), name.slice(slash + 1)]
    if (Buffer.byteLength(prefix) > 155) continue
    if (Buffer.byteLength(short) <= 100) return [prefix, short]
    break
  }
  throw zclError('ZCL_E_BOUNDS', `the name ${name.slice(0, 80)}... is too long to be packed`)
}

function readHeader(head: Buffer, file: string): { name: string; size: number } {
  const stored = Number.parseInt(readField(head, 148, 8), 8)
  const isFile = head[156] === 0x30 || head[156] === 0
  if (stored !== checksum(head) || !isFile) throw damagedArchive(file)
  const size = Number.parseInt(readField(head, 124, 12), 8)
  const prefix = readField(head, 345, 155)
  const short = readField(head, 0, 100)
  if (!Number.isSafeInteger(size) || short === '') throw damagedArchive(file)
  return { name: prefix === '' ? short : `${prefix}/${short}`, size }
}

function readField(head: Buffer, start: number, length: number): string {
  const end = head.indexOf(0, start)
  const last = end < 0 ? start + length : Math.min(end, start + length)
  return head.toString('utf8', start, last).trim()
}

/** The sum of all header bytes; the checksum field counts as blanks. */
function checksum(head: Buffer): number {
  return head.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0)
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
}

function damagedArchive(file: string): Error {
  return zclError('ZCL_E_CONTRACT', `${file} is damaged or not a packed attempt`)
}
