// Formats the difference of two texts as a unified diff.
import type { Edit } from './edit-script.ts'
import { computeEdits } from './edit-script.ts'
export { commonEnds } from './common-ends.ts'

const contextLines = 3

/** Empty if the texts are equal. Null means that the file does not exist. */
export function unifiedDiff(name: string, before: string | null, after: string | null): string {
  if (before === after) return ''
  const edits = computeEdits(splitLines(before), splitLines(after))
  const from = before === null ? '/dev/null' : `a/${name}`
  const to = after === null ? '/dev/null' : `b/${name}`
  return `--- ${from}\n+++ ${to}\n${formatHunks(edits).join('')}`
}

function splitLines(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines.push(`${lines.pop() ?? ''}\n\\ No newline at end of file`)
  return lines
}

/** Hunks of changes with `contextLines` equal lines around them. */
function formatHunks(edits: readonly Edit[]): string[] {
  const parts: string[] = []
  /** Number of lines of each text before `index`. */
  const passed = { old: 0, next: 0 }
  let index = 0
  for (;;) {
    const first = findChange(edits, index)
    if (first === edits.length) return parts
    const from = Math.max(index, first - contextLines)
    // Both texts advance equally, because only equal lines are omitted.
    passed.old += from - index
    passed.next += from - index
    const shown = edits.slice(from, findHunkEnd(edits, first))
    const old = shown.filter(({ mark }) => mark !== '+').length
    const next = shown.filter(({ mark }) => mark !== '-').length
    const lines = shown.map(({ mark, line }) => `${mark}${line}\n`)
    const ranges = `-${formatRange(passed.old, old)} +${formatRange(passed.next, next)}`
    parts.push(`@@ ${ranges} @@\n${lines.join('')}`)
    passed.old += old
    passed.next += next
    index = from + shown.length
  }
}

function findChange(edits: readonly Edit[], from: number): number {
  let index = from
  while (index < edits.length && edits[index]?.mark === ' ') index++
  return index
}

/** Joins changes whose context lines touch into one hunk. */
function findHunkEnd(edits: readonly Edit[], first: number): number {
  let last = first
  for (let index = first; index < edits.length && index <= last + 2 * contextLines; index++) {
    if (edits[index]?.mark !== ' ') last = index
  }
  return Math.min(edits.length, last + contextLines + 1)
}

function formatRange(passed: number, count: number): string {
  return `${count === 0 ? passed : passed + 1}${count === 1 ? '' : `,${count}`}`
}
