// A matching line as a place in a file's bytes, and the ways to get there from what a search knows.
import { afterLineEnd, hasReturns, lineEndAt } from '../text/text.ts'

export interface FoundLine {
  /** From 1. */
  line: number
  /** Bytes of the line, its end excluded. */
  start: number
  end: number
  /** Byte offset of the match, or its column when the search worked on text. */
  at?: number
  column?: number
}

/** Finds matching lines in a file, in order, at most `limit`. */
export type LineFinder = (bytes: Buffer, limit: number) => FoundLine[]

export const nothingFound: FoundLine[] = []

/** Lines given by number and column in turn. */
export function locateLines(bytes: Buffer, pairs: readonly number[]): FoundLine[] {
  if (pairs.length === 0) return nothingFound
  const returns = hasReturns(bytes)
  const found: FoundLine[] = []
  let line = 1
  let start = 0
  for (let at = 0; at < pairs.length; at += 2) {
    const wanted = pairs[at] as number
    for (; line < wanted; line++) start = afterLineEnd(bytes, lineEndAt(bytes, start, returns))
    const end = lineEndAt(bytes, start, returns)
    found.push({ line, start, end, column: pairs[at + 1] as number })
  }
  return found
}
