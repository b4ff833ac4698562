// Reads list files completely, or only the end that holds the last few elements.
import { readSync } from 'node:fs'
import { elementStart, parseList } from './list-text.ts'

const initialTailBytes = 64 * 1024
/** Larger files are not parsed completely before an append. */
const maxVerifiedBytes = 1024 * 1024

/** The bytes of an open file from `from` to `to`. */
export function readBytes(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  let done = 0
  while (done < bytes.length) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, from + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

/** Whether an open file is a list; of a large file only the end is parsed. */
export function isList(descriptor: number, size: number): boolean {
  if (size > maxVerifiedBytes) return readLast(descriptor, size, 1) !== undefined
  return parseList(readBytes(descriptor, 0, size)) !== undefined
}

/** The last `count` elements of the list, or undefined when the file holds no list. */
export function readLast(descriptor: number, size: number, count: number): object[] | undefined {
  for (let step = initialTailBytes; step < size; step *= 4) {
    const bytes = readBytes(descriptor, size - step, size)
    const start = startOfLast(bytes, count)
    if (start === -1) continue
    // From the start of a top-level element on, the bytes are the rest of a list.
    const list = parseList(Buffer.concat([Buffer.from('['), bytes.subarray(start)]))
    if (list === undefined || list.length < count) break
    return list.slice(-count)
  }
  return parseList(readBytes(descriptor, 0, size))?.slice(-count)
}

/** Offset of the count-th element from the end, or -1 when it is not in these bytes. */
function startOfLast(bytes: Buffer, count: number): number {
  let offset = bytes.length
  for (let remaining = count; remaining > 0; remaining -= 1) {
    if (offset <= 0) return -1
    offset = bytes.lastIndexOf(elementStart, offset - 1)
    if (offset === -1) return -1
  }
  return offset
}
