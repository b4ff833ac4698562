// The copies of one snapshot: small files in one pack, so that a snapshot needs one flush, and large
// files as reflinks where the file system has them. Reading a copy verifies its hash.
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  chmodSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { ensureDurableFolder } from '@zee/core/folders'
import type { RawPath } from './raw-path.ts'
import { pathBuffer } from './raw-path.ts'
import type { CopyPlace, FileState } from './state.ts'
import { hashFile, unknownSize } from './state.ts'

/** Files from this size on are copied on their own, by a reflink if possible. */
const minReflinkBytes = 1024 * 1024

export interface CopyWriter {
  /** Copies the file; undefined if it vanished or is no longer a file. */
  add(raw: RawPath): { hash: string; size: number; copy: CopyPlace } | undefined
  /** Flushes all copies. */
  finish(): void
}

/** Writes copies into the folder; `name` must be new. */
export function openCopies(folder: string, name: string): CopyWriter {
  let pack: number | undefined
  let offset = 0
  const separate: string[] = []
  const seen = new Map<string, CopyPlace>()
  const openPack = (): number => {
    if (pack !== undefined) return pack
    ensureDurableFolder(folder, 0o700)
    pack = openSync(path.join(folder, name), 'ax', 0o600)
    return pack
  }
  return {
    add: (raw) => {
      const contents = readSmall(raw)
      if (contents === undefined) return undefined
      if (contents === 'large') {
        ensureDurableFolder(folder, 0o700)
        const copied = copyLarge(raw, folder)
        separate.push(copied.copy.file)
        return copied
      }
      const hash = createHash('sha256').update(contents).digest('hex')
      let copy = seen.get(hash)
      if (copy === undefined) {
        writeFileSync(openPack(), contents)
        copy = { file: name, offset }
        offset += contents.length
        seen.set(hash, copy)
      }
      return { hash, size: contents.length, copy }
    },
    finish: () => {
      if (pack !== undefined) {
        fsyncSync(pack)
        closeSync(pack)
      }
      for (const file of separate) flush(path.join(folder, file))
      if (pack !== undefined || separate.length > 0) flush(folder)
    },
  }
}

/** Flushes the contents of a file, or the entries of a folder. */
export function flush(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The contents of a small file; `large` for a large one. */
function readSmall(raw: RawPath): Buffer | 'large' | undefined {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  let descriptor: number
  try {
    descriptor = openSync(pathBuffer(raw), flags)
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return undefined
    if (stats.size >= minReflinkBytes) return 'large'
    const chunks: Buffer[] = []
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(1024, stats.size + 1))
      const length = readSync(descriptor, chunk, 0, chunk.length, null)
      if (length === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, length))
    }
  } finally {
    closeSync(descriptor)
  }
}

function copyLarge(raw: RawPath, folder: string): { hash: string; size: number; copy: CopyPlace } {
  const hash = hashFile(raw, 'sha256', minReflinkBytes)
  const target = path.join(folder, hash)
  if (!existsSync(target)) {
    copyFileSync(pathBuffer(raw), target, constants.COPYFILE_FICLONE)
    chmodSync(target, 0o600)
  }
  const descriptor = openSync(target, 'r')
  try {
    return { hash, size: fstatSync(descriptor).size, copy: { file: hash, offset: 0 } }
  } finally {
    closeSync(descriptor)
  }
}

/** The contents of a copy. A copy that does not match its hash is damaged. */
export function readCopy(folder: string, state: FileState): Buffer | 'missing' | 'damaged' {
  const { copy, hash, size } = state
  if (copy === undefined) return 'missing'
  const file = path.join(folder, copy.file)
  if (!existsSync(file)) return 'missing'
  const descriptor = openSync(file, 'r')
  let contents: Buffer
  try {
    contents = Buffer.alloc(size === unknownSize ? fstatSync(descriptor).size : size)
    for (let filled = 0; filled < contents.length;) {
      const rest = contents.length - filled
      const length = readSync(descriptor, contents, filled, rest, copy.offset + filled)
      if (length === 0) return 'damaged'
      filled += length
    }
  } finally {
    closeSync(descriptor)
  }
  return createHash('sha256').update(contents).digest('hex') === hash ? contents : 'damaged'
}
