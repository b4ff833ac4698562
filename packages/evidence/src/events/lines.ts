// The lines of a JSONL file as bytes, in constant memory and without parsing: what a report and a
// validator both start from. A line too long to be evidence is passed over and said to be so.
import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import { maxLineBytes } from '../schema/limits.ts'

export interface LineVisitor {
  /**
   * `bytes` is reused: whatever is kept has to be copied. The newline is not part of the line.
   * `utf8`: the line is text.
   */
  line(bytes: Buffer, start: number, end: number, number: number, utf8: boolean): void
  /** A line over the longest length that is held. */
  oversize(number: number): void
  /** The bytes of all lines so far are about to be overwritten. */
  overwritten?(): void
}

const chunkBytes = 512 * 1024
const newline = 0x0a

let buffer = Buffer.allocUnsafe(0)
let isVisiting = false

/**
 * Visits every line of an open file from its current position; a last line needs no newline. With a
 * `size`, nothing is asked of the system beyond so many bytes.
 */
export function visitLines(
  descriptor: number,
  visitor: LineVisitor,
  size = Number.POSITIVE_INFINITY,
): void {
  if (isVisiting) throw new Error('visitLines cannot be entered again from a visitor')
  isVisiting = true
  if (buffer.length === 0) buffer = Buffer.allocUnsafe(chunkBytes)
  try {
    visitChunks(descriptor, visitor, size)
  } finally {
    isVisiting = false
    if (buffer.length > chunkBytes) buffer = Buffer.allocUnsafe(chunkBytes)
  }
}

function visitChunks(descriptor: number, visitor: LineVisitor, size: number): void {
  let left = size
  let number = 0
  let filled = 0
  let skipping = false
  for (;;) {
    const room = Math.min(buffer.length - filled, left)
    const got = room === 0 ? 0 : readSync(descriptor, buffer, filled, room, null)
    left -= got
    const end = filled + got
    let start = 0
    let at = newlineIn(filled, end)
    // Nearly always all lines are text, and one look is cheaper than one for each of them.
    const allText = at >= 0 && isUtf8(buffer.subarray(0, buffer.lastIndexOf(newline, end - 1)))
    while (at >= 0) {
      number++
      if (skipping || at - start > maxLineBytes) visitor.oversize(number)
      else visitor.line(buffer, start, at, number, allText || isText(start, at))
      skipping = false
      start = at + 1
      at = newlineIn(start, end)
    }
    if (got === 0) {
      if (skipping || end - start > maxLineBytes) visitor.oversize(number + 1)
      else if (end > start) visitor.line(buffer, start, end, number + 1, isText(start, end))
      return
    }
    visitor.overwritten?.()
    filled = end - start
    if (filled > maxLineBytes) skipping = true
    if (skipping) filled = 0
    else makeRoom(start, end)
  }
}

/** The next newline before `end`, or -1: what lies behind it was left by an earlier read. */
function newlineIn(from: number, end: number): number {
  const at = buffer.indexOf(newline, from)
  return at < end ? at : -1
}

function isText(start: number, end: number): boolean {
  return isUtf8(buffer.subarray(start, end))
}

/** Moves an unfinished line to the front; a long one gets a larger buffer for as long as it lasts. */
function makeRoom(start: number, end: number): void {
  const filled = end - start
  if (filled * 2 <= buffer.length) {
    buffer.copyWithin(0, start, end)
    return
  }
  const larger = Buffer.allocUnsafe(buffer.length * 2)
  buffer.copy(larger, 0, start, end)
  buffer = larger
}

/** Whether there is nothing but white space in a line. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
