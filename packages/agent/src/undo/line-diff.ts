// The difference of two texts as a unified diff: shortest edit script by Myers' method, given up for
// a plain replacement where the texts have too little in common.
import { commonEnds } from './common-ends.ts'

type Edit = { mark: ' ' | '-' | '+'; line: string }

const contextLines = 3
const maxSteps = 2000

/** Empty when the texts are equal; null stands for a file that is not there. */
export function unifiedDiff(name: string, before: string | null, after: string | null): string {
  if (before === after) return ''
  const edits = editsBetween(linesOf(before), linesOf(after))
  const head = `--- ${before === null ? '/dev/null' : `a/${name}`}\n+++ ${after === null ? '/dev/null' : `b/${name}`}\n`
  return head + hunks(edits).join('')
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines.push(`${lines.pop() ?? ''}\n\\ No newline at end of file`)
  return lines
}

/** Equal beginnings and ends are set aside first: most edits are small. */
function editsBetween(old: readonly string[], next: readonly string[]): Edit[] {
  const { start, end } = commonEnds(old, next)
  const middle = shortest(old.slice(start, old.length - end), next.slice(start, next.length - end))
  const same = (line: string): Edit => ({ mark: ' ', line })
  return [
    ...old.slice(0, start).map(same),
    ...middle,
    ...(end === 0 ? [] : old.slice(-end).map(same)),
  ]
}

function shortest(old: readonly string[], next: readonly string[]): Edit[] {
  const most = Math.min(old.length + next.length, maxSteps)
  let furthest = new Map<number, number>([[1, 0]])
  const trail: Map<number, number>[] = []
  for (let steps = 0; steps <= most; steps++) {
    trail.push(new Map(furthest))
    const reached = new Map(furthest)
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const x = slide(old, next, startOf(furthest, diagonal, steps), diagonal)
      reached.set(diagonal, x)
      if (x >= old.length && x - diagonal >= next.length) return walkBack(trail, old, next)
    }
    furthest = reached
  }
  return [
    ...old.map((line): Edit => ({ mark: '-', line })),
    ...next.map((line): Edit => ({ mark: '+', line })),
  ]
}

function startOf(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): number {
  const isNew = isDown(furthest, diagonal, steps)
  return (furthest.get(isNew ? diagonal + 1 : diagonal - 1) ?? -1) + (isNew ? 0 : 1)
}

function slide(
  old: readonly string[],
  next: readonly string[],
  from: number,
  diagonal: number,
): number {
  let x = from
  while (x < old.length && x - diagonal < next.length && old[x] === next[x - diagonal]) x++
  return x
}

function walkBack(
  trail: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  next: readonly string[],
): Edit[] {
  const edits: Edit[] = []
  let x = old.length
  let y = next.length
  for (let steps = trail.length - 1; steps >= 0; steps--) {
    const furthest = trail[steps] ?? new Map<number, number>()
    const diagonal = x - y
    const from = startOf(furthest, diagonal, steps)
    const goesDown = isDown(furthest, diagonal, steps)
    while (x > from && y > from - diagonal) {
      edits.push({ mark: ' ', line: old[--x] ?? '' })
      y -= 1
    }
    if (steps === 0) break
    if (goesDown) edits.push({ mark: '+', line: next[--y] ?? '' })
    else edits.push({ mark: '-', line: old[--x] ?? '' })
  }
  return edits.reverse()
}

function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): boolean {
  const below = furthest.get(diagonal + 1) ?? -1
  const left = furthest.get(diagonal - 1) ?? -1
  return diagonal === -steps || (diagonal !== steps && left < below)
}

/** Changes with a few equal lines around them; what lies between is left out. */
function hunks(edits: readonly Edit[]): string[] {
  const parts: string[] = []
  let index = 0
  while (index < edits.length) {
    const first = edits.findIndex((edit, at) => at >= index && edit.mark !== ' ')
    if (first === -1) break
    let last = first
    for (let at = first; at < edits.length && at <= last + 2 * contextLines; at++) {
      if (edits[at]?.mark !== ' ') last = at
    }
    const from = Math.max(index, first - contextLines)
    const to = Math.min(edits.length, last + contextLines + 1)
    parts.push(hunk(edits, from, to))
    index = to
  }
  return parts
}

function hunk(edits: readonly Edit[], from: number, to: number): string {
  const shown = edits.slice(from, to)
  const range = (mark: '-' | '+'): string => {
    const counts = (edit: Edit) => edit.mark === ' ' || edit.mark === mark
    const before = edits.slice(0, from).filter(counts).length
    const count = shown.filter(counts).length
    return `${count === 0 ? before : before + 1}${count === 1 ? '' : `,${count}`}`
  }
  const lines = shown.map(({ mark, line }) => `${mark}${line}\n`)
  return `@@ -${range('-')} +${range('+')} @@\n${lines.join('')}`
}
