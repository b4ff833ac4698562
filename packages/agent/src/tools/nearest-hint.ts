// Finds the lines of a text that are most similar to a piece that the text does not contain, ignoring
// spaces and case. The work is bounded, because it blocks the event loop, including Ctrl+C.
import { cutToBytes } from '@zee/core/bounded'

const maxLines = 100_000
const maxComparisons = 1_000_000
const maxLineCharacters = 1000
const maxShownBytes = 200

/** A message with the most similar line and its difference. */
export function nearestHint(text: string, piece: string): string {
  const lines = text.split('\n', maxLines)
  const pieceLines = piece.split('\n')
  const start = nearestWindow(lines, pieceLines)
  if (start === undefined) return 'No line resembles it; read the file again.'
  const differing = pieceLines.findIndex(
    (line, index) => !isSameLine(lines, start, pieceLines, index, line),
  )
  const differingLine = differing === -1 ? start : start + differing
  const here = lines[differingLine] ?? ''
  return (
    `The nearest text begins at line ${start + 1}; line ${differingLine + 1} differs: ` +
    `the file has ${quoteLine(here)}, 'old' has ${quoteLine(pieceLines[differing === -1 ? 0 : differing] ?? '')}.`
  )
}

/** The first and the last line of the piece may be parts of a line. */
function isSameLine(
  lines: readonly string[],
  start: number,
  pieceLines: readonly string[],
  index: number,
  line: string,
): boolean {
  const here = lines[start + index]
  if (here === undefined) return false
  if (pieceLines.length === 1) return here.includes(line)
  if (index === 0) return here.endsWith(line)
  return index === pieceLines.length - 1 ? here.startsWith(line) : here === line
}

function nearestWindow(
  lines: readonly string[],
  pieceLines: readonly string[],
): number | undefined {
  const width = Math.floor(maxComparisons / lines.length)
  const folded = lines.map(foldLine)
  const targets = pieceLines.slice(0, width).map((line) => {
    const { text, words } = foldLine(line)
    return { text, words: new Set(words) }
  })
  let best: number | undefined
  let bestScore = 0
  for (let start = 0; start < folded.length; start++) {
    let score = 0
    targets.forEach((target, offset) => {
      const here = folded[start + offset]
      if (here !== undefined) score += similarity(here, target)
    })
    if (score > bestScore) {
      bestScore = score
      best = start
    }
  }
  return best
}

/** A line in lower case with spaces collapsed, for comparison. */
interface FoldedLine {
  text: string
  words: readonly string[]
}

function foldLine(line: string): FoldedLine {
  const text = line.slice(0, maxLineCharacters).replace(/\s+/g, ' ').trim().toLowerCase()
  return { text, words: text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 1) }
}

/** 1 for lines that differ only in spaces and case, less for shared words, 0 for none. */
function similarity(
  here: FoldedLine,
  target: { text: string; words: ReadonlySet<string> },
): number {
  if (target.text === '' || here.text === '') return 0
  if (here.text === target.text) return 1
  if (here.text.includes(target.text) || target.text.includes(here.text)) return 0.8
  if (target.words.size === 0) return 0
  const shared = here.words.filter((word) => target.words.has(word)).length
  return 0.7 * Math.min(1, shared / target.words.size)
}

function quoteLine(line: string): string {
  return JSON.stringify(cutToBytes(line, maxShownBytes).text)
}
