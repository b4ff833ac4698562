// One open file as text: counted block by block, then read by line or by character in constant memory.
// A file that fits into one block is read once and cached; blocks of a larger file are read again on demand.
import { readSync } from 'node:fs'
import type { Steps } from '../steps.ts'
import { allocateTextMemory, plainMemory } from './memory.ts'
import {
  codePointOffset,
  countLineFeeds,
  countText,
  cutPoint,
  decodeText,
  skipLines,
} from '../text/text.ts'

export { FileReader, maxReadBytes, readUpTo } from './file-reader.ts'
export type { LargeFile } from './file-reader.ts'
export { allocateTextMemory } from './memory.ts'
export type { TextMemory } from './memory.ts'

export interface TextFile {
  /** Line ends, plus one for a last line without a line end. */
  lines: number
  chars: number
  bytes: number
  /** Lines `first` to `last` (1-based, both within the file) joined by `\n`. */
  readLines(first: number, last: number): string
  /** Code points `start` up to `end` (0-based, end excluded), and the line of the first. */
  readChars(start: number, end: number): { text: string; line: number }
}

interface Block {
  offset: number
  length: number
  /** Line ends and code points before this block. */
  lineEnds: number
  chars: number
}

const textBlockBytes = 1 << 20
/** Up to this size, memory without a kernel is as fast. */
const smallBytes = 64 << 10
/** Read limit for a file that reports size 0, as files under /proc do. */
const unsizedBytes = 64 << 20

/**
 * Counts an open regular file; `size` is its size when it was opened. Calls `stop` before each block, which may throw.
 */
export function* indexText(fd: number, size: number, stop?: () => void): Steps<TextFile> {
  const blocks: Block[] = []
  const limit = size > 0 ? size : unsizedBytes
  const total = { offset: 0, lineEnds: 0, chars: 0 }
  let cached: Buffer | undefined
  let isLastLineOpen = false
  const memory = limit > smallBytes ? allocateTextMemory(textBlockBytes) : plainMemory(limit)
  try {
    for (;;) {
      if (blocks.length > 0) stop?.()
      const length = readBlock(fd, memory.buffer, total.offset, limit)
      if (length === 0) break
      blocks.push({ ...total, length })
      const count = memory.count(length)
      total.offset += length
      total.lineEnds += count.lineEnds
      total.chars += count.chars
      const last = memory.buffer[length - 1]
      isLastLineOpen = last !== 0x0a && last !== 0x0d
      yield
    }
    if (blocks.length === 1) cached = Buffer.from(memory.buffer.subarray(0, total.offset))
  } finally {
    memory.release()
  }
  return textFile({ fd, blocks, cached, ...total, isLastLineOpen })
}

/** A text in memory. */
export function textOf(bytes: Buffer): TextFile {
  const { lineEnds, chars } = countText(bytes)
  const last = bytes.at(-1)
  const isLastLineOpen = bytes.length > 0 && last !== 0x0a && last !== 0x0d
  const blocks =
    bytes.length === 0 ? [] : [{ offset: 0, length: bytes.length, lineEnds: 0, chars: 0 }]
  return textFile({
    fd: -1,
    blocks,
    cached: bytes,
    offset: bytes.length,
    lineEnds,
    chars,
    isLastLineOpen,
  })
}

/** Reads the next block and returns its length, cut where both sides decode on their own. */
function readBlock(fd: number, buffer: Buffer, offset: number, limit: number): number {
  const want = Math.min(textBlockBytes, buffer.length, limit - offset)
  const got = readFully(fd, buffer.subarray(0, want), offset)
  const last = got < want || offset + got >= limit
  return last ? got : cutPoint(buffer, got) || got
}

/** Reads until the buffer is full or the file ends. */
export function readFully(fd: number, buffer: Buffer, offset: number): number {
  let got = 0
  while (got < buffer.length) {
    const count = readSync(fd, buffer, got, buffer.length - got, offset + got)
    if (count === 0) break
    got += count
  }
  return got
}

interface Counted {
  fd: number
  blocks: Block[]
  cached: Buffer | undefined
  offset: number
  lineEnds: number
  chars: number
  isLastLineOpen: boolean
}

function textFile(counted: Counted): TextFile {
  const { fd, blocks, cached, offset: bytes, lineEnds, chars, isLastLineOpen } = counted
  const range = (from: number, to: number): Buffer => {
    if (cached !== undefined) return cached.subarray(from, to)
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, to - from))
    return buffer.subarray(0, readFully(fd, buffer, from))
  }
  const blockBytes = (block: Block): Buffer => range(block.offset, block.offset + block.length)

  /** The offset of a line; the end of the file for the line after the last. */
  const lineOffset = (line: number): number => {
    const ends = line - 1
    if (ends <= 0) return 0
    if (ends > lineEnds) return bytes
    const block = blocks[lastAtMost(blocks, (b) => b.lineEnds, ends - 1)] as Block
    return block.offset + skipLines(blockBytes(block), 0, ends - block.lineEnds)
  }

  return {
    lines: lineEnds + (isLastLineOpen ? 1 : 0),
    chars,
    bytes,
    readLines: (first, last) => {
      const text = decodeText(range(lineOffset(first), lineOffset(last + 1)))
      return text.endsWith('\n') ? text.slice(0, -1) : text
    },
    readChars: (start, end) => {
      const parts: string[] = []
      let line = 1
      if (blocks.length === 0) return { text: '', line }
      const first = lastAtMost(blocks, (b) => b.chars, start)
      for (let index = first; index < blocks.length; index++) {
        const block = blocks[index] as Block
        if (block.chars >= end && index > first) break
        const text = decodeText(blockBytes(block))
        const from = codePointOffset(text, start - block.chars)
        if (index === first) line = block.lineEnds + 1 + countLineFeeds(text, from)
        parts.push(text.slice(from, codePointOffset(text, end - block.chars)))
      }
      return { text: parts.join(''), line }
    },
  }
}

/** Index of the last block whose value is at most `limit`; the first block always qualifies. */
function lastAtMost(blocks: Block[], value: (block: Block) => number, limit: number): number {
  let low = 0
  let high = blocks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (value(blocks[middle] as Block) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
