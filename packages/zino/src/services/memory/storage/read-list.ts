// Reads list files: whole, or only as much of the end as holds the last few elements.
import { readSync } from 'node:fs'
import { elementStart, parseList } from './list-text.ts'

const initialTailBytes = 64 * 1024

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

/** The last `count` elements of the list, or undefined when the file holds no list. */
export function readLast(descriptor: number, size: number, count: number): object[] | undefined {
  for (let step = initialTailBytes; step < size; step *= 4) {
    const bytes = readBytes(descriptor, size - step, size)
    const start = startOfLast(bytes, count)
    if (start === -1) continue
    // Wherever a list goes wrong further up, what stands from a top-level element on is a list.
    const list = parseList(Buffer.concat([Buffer.from('['), bytes.subarray(start)]))
    if (list === undefined || list.length < count) break
    return list.slice(-count)
  }
  return parseList(readBytes(descriptor, 0, size))?.slice(-count)
}

/** Where the count-th element from the end begins, or -1 when it is not in these bytes. */
function startOfLast(bytes: Buffer, count: number): number {
  let at = bytes.length
  for (let left = count; left > 0; left -= 1) {
    if (at <= 0) return -1
    at = bytes.lastIndexOf(elementStart, at - 1)
    if (at === -1) return -1
  }
  return at
}
