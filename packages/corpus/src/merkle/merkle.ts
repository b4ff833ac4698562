// A Merkle tree over files, as in RFC 6962: a leaf is sha256(00 || path || 00 || digest), a node is
// sha256(01 || left || right), and paths are in byte order. `node:crypto` is loaded lazily.
import { readSync } from 'node:fs'

export const digestBytes = 32

const blockBytes = 1 << 20

/** The leaf of a file, from its path and the SHA-256 of its content. */
export function leafOf(path: string, digest: Uint8Array): Buffer {
  return sha256Of(Buffer.concat([zero, Buffer.from(path), zero, digest]))
}

/** The root of consecutive leaves of 32 bytes, in hexadecimal. */
export function merkleRoot(leaves: Buffer): string {
  if (leaves.length === 0) return sha256Of(Buffer.alloc(0)).toString('hex')
  let level = leaves
  const node = Buffer.alloc(1 + 2 * digestBytes, 1)
  while (level.length > digestBytes) {
    const pairs = Math.floor(level.length / (2 * digestBytes))
    const rest = level.subarray(pairs * 2 * digestBytes)
    const next = Buffer.allocUnsafe(pairs * digestBytes + rest.length)
    for (let pair = 0; pair < pairs; pair++) {
      level.copy(node, 1, pair * 2 * digestBytes, (pair + 1) * 2 * digestBytes)
      sha256Of(node).copy(next, pair * digestBytes)
    }
    // A node without a partner moves up unchanged.
    rest.copy(next, pairs * digestBytes)
    level = next
  }
  return level.toString('hex')
}

/** The SHA-256 of an open file, and its length; undefined if it is longer than `maxBytes`. */
export function digestOfFile(
  fd: number,
  maxBytes: number,
): { digest: Buffer; bytes: number } | undefined {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  const block = Buffer.allocUnsafe(blockBytes)
  let bytes = 0
  for (;;) {
    const length = readSync(fd, block, 0, blockBytes, bytes)
    if (length === 0) return { digest: hash.digest(), bytes }
    bytes += length
    if (bytes > maxBytes) return undefined
    hash.update(block.subarray(0, length))
  }
}

export function sha256Of(bytes: Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest()
}

const zero = Buffer.alloc(1)
