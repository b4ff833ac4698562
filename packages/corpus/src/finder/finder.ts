// Literal search. Plain text is looked for in the raw bytes, which is right for any file that holds it:
// a well-formed needle can only match where decoding would give it. Lines are made out afterwards.
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
export { plainNeedle, plainNeedleOf } from './plain-needle.ts'
export type { PlainNeedle } from './plain-needle.ts'

export function literalFinder(pattern: string, caseSensitive: boolean): LineFinder {
  // No line holds a line end, and no decoded text a lone surrogate.
  if (/[\r\n]|\p{Surrogate}/u.test(pattern)) return () => nothingFound
  return caseSensitive ? sensitiveFinder(pattern) : insensitiveFinder(pattern)
}

function sensitiveFinder(pattern: string): LineFinder {
  const needle = createNeedle(Buffer.from(pattern))
  // A replacement character also stands for bytes that are no text.
  const replaced = pattern.includes('\ufffd')
  return (bytes, limit) => {
    if (replaced && !isUtf8(bytes)) return findInText(bytes, decodeText(bytes), pattern, limit)
    return findInBytes(bytes, bytes, needle, limit)
  }
}

/** Both sides in lower case; characters are not folded any further. */
function insensitiveFinder(pattern: string): LineFinder {
  const lower = pattern.toLowerCase()
  const lowerBytes = Buffer.from(lower)
  const needle = createNeedle(lowerBytes)
  const plain = isAscii(lowerBytes)
  return (bytes, limit) => {
    if (!isAscii(bytes)) {
      return findInText(bytes, decodeText(bytes).toLowerCase(), lower, limit)
    }
    return plain ? findInBytes(bytes, lowerAscii(bytes), needle, limit) : nothingFound
  }
}

/** Looks through `searched`, which has the length and line ends of `bytes`. */
function findInBytes(bytes: Buffer, searched: Buffer, needle: Needle, limit: number): FoundLine[] {
  let at = limit > 0 ? needle.find(searched, 0) : -1
  if (at === -1) return nothingFound
  const returns = hasReturns(bytes)
  const found: FoundLine[] = []
  let line = 1
  let counted = 0
  while (at !== -1) {
    const start = lineStartAt(bytes, at, returns)
    line += lineEndsBetween(bytes, counted, start, returns)
    counted = start
    const end = lineEndAt(bytes, at, returns)
    found.push({ line, start, end, at })
    if (found.length === limit) break
    const next = afterLineEnd(bytes, end)
    at = next < bytes.length ? needle.find(searched, next) : -1
  }
  return found
}

function lineEndsBetween(bytes: Buffer, from: number, to: number, returns: boolean): number {
  if (!returns) return countByte(bytes.subarray(from, to), 0x0a)
  let count = 0
  for (let at = from; at < to; count++) at = afterLineEnd(bytes, lineEndAt(bytes, at, returns))
  return count
}

/** Looks through text with equal lines, decoded or in lower case. */
function findInText(bytes: Buffer, text: string, needle: string, limit: number): FoundLine[] {
  const pairs: number[] = []
  let line = 1
  let start = 0
  for (let at = text.indexOf(needle); at !== -1 && pairs.length < limit * 2;) {
    for (let feed = text.indexOf('\n', start); feed !== -1 && feed < at;) {
      line++
      start = feed + 1
      feed = text.indexOf('\n', start)
    }
    pairs.push(line, codePointLength(text.slice(start, at)) + 1)
    const end = text.indexOf('\n', at)
    at = end === -1 ? -1 : text.indexOf(needle, end)
  }
  return locateLines(bytes, pairs)
}
