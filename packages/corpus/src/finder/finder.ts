// Literal search in the raw bytes of a file. Bytes are enough for any file: well-formed UTF-8 matches only where the
// decoded text would. Line numbers and bounds are computed after a match.
import { isAscii, isUtf8 } from 'node:buffer'
import {
  afterLineEnd,
  codePointLength,
  countByte,
  decodeText,
  hasReturns,
  lineEndAt,
  lineStartAt,
} from '../text/text.ts'
import { lowerAscii } from './lower-ascii.ts'
import { createNeedle } from './needle.ts'
import type { Needle } from './needle.ts'
import { locateLines, nothingFound } from './found-line.ts'
import type { FoundLine, LineFinder } from './found-line.ts'

export { locateLines, nothingFound } from './found-line.ts'
export type { FoundLine, LineFinder } from './found-line.ts'
export { needleFromBytes, plainNeedle } from './plain-needle.ts'
export type { PlainNeedle } from './plain-needle.ts'

const shortBytes = 256

/** A finder of the lines that contain `pattern`. */
export function literalFinder(pattern: string, caseSensitive: boolean): LineFinder {
  // No line contains a line end, and no decoded text a lone surrogate.
  if (/[\r\n]|\p{Surrogate}/u.test(pattern)) return () => nothingFound
  return caseSensitive ? sensitiveFinder(pattern) : insensitiveFinder(pattern)
}

function sensitiveFinder(pattern: string): LineFinder {
  const needle = createNeedle(Buffer.from(pattern))
  // A replacement character also matches bytes that are not UTF-8.
  const hasReplacement = pattern.includes('\ufffd')
  return (bytes, limit) => {
    if (hasReplacement && !isUtf8(bytes))
      return findInText(bytes, decodeText(bytes), pattern, limit)
    return findInBytes(bytes, bytes, needle, limit)
  }
}

/** Compares both sides in lower case, without full Unicode case folding. */
function insensitiveFinder(pattern: string): LineFinder {
  const lower = pattern.toLowerCase()
  const lowerBytes = Buffer.from(lower)
  const needle = createNeedle(lowerBytes)
  const isAsciiNeedle = isAscii(lowerBytes)
  return (bytes, limit) => {
    if (!isAscii(bytes)) {
      return findInText(bytes, decodeText(bytes).toLowerCase(), lower, limit)
    }
    return isAsciiNeedle ? findInBytes(bytes, lowerAscii(bytes), needle, limit) : nothingFound
  }
}

/** Searches `searched`, which has the length and line ends of `bytes`. */
function findInBytes(bytes: Buffer, searched: Buffer, needle: Needle, limit: number): FoundLine[] {
  let match = limit > 0 ? needle.find(searched, 0) : -1
  if (match === -1) return nothingFound
  const returns = hasReturns(bytes)
  const found: FoundLine[] = []
  let line = 1
  let counted = 0
  while (match !== -1) {
    const start = lineStartAt(bytes, match, returns)
    line += lineEndsBetween(bytes, counted, start, returns)
    counted = start
    const end = lineEndAt(bytes, match, returns)
    found.push({ line, start, end, matchOffset: match })
    if (found.length === limit) break
    const next = afterLineEnd(bytes, end)
    match = next < bytes.length ? needle.find(searched, next) : -1
  }
  return found
}

function lineEndsBetween(bytes: Buffer, from: number, to: number, returns: boolean): number {
  let count = 0
  // A view of a short range costs more than a loop over it.
  if (!returns && to - from <= shortBytes) {
    for (let at = from; at < to; at++) if (bytes[at] === 0x0a) count++
    return count
  }
  if (!returns) return countByte(bytes.subarray(from, to), 0x0a)
  for (let at = from; at < to; count++) at = afterLineEnd(bytes, lineEndAt(bytes, at, returns))
  return count
}

/** Searches `text`, the decoded `bytes` or their lower case. */
function findInText(bytes: Buffer, text: string, needle: string, limit: number): FoundLine[] {
  const pairs: number[] = []
  let line = 1
  let start = 0
  for (let match = text.indexOf(needle); match !== -1 && pairs.length < limit * 2;) {
    for (let feed = text.indexOf('\n', start); feed !== -1 && feed < match;) {
      line++
      start = feed + 1
      feed = text.indexOf('\n', start)
    }
    pairs.push(line, codePointLength(text.slice(start, match)) + 1)
    const end = text.indexOf('\n', match)
    match = end === -1 ? -1 : text.indexOf(needle, end)
  }
  return locateLines(bytes, pairs)
}
