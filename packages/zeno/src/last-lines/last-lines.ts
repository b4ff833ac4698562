// The last lines of a file and where they begin, found backwards in blocks: a tail of a large file costs no
// more than that of a small one.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const blockBytes = 64 * 1024
const newline = 0x0a

/** Byte offset of the start of the last `count` lines; 0 when there are no more than that. */
export function lastLinesOffset(descriptor: number, count: number): number {
  const { size } = fstatSync(descriptor)
  const block = Buffer.allocUnsafe(blockBytes)
  let left = count
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - blockBytes)
    const length = readSync(descriptor, block, 0, end - start, start)
    for (let at = length - 1; at >= 0; at--) {
      // The newline at the very end ends the last line; it does not begin another.
      if (block[at] !== newline || start + at === size - 1) continue
      left--
      if (left <= 0) return start + at + 1
    }
    end = start
  }
  return 0
}

/** None of a file that cannot be opened; what is behind the last newline is one more. */
export function lastLines(file: string, count: number): string[] {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return []
  }
  try {
    const offset = lastLinesOffset(descriptor, count)
    const bytes = Buffer.alloc(fstatSync(descriptor).size - offset)
    const length = readSync(descriptor, bytes, 0, bytes.length, offset)
    return bytes.toString('utf8', 0, length).split('\n')
  } finally {
    closeSync(descriptor)
  }
}
