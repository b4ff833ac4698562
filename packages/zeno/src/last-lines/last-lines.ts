// Finds the last lines of a file by reading blocks backwards, so the cost does not depend on the file size.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { errnoOf, fileError } from '@zee/core/errors'

const blockBytes = 64 * 1024
const newline = 0x0a

/** Returns the byte offset of the last `count` lines; 0 if the file has no more lines than that. */
export function lastLinesOffset(descriptor: number, count: number): number {
  const { size } = fstatSync(descriptor)
  const block = Buffer.allocUnsafe(blockBytes)
  let left = count
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - blockBytes)
    const length = readSync(descriptor, block, 0, end - start, start)
    for (let index = length - 1; index >= 0; index--) {
      // The final newline of the file ends the last line; it does not start another.
      if (block[index] !== newline || start + index === size - 1) continue
      left--
      if (left <= 0) return start + index + 1
    }
    end = start
  }
  return 0
}

/** Returns no lines if the file is missing. The text after the last newline counts as a line. */
export function lastLines(file: string, count: number): string[] {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError('read', file, error)
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
