// The indent heuristic: of all positions to which a group of changed lines can slide, it prefers the one whose ends
// look like ends of blocks. Ported from libxdiff with its weights.
import type { Lines } from './records.ts'

const maxIndent = 200
const maxBlanks = 20

const startOfFile = 1
const endOfFile = 21
const totalBlankWeight = -30
const postBlankWeight = 6
const relativeIndent = -4
const relativeIndentWithBlank = 10
const relativeOutdent = 24
const relativeOutdentWithBlank = 17
const relativeDedent = 23
const relativeDedentWithBlank = 17
const indentWeight = 60

interface Split {
  isEnd: boolean
  indent: number
  preBlank: number
  preIndent: number
  postBlank: number
  postIndent: number
}

interface Score {
  indent: number
  penalty: number
}

/** The end between `first` and `last` at which a group of `size` lines reads best. */
export function bestSplit(
  lines: Lines,
  { first, last, size }: { first: number; last: number; size: number },
): number {
  let best = -1
  let bestScore: Score | undefined
  for (let shift = first; shift <= last; shift++) {
    const score = { indent: 0, penalty: 0 }
    addScore(measure(lines, shift), score)
    addScore(measure(lines, shift - size), score)
    if (bestScore === undefined || compare(score, bestScore) <= 0) {
      bestScore = score
      best = shift
    }
  }
  return best
}

function compare(a: Score, b: Score): number {
  const order = Number(a.indent > b.indent) - Number(a.indent < b.indent)
  return indentWeight * order + (a.penalty - b.penalty)
}

/** Columns before the first character; -1 for a blank line. */
function indentOf({ bytes, offsets }: Lines, line: number): number {
  let columns = 0
  for (let at = offsets[line] as number; at < (offsets[line + 1] as number); at++) {
    const byte = bytes[at] as number
    if (byte === 0x20) columns++
    else if (byte === 0x09) columns += 8 - (columns % 8)
    // To git, vertical tabs and form feeds are no white space.
    else if (byte !== 0x0a && byte !== 0x0d) return columns
    if (columns >= maxIndent) return maxIndent
  }
  return -1
}

/** What surrounds the position before a line. */
function measure(lines: Lines, split: number): Split {
  const count = lines.classes.length
  const isEnd = split >= count
  const found: Split = {
    isEnd,
    indent: isEnd ? -1 : indentOf(lines, split),
    preBlank: 0,
    preIndent: -1,
    postBlank: 0,
    postIndent: -1,
  }
  for (let line = split - 1; line >= 0; line--) {
    found.preIndent = indentOf(lines, line)
    if (found.preIndent !== -1) break
    if (++found.preBlank === maxBlanks) {
      found.preIndent = 0
      break
    }
  }
  for (let line = split + 1; line < count; line++) {
    found.postIndent = indentOf(lines, line)
    if (found.postIndent !== -1) break
    if (++found.postBlank === maxBlanks) {
      found.postIndent = 0
      break
    }
  }
  return found
}

function addScore(split: Split, score: Score): void {
  if (split.preIndent === -1 && split.preBlank === 0) score.penalty += startOfFile
  if (split.isEnd) score.penalty += endOfFile
  const postBlank = split.indent === -1 ? 1 + split.postBlank : 0
  const totalBlank = split.preBlank + postBlank
  score.penalty += totalBlankWeight * totalBlank + postBlankWeight * postBlank
  const indent = split.indent === -1 ? split.postIndent : split.indent
  const hasBlanks = totalBlank !== 0
  score.indent += indent
  if (indent === -1 || split.preIndent === -1 || indent === split.preIndent) return
  if (indent > split.preIndent) {
    score.penalty += hasBlanks ? relativeIndentWithBlank : relativeIndent
  } else if (split.postIndent !== -1 && split.postIndent > indent) {
    score.penalty += hasBlanks ? relativeOutdentWithBlank : relativeOutdent
  } else {
    score.penalty += hasBlanks ? relativeDedentWithBlank : relativeDedent
  }
}
