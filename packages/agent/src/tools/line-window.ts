// Selects a window of lines from text that arrives in chunks, in constant memory. The window has at most
// 50 KiB and ends at a line boundary.
import { cutBuffer } from '@zee/core/bounded'

export const maxWindowBytes = 50 * 1024

export interface WindowRange {
  /** First line, counted from 1. */
  offset: number
  /** Number of lines. */
  limit: number
}

export interface LineWindow {
  bytes: Buffer
  startLine: number
  /** `startLine - 1` if the window is empty. */
  endLine: number
  totalLines: number
  /** Whether the size limit ended the window; then `nextOffset` continues it. */
  truncated: boolean
  nextOffset: number | undefined
}

export interface WindowReader {
  add(chunk: Buffer): void
  finish(): LineWindow
}

const newline = 0x0a

export function createWindowReader({ offset, limit }: WindowRange): WindowReader {
  const kept: Uint8Array[] = []
  let keptBytes = 0
  let endLine = offset - 1
  let nextOffset: number | undefined
  /** The current line and the beginning of its bytes. */
  let line = 1
  let pieces: Buffer[] = []
  let lineBytes = 0

  const isWanted = () => nextOffset === undefined && line >= offset && line - offset < limit

  function addPiece(piece: Buffer): void {
    if (isWanted() && lineBytes <= maxWindowBytes) pieces.push(Buffer.from(piece))
    lineBytes += piece.length
  }

  function endOfLine(): void {
    if (isWanted()) keepLine(Buffer.concat(pieces))
    pieces = []
    lineBytes = 0
    line++
  }

  function keepLine(bytes: Buffer): void {
    if (keptBytes + lineBytes <= maxWindowBytes) {
      kept.push(bytes)
      keptBytes += lineBytes
      endLine = line
    } else if (keptBytes === 0) {
      // A single line above the limit: its beginning is all that a window can show.
      kept.push(cutBuffer(bytes, maxWindowBytes))
      endLine = line
      nextOffset = line + 1
    } else {
      nextOffset = line
    }
  }

  return {
    add(chunk) {
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        addPiece(chunk.subarray(start, end + 1))
        endOfLine()
        start = end + 1
      }
      if (start < chunk.length) addPiece(chunk.subarray(start))
    },
    finish() {
      if (lineBytes > 0) endOfLine()
      return {
        bytes: Buffer.concat(kept),
        startLine: offset,
        endLine,
        totalLines: line - 1,
        truncated: nextOffset !== undefined,
        nextOffset,
      }
    },
  }
}

/** The fields of a result that describe the window. */
export function windowFields(window: LineWindow): Record<string, number> {
  const { startLine, endLine, totalLines, nextOffset } = window
  return {
    start_line: startLine,
    end_line: endLine,
    total_lines: totalLines,
    ...(nextOffset === undefined ? {} : { next_offset: nextOffset }),
  }
}

interface WindowInput {
  offset?: unknown
  limit?: unknown
}

/** The requested window; undefined if the input names none, a reason if it is invalid. */
export function requestedWindow({ offset, limit }: WindowInput): WindowRange | string | undefined {
  if (offset === undefined && limit === undefined) return undefined
  const range = { offset: Number(offset ?? 1), limit: Number(limit ?? Number.MAX_SAFE_INTEGER) }
  if (range.offset < 1) return "'offset' must be at least 1"
  return range.limit < 1 ? "'limit' must be at least 1" : range
}
