// Visits the lines of a JSONL file as bytes, in constant memory and without parsing. Reports and
// validation use it. Oversize lines are skipped and reported.
import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import { parseObject } from '@zee/core/json'
import { maxLineBytes } from '../schema/limits.ts'
import { isTornLine } from '../trace/trace.ts'

export interface LineVisitor {
  /**
   * `bytes` is reused, so a visitor must copy what it stores. The newline is not part of the line.
   * `utf8`: whether the line is valid UTF-8.
   */
  line(bytes: Buffer, start: number, end: number, number: number, utf8: boolean): void
  /** A line over `maxLineBytes`, without its content. */
  oversize(number: number): void
  /** The end of a line that a crash cut off: its writer has not acknowledged it, so it is not a line. */
  torn?(number: number): void
  /** Called before the bytes of all visited lines are overwritten. */
  overwritten?(): void
}

const chunkBytes = 512 * 1024
const newline = 0x0a

let buffer = Buffer.allocUnsafe(0)
let isVisiting = false

/**
 * Visits every line of an open file from its current position; the last line needs no newline.
 * Reads at most `size` bytes.
 */
export function visitLines(
  descriptor: number,
  visitor: LineVisitor,
  size = Number.POSITIVE_INFINITY,
): void {
  if (isVisiting) throw new Error('visitLines cannot be called from a visitor')
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
    let lineEnd = newlineIn(filled, end)
    // One check for all lines is cheaper than one per line, and nearly always succeeds.
    const allText = lineEnd >= 0 && isUtf8(buffer.subarray(0, buffer.lastIndexOf(newline, end - 1)))
    while (lineEnd >= 0) {
      number++
      if (skipping || lineEnd - start > maxLineBytes) visitor.oversize(number)
      else visitor.line(buffer, start, lineEnd, number, allText || isText(start, lineEnd))
      skipping = false
      start = lineEnd + 1
      lineEnd = newlineIn(start, end)
    }
    if (got === 0) {
      if (skipping || end - start > maxLineBytes) visitor.oversize(number + 1)
      else if (isTorn(start, end)) visitor.torn?.(number + 1)
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

/** The next newline before `end`, or -1. Bytes from `end` on are left from an earlier read. */
function newlineIn(from: number, end: number): number {
  const index = buffer.indexOf(newline, from)
  return index < end ? index : -1
}

/** Whether the text after the last newline is a part of a line of zcl. */
function isTorn(start: number, end: number): boolean {
  const tail = buffer.subarray(start, end)
  return isTornLine(tail) && parseObject(tail.toString('utf8')) === undefined
}

function isText(start: number, end: number): boolean {
  return isUtf8(buffer.subarray(start, end))
}

/** Moves an unfinished line to the front, or into a larger buffer if it fills over half. */
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

/** Whether a line contains only white space. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const byte = bytes[index]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
