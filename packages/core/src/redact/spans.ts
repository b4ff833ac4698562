// Replaces the ranges in which rules found secrets. Existing `[REDACTED:NAME]` marks stay unchanged, so
// redaction is idempotent.

/** The replacement of a rule, and its rank against other rules that matched the same range. */
export interface Label {
  /** Lower case; receipts list it as applied. */
  name: string
  replacement: string
  /** The lower rank wins if two rules matched the same range. */
  rank: number
  /** The pattern is distinctive: it is reported even inside a larger match. */
  precise: boolean
}

export interface Span {
  start: number
  end: number
  label: Label
}

export type TextRange = readonly [start: number, end: number]

/** Yields the matches of one rule from left to right, in time linear in the text. */
export type Finder = (text: string) => Iterable<TextRange>

export function labelOf(name: string, rank: number, precise: boolean): Label {
  return { name, replacement: `[REDACTED:${name.toUpperCase()}]`, rank, precise }
}

/** A shorter piece between two marks is not a secret. */
const minPieceLength = 6

/** The text that replaces a value; undefined for the mark of the rule. */
export type Replace = (rule: string, value: string) => string

/** Replaces every span; overlapping spans become one. Adds the rules to `applied`. */
export function replaceSpans(
  text: string,
  spans: Span[],
  applied: Set<string>,
  replace?: Replace,
): string {
  const marks = redactionMarks(text)
  const parts: string[] = []
  let copied = 0
  for (const group of mergeOverlapping(spans)) {
    for (const [start, end] of withoutMarks(group, marks)) {
      const { name, replacement } = group.label
      const mark = replace === undefined ? replacement : replace(name, text.slice(start, end))
      parts.push(text.slice(copied, start), mark)
      copied = end
      applied.add(group.label.name)
      for (const name of group.inner) applied.add(name)
    }
  }
  if (parts.length === 0) return text
  parts.push(text.slice(copied))
  return parts.join('')
}

/**
 * A mark or a placeholder. The look-ahead excludes AWS key ids, which are upper case like the name in a
 * mark.
 */
const mark =
  /\[REDACTED:(?![A-Z0-9_-]{0,44}A(?:KIA|SIA)[A-Z0-9]{16})[A-Z0-9_-]{1,64}\]|⟦secret:[a-z0-9-]{1,64}:\d{1,15}⟧/g

/** The ranges of marks from an earlier redaction. */
export function redactionMarks(text: string): TextRange[] {
  if (!text.includes('[REDACTED:') && !text.includes('⟦secret:')) return []
  const ranges: TextRange[] = []
  for (const found of text.matchAll(mark)) {
    ranges.push([found.index, found.index + found[0].length])
  }
  return ranges
}

interface Group extends Span {
  /** Names of precise rules that matched inside. */
  inner: string[]
  /** Length of the span that gave its label. */
  longest: number
}

/** The longest span of a group gives its label; the rank breaks ties. */
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

/** The pieces of a group between the marks in it. */
function withoutMarks(group: Group, marks: TextRange[]): TextRange[] {
  const from = firstEndingAfter(marks, group.start)
  if (from === marks.length || (marks[from]?.[0] ?? 0) >= group.end) {
    return [[group.start, group.end]]
  }
  const pieces: TextRange[] = []
  let start = group.start
  for (let index = from; index < marks.length; index++) {
    const [markStart, markEnd] = marks[index] ?? [0, 0]
    if (markStart >= group.end) break
    if (markStart - start >= minPieceLength) pieces.push([start, markStart])
    start = markEnd
  }
  if (group.end - start >= minPieceLength) pieces.push([start, group.end])
  return pieces
}

function firstEndingAfter(marks: TextRange[], position: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.[1] ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}
