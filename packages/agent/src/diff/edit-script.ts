// What turns one list of lines into another: the shortest edit script by Myers' method, given up for a
// plain replacement where the lists have too little in common.
import { commonEnds } from './common-ends.ts'

export interface Edit {
  mark: ' ' | '-' | '+'
  line: string
}

type Lines = readonly string[]

/** How far into the old list the edits so far reach, by diagonal; -1 where none leads. */
interface Frontier {
  furthest: Int32Array
  /** Where diagonal 0 stands. */
  origin: number
}

const maxSteps = 2000

/** Equal beginnings and ends are set aside first: most edits are small. */
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
  const most = Math.min(old.length + next.length, maxSteps)
  const reach: Frontier = { furthest: new Int32Array(2 * most + 3).fill(-1), origin: most + 1 }
  reach.furthest[reach.origin + 1] = 0
  const trail: Frontier[] = []
  for (let steps = 0; steps <= most; steps++) {
    trail.push(copyAroundOrigin(reach, steps + 1))
    // A step reads every other diagonal and writes those between, so that one list is enough.
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const x = followDiagonal(old, next, startOnDiagonal(reach, diagonal, steps), diagonal)
      reach.furthest[reach.origin + diagonal] = x
      if (x >= old.length && x - diagonal >= next.length) return backtrack(trail, old, next)
    }
  }
  return [...toEdits('-', old), ...toEdits('+', next)]
}

/** A copy of the diagonals that are at most `distance` from the middle. */
function copyAroundOrigin({ furthest, origin }: Frontier, distance: number): Frontier {
  return { furthest: furthest.slice(origin - distance, origin + distance + 1), origin: distance }
}

function startOnDiagonal(reach: Frontier, diagonal: number, steps: number): number {
  if (isInsertion(reach, diagonal, steps)) return furthestOn(reach, diagonal + 1)
  return furthestOn(reach, diagonal - 1) + 1
}

function isInsertion(reach: Frontier, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true
  return diagonal !== steps && furthestOn(reach, diagonal - 1) < furthestOn(reach, diagonal + 1)
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
  for (const [steps, reach] of [...trail.entries()].reverse()) {
    const diagonal = x - y
    const from = startOnDiagonal(reach, diagonal, steps)
    while (x > from && y > from - diagonal) {
      edits.push({ mark: ' ', line: old[--x] ?? '' })
      y -= 1
    }
    if (steps === 0) break
    if (isInsertion(reach, diagonal, steps)) edits.push({ mark: '+', line: next[--y] ?? '' })
    else edits.push({ mark: '-', line: old[--x] ?? '' })
  }
  return edits.reverse()
}
