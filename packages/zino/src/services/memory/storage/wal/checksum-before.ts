// What a file says just before an offset, as a number: enough to notice that it is another file now.
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const length = 64

export function checksumBefore(descriptor: number, offset: number): number {
  const from = Math.max(0, offset - length)
  const bytes = Buffer.alloc(offset - from)
  const read = readSync(descriptor, bytes, 0, bytes.length, from)
  return crc32(bytes.subarray(0, read))
}
