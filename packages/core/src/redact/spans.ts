// Where secrets were found in a text, and how those places are replaced.
// Existing `[REDACTED:NAME]` marks are never touched, so redacting twice changes nothing.

/** What a rule writes and how it ranks against others that found the same place. */
export interface Label {
  /** Lower case; what a receipt lists as applied. */
  name: string
  replacement: string
  /** The lower one wins when two rules found exactly the same place. */
  rank: number
  /** The pattern is distinctive: it is reported even inside a larger find. */
  precise: boolean
}

export interface Span {
  start: number
  end: number
  label: Label
}

export type Place = readonly [start: number, end: number]

/** Finds every place of one rule, from left to right, in time linear in the text. */
export type Finder = (text: string) => Iterable<Place>

export function labelOf(name: string, rank: number, precise: boolean): Label {
  return { name, replacement: `[REDACTED:${name.toUpperCase()}]`, rank, precise }
}

/** A value between two marks that is shorter than this is no secret any more. */
const minimumPiece = 6

/** The text with every span replaced; overlapping spans become one. Adds to `applied`. */
export function replaceSpans(text: string, spans: Span[], applied: Set<string>): string {
  const marks = redactionMarks(text)
  const parts: string[] = []
  let copied = 0
  for (const group of mergeOverlapping(spans)) {
    for (const [start, end] of withoutMarks(group, marks)) {
      parts.push(text.slice(copied, start), group.label.replacement)
      copied = end
      applied.add(group.label.name)
      for (const name of group.inner) applied.add(name)
    }
  }
  if (parts.length === 0) return text
  parts.push(text.slice(copied))
  return parts.join('')
}

/** A key id is in capitals as well: one between the brackets does not make a mark. */
const mark = /\[REDACTED:(?![A-Z0-9_-]{0,44}A(?:KIA|SIA)[A-Z0-9]{16})[A-Z0-9_-]{1,64}\]/g

/** The places of the marks that an earlier redaction left. */
export function redactionMarks(text: string): Place[] {
  if (!text.includes('[REDACTED:')) return []
  const places: Place[] = []
  for (const found of text.matchAll(mark)) {
    places.push([found.index, found.index + found[0].length])
  }
  return places
}

interface Group extends Span {
  /** Names of the precise rules that matched within. */
  inner: string[]
  /** Length of the span whose label was taken. */
  longest: number
}

/** The longest span of a group names it; the rank decides between equals. */
function mergeOverlapping(spans: Span[]): Group[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end || a.label.rank - b.label.rank)
  const groups: Group[] = []
  for (const span of spans) {
    const group = groups.at(-1)
    const length = span.end - span.start
    if (group === undefined || span.start >= group.end) {
      groups.push({ ...span, inner: [], longest: length })
      continue
    }
    if (length > group.longest) {
      if (group.label.precise) group.inner.push(group.label.name)
      group.label = span.label
      group.longest = length
    } else if (span.label.precise) {
      group.inner.push(span.label.name)
    }
    group.end = Math.max(group.end, span.end)
  }
  return groups
}

/** What is left of a group between the marks that lie in it. */
function withoutMarks(group: Group, marks: Place[]): Place[] {
  const from = firstEndingAfter(marks, group.start)
  if (from === marks.length || (marks[from]?.[0] ?? 0) >= group.end) {
    return [[group.start, group.end]]
  }
  const pieces: Place[] = []
  let start = group.start
  for (let at = from; at < marks.length; at++) {
    const [markStart, markEnd] = marks[at] ?? [0, 0]
    if (markStart >= group.end) break
    if (markStart - start >= minimumPiece) pieces.push([start, markStart])
    start = markEnd
  }
  if (group.end - start >= minimumPiece) pieces.push([start, group.end])
  return pieces
}

function firstEndingAfter(marks: Place[], position: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.[1] ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}
