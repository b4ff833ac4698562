// The lines of a file that match a text best: windows around lines with many rare terms.
import { eachTerm } from './tokens.ts'

export interface Span {
  /** From 1, both included. */
  start: number
  end: number
  terms: string[]
}

/** Lines before and after a matching line. */
const margin = 3
const maxGap = 6
const maxSpanLines = 40
/** Longer lines are data, or were written by a program. */
const maxLineChars = 2000

/** The best spans in line order; the first lines if no line has a term. `rarity` weighs a term. */
export function bestSpans(
  lines: readonly string[],
  terms: readonly string[],
  rarity: (term: string) => number,
  max: number,
): Span[] {
  const wanted = new Set(terms)
  const windows: (Span & { score: number })[] = []
  for (const [index, line] of lines.entries()) {
    const found = line.length > maxLineChars ? [] : wantedTerms(line, wanted)
    if (found.length === 0) continue
    const last = windows.at(-1)
    const isNear = last !== undefined && index + 1 - (last.end - margin) <= maxGap
    if (last !== undefined && isNear && index + 1 - last.start < maxSpanLines) {
      last.end = Math.min(lines.length, index + 1 + margin)
      last.terms.push(...found)
      continue
    }
    const start = Math.max(1, index + 1 - margin)
    windows.push({ start, end: Math.min(lines.length, index + 1 + margin), terms: found, score: 0 })
  }
  if (windows.length === 0 && lines.length > 0) {
    return [{ start: 1, end: Math.min(lines.length, 1 + 2 * margin), terms: [] }]
  }
  for (const window of windows) {
    const repeated = window.terms.length
    window.terms = [...new Set(window.terms)]
    const sum = window.terms.reduce((total, term) => total + rarity(term), 0)
    window.score = sum * (1 + Math.log1p(repeated) / 10)
  }
  return windows
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, max)
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, terms: found }) => ({ start, end, terms: found }))
}

function wantedTerms(line: string, wanted: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  eachTerm(line, ({ text }) => {
    if (wanted.has(text)) found.add(text)
  })
  return [...found]
}
