// An attempt as one file that can travel: a gzipped tar with regular files below `<runId>/<attemptId>/`
// and nothing else. What comes back is not trusted: names are checked, sizes are bounded.
import { lstatSync, promises, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { reasonOf } from '@zee/core/errors'
import { zclError } from '../../errors/errors.ts'

export interface PackedFile {
  /** With `/`, relative to the archive. */
  name: string
  content: Buffer
}

const block = 512
/** A trace of a million calls fits; a bomb does not. */
const largestArchive = 2 ** 30

export async function packAttempt(folder: string, prefix: string, target: string): Promise<void> {
  const parts: Buffer[] = []
  for (const inner of filesBelow(folder)) {
    const content = readFileSync(path.join(folder, inner))
    parts.push(header(`${prefix}/${inner}`, content.length), content, padding(content.length))
  }
  parts.push(Buffer.alloc(2 * block))
  await writeFileAtomic(target, await promisify(gzip)(Buffer.concat(parts)), { mode: 0o600 })
}

/** Regular files without the private ones of writers at work. */
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
    bytes = await promisify(gunzip)(packed, { maxOutputLength: largestArchive })
  } catch (error) {
    throw zclError('ZCL_E_CONTRACT', `${file} is no packed attempt: ${reasonOf(error)}`, error)
  }
  const files: PackedFile[] = []
  for (let at = 0; at + block <= bytes.length;) {
    const head = bytes.subarray(at, at + block)
    if (head.every((byte) => byte === 0)) break
    const entry = readHeader(head, file)
    at += block
    if (at + entry.size > bytes.length) throw damaged(file)
    files.push({ name: entry.name, content: bytes.subarray(at, at + entry.size) })
    at += entry.size + padding(entry.size).length
  }
  return files
}

function header(name: string, size: number): Buffer {
  const head = Buffer.alloc(block)
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

/** A name of more than 100 bytes is divided at a slash. */
function splitName(name: string): [string, string] {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
    const [prefix, short] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) > 155) continue
    if (Buffer.byteLength(short) <= 100) return [prefix, short]
    break
  }
  throw zclError('ZCL_E_BOUNDS', `the name ${name.slice(0, 80)}... is too long to be packed`)
}

function readHeader(head: Buffer, file: string): { name: string; size: number } {
  const stored = Number.parseInt(textAt(head, 148, 8), 8)
  const isFile = head[156] === 0x30 || head[156] === 0
  if (stored !== checksum(head) || !isFile) throw damaged(file)
  const size = Number.parseInt(textAt(head, 124, 12), 8)
  const prefix = textAt(head, 345, 155)
  const short = textAt(head, 0, 100)
  if (!Number.isSafeInteger(size) || short === '') throw damaged(file)
  return { name: prefix === '' ? short : `${prefix}/${short}`, size }
}

function textAt(head: Buffer, start: number, length: number): string {
  const end = head.indexOf(0, start)
  const last = end < 0 ? start + length : Math.min(end, start + length)
  return head.toString('utf8', start, last).trim()
}

/** The sum of all bytes, those of the sum itself counted as blanks. */
function checksum(head: Buffer): number {
  return head.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function padding(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block)
}

function damaged(file: string): Error {
  return zclError('ZCL_E_CONTRACT', `${file} is damaged, or no packed attempt`)
}
