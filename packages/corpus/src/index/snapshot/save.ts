// Writes a snapshot. Columns and signatures are copied in steps, so that requests need not wait; if the tree changes
// in between, the copy is discarded. The file is replaced atomically.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Clock } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import type { Kernel } from '../../kernel/kernel.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { Steps } from '../../steps.ts'
import type { FolderTree } from '../tree/tree.ts'
import { rowBytesOf } from '../signatures/signatures.ts'
import type { Block, IndexStore } from '../signatures/signatures.ts'
import { collect } from './collect.ts'
import { codeChecksum, encodeHeader, headerBytes } from './header.ts'
import { denyKey, sortedOmitted } from './open.ts'
import { Checksum } from './checksum.ts'
import { snapshotVersion } from './version.ts'

export interface SnapshotSource {
  root: CorpusRoot
  kernel: Kernel
  tree: FolderTree
  store: IndexStore
  clock: Clock
}

/** The bytes of a snapshot; undefined if the tree changed in between or the header does not fit. */
export function* copySnapshot(source: SnapshotSource): Steps<Buffer | undefined> {
  const { root, tree, store, kernel, clock } = source
  const { version } = tree
  const blocks = [...store.blocks]
  const { lengths, memory, files } = collect(
    tree,
    Uint8Array.from(blocks, ({ size }) => size),
  )
  const signaturesAt = headerBytes + memory.byteLength
  const signatureBytes = blocks.reduce((sum, block) => sum + bytesOf(block), 0)
  const bytes = Buffer.allocUnsafeSlow(signaturesAt + signatureBytes)
  yield
  bytes.set(new Uint8Array(memory), headerBytes)
  const columns = new Checksum()
  columns.add(wordsOf(bytes, headerBytes, memory.byteLength))
  const signatures = new Checksum()
  let at = signaturesAt
  for (const block of blocks) {
    const size = bytesOf(block)
    kernel.bytes().copy(bytes, at, block.address, block.address + size)
    signatures.add(wordsOf(bytes, at, size))
    at += size
    yield
    if (tree.version !== version) return undefined
  }
  const header = encodeHeader({
    ...{ version: snapshotVersion, code: codeChecksum() },
    ...{ root: root.folder.path, omitted: sortedOmitted(root), deny: denyKey(root) },
    created: clock.now().toISOString(),
    ...{ files, lengths },
    columns: { at: headerBytes, bytes: memory.byteLength, sum: columns.text },
    signatures: { at: signaturesAt, bytes: signatureBytes, sum: signatures.text },
  })
  if (header === undefined) return undefined
  header.copy(bytes)
  return bytes
}

/** Best effort: returns false if the disk is full or the folder cannot be created. */
export async function writeSnapshot(file: string, bytes: Buffer): Promise<boolean> {
  try {
    ensureFolder(path.dirname(file), 0o700)
    // No fsync: checksums detect a file that a power failure left incomplete.
    await writeFileAtomic(file, bytes, { mode: 0o600, durable: false })
    return true
  } catch {
    return false
  }
}

function bytesOf({ size }: Block): number {
  return rowBytesOf(size) << size
}

function wordsOf(bytes: Buffer, at: number, length: number): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset + at, length >> 2)
}
