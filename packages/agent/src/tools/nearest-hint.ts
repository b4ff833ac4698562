// Finds the place in a text that comes nearest to a piece which is not in it: the window of lines
// that agrees with most of the piece's lines once spaces are ignored.
import { cutToBytes } from '@zee/core/bounded'

const maxComparisons = 2_000_000
const maxShown = 200

/** One or two sentences: which line comes nearest and how it differs. */
export function nearestHint(text: string, piece: string): string {
  const lines = text.split('\n')
  const wanted = piece.split('\n')
  const start = nearestWindow(lines, wanted)
  if (start === undefined) return 'No line resembles it; read the file again.'
  const differing = wanted.findIndex((line, index) => !agrees(lines, start, wanted, index, line))
  const at = differing === -1 ? start : start + differing
  const here = lines[at] ?? ''
  return (
    `The nearest text begins at line ${start + 1}; line ${at + 1} differs: ` +
    `the file has ${shown(here)}, 'old' has ${shown(wanted[differing === -1 ? 0 : differing] ?? '')}.`
  )
}

/** The first and last line of the piece may be parts of lines. */
function agrees(
  lines: readonly string[],
  start: number,
  wanted: readonly string[],
  index: number,
  line: string,
): boolean {
  const here = lines[start + index]
  if (here === undefined) return false
  if (wanted.length === 1) return here.includes(line)
  if (index === 0) return here.endsWith(line)
  return index === wanted.length - 1 ? here.startsWith(line) : here === line
}

function nearestWindow(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const folded = lines.map(fold)
  const target = wanted.map(fold)
  const width = Math.max(1, Math.min(target.length, Math.floor(maxComparisons / lines.length)))
  let best: number | undefined
  let bestScore = 0
  for (let start = 0; start < folded.length; start++) {
    let score = 0
    for (let offset = 0; offset < width; offset++) {
      score += likeness(folded[start + offset] ?? '', target[offset] ?? '')
    }
    if (score > bestScore) {
      bestScore = score
      best = start
    }
  }
  return best
}

function fold(line: string): string {
  return line.replace(/\s+/g, ' ').trim().toLowerCase()
}

/** 1 for lines that agree but for spaces and case, less for shared words, 0 for none. */
function likeness(here: string, wanted: string): number {
  if (wanted === '' || here === '') return 0
  if (here === wanted) return 1
  if (here.includes(wanted) || wanted.includes(here)) return 0.8
  const words = new Set(wanted.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 1))
  if (words.size === 0) return 0
  const shared = here.split(/[^\p{L}\p{N}_]+/u).filter((word) => words.has(word)).length
  return 0.7 * Math.min(1, shared / words.size)
}

function shown(line: string): string {
  return JSON.stringify(cutToBytes(line, maxShown).text)
}
