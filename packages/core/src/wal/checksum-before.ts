// Checksum of the bytes before an offset, to detect that a file was changed or replaced.
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const maxBytes = 64

/** CRC-32 of the last 64 bytes before `offset`, or of all when there are fewer. */
export function checksumBefore(descriptor: number, offset: number): number {
  const start = Math.max(0, offset - maxBytes)
  const bytes = Buffer.alloc(offset - start)
  const read = readSync(descriptor, bytes, 0, bytes.length, start)
  return crc32(bytes.subarray(0, read))
}
