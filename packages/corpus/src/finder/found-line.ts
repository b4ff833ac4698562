// A matching line, located in the bytes of its file.
import { afterLineEnd, hasReturns, lineEndAt } from '../text/text.ts'

export interface FoundLine {
  /** Line number, from 1. */
  line: number
  /** Byte range of the line, without its line end. */
  start: number
  end: number
  /** Byte offset of the match in the file, from searches of bytes. */
  matchOffset?: number
  /** Column of the match in code points, from 1, from searches of decoded text. */
  column?: number
}

/** Returns the matching lines of a file in order, at most `limit`. */
export type LineFinder = (bytes: Buffer, limit: number) => FoundLine[]

export const nothingFound: FoundLine[] = []

/** Locates lines that are given by number and column in turn. */
export function locateLines(bytes: Buffer, pairs: readonly number[]): FoundLine[] {
  if (pairs.length === 0) return nothingFound
  const returns = hasReturns(bytes)
  const found: FoundLine[] = []
  let line = 1
  let start = 0
  for (let index = 0; index < pairs.length; index += 2) {
    const target = pairs[index] as number
    for (; line < target; line++) start = afterLineEnd(bytes, lineEndAt(bytes, start, returns))
    const end = lineEndAt(bytes, start, returns)
    found.push({ line, start, end, column: pairs[index + 1] as number })
  }
  return found
}
