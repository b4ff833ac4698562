// Computes the shortest edit script between two lists of lines by Myers' algorithm. Falls back to a
// complete replacement if the lists differ by more than `maxSteps` edits.
import { commonEnds } from './common-ends.ts'

export interface Edit {
  mark: ' ' | '-' | '+'
  line: string
}

type Lines = readonly string[]

/** The furthest reaching position in the old list per diagonal; -1 if it is unreached. */
interface Frontier {
  furthest: Int32Array
  /** Index of diagonal 0. */
  origin: number
}

const maxSteps = 2000

/** Skips the common prefix and suffix first, because most edits are small. */
export function computeEdits(old: Lines, next: Lines): Edit[] {
  const { start, end } = commonEnds(old, next)
  const middle = shortestEdits(
    old.slice(start, old.length - end),
    next.slice(start, next.length - end),
  )
  return [
    ...toEdits(' ', old.slice(0, start)),
    ...middle,
    ...toEdits(' ', old.slice(old.length - end)),
  ]
}

function toEdits(mark: Edit['mark'], lines: Lines): Edit[] {
  return lines.map((line) => ({ mark, line }))
}

function shortestEdits(old: Lines, next: Lines): Edit[] {
  const stepLimit = Math.min(old.length + next.length, maxSteps)
  const frontier: Frontier = {
    furthest: new Int32Array(2 * stepLimit + 3).fill(-1),
    origin: stepLimit + 1,
  }
  frontier.furthest[frontier.origin + 1] = 0
  const trail: Frontier[] = []
  for (let steps = 0; steps <= stepLimit; steps++) {
    trail.push(copyAroundOrigin(frontier, steps + 1))
    // A step reads every other diagonal and writes those in between, so one array is enough.
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const x = followDiagonal(old, next, startOnDiagonal(frontier, diagonal, steps), diagonal)
      frontier.furthest[frontier.origin + diagonal] = x
      if (x >= old.length && x - diagonal >= next.length) return backtrack(trail, old, next)
    }
  }
  return [...toEdits('-', old), ...toEdits('+', next)]
}

/** A copy of the diagonals at most `distance` from diagonal 0. */
function copyAroundOrigin({ furthest, origin }: Frontier, distance: number): Frontier {
  return { furthest: furthest.slice(origin - distance, origin + distance + 1), origin: distance }
}

function startOnDiagonal(frontier: Frontier, diagonal: number, steps: number): number {
  if (isInsertion(frontier, diagonal, steps)) return furthestOn(frontier, diagonal + 1)
  return furthestOn(frontier, diagonal - 1) + 1
}

function isInsertion(frontier: Frontier, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true
  return (
    diagonal !== steps && furthestOn(frontier, diagonal - 1) < furthestOn(frontier, diagonal + 1)
  )
}

function furthestOn({ furthest, origin }: Frontier, diagonal: number): number {
  return furthest[origin + diagonal] ?? -1
}

function followDiagonal(old: Lines, next: Lines, from: number, diagonal: number): number {
  let x = from
  while (x < old.length && x - diagonal < next.length && old[x] === next[x - diagonal]) x++
  return x
}

function backtrack(trail: readonly Frontier[], old: Lines, next: Lines): Edit[] {
  const edits: Edit[] = []
  let x = old.length
  let y = next.length
  for (const [steps, frontier] of [...trail.entries()].reverse()) {
    const diagonal = x - y
    const from = startOnDiagonal(frontier, diagonal, steps)
    while (x > from) {
      edits.push({ mark: ' ', line: old[--x] ?? '' })
      y -= 1
    }
    if (steps === 0) break
    if (isInsertion(frontier, diagonal, steps)) edits.push({ mark: '+', line: next[--y] ?? '' })
    else edits.push({ mark: '-', line: old[--x] ?? '' })
  }
  return edits.reverse()
}
