// What turns one list of lines into another: the shortest edit script by Myers' method, given up for a
// plain replacement where the lists have too little in common.
import { commonEnds } from './common-ends.ts'

export interface Edit {
  mark: ' ' | '-' | '+'
  line: string
}

type Lines = readonly string[]

/** How far into the old list the edits so far reach, by diagonal; -1 where none leads. */
interface Reach {
  along: Int32Array
  /** Where diagonal 0 stands. */
  origin: number
}

const maxSteps = 2000

/** Equal beginnings and ends are set aside first: most edits are small. */
export function editsBetween(old: Lines, next: Lines): Edit[] {
  const { start, end } = commonEnds(old, next)
  const middle = shortest(old.slice(start, old.length - end), next.slice(start, next.length - end))
  return [
    ...marked(' ', old.slice(0, start)),
    ...middle,
    ...marked(' ', old.slice(old.length - end)),
  ]
}

function marked(mark: Edit['mark'], lines: Lines): Edit[] {
  return lines.map((line) => ({ mark, line }))
}

function shortest(old: Lines, next: Lines): Edit[] {
  const most = Math.min(old.length + next.length, maxSteps)
  const reach: Reach = { along: new Int32Array(2 * most + 3).fill(-1), origin: most + 1 }
  reach.along[reach.origin + 1] = 0
  const trail: Reach[] = []
  for (let steps = 0; steps <= most; steps++) {
    trail.push(nearest(reach, steps + 1))
    // A step reads every other diagonal and writes those between, so that one list is enough.
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const x = slide(old, next, startOf(reach, diagonal, steps), diagonal)
      reach.along[reach.origin + diagonal] = x
      if (x >= old.length && x - diagonal >= next.length) return walkBack(trail, old, next)
    }
  }
  return [...marked('-', old), ...marked('+', next)]
}

/** A copy of the diagonals that are at most `distance` from the middle. */
function nearest({ along, origin }: Reach, distance: number): Reach {
  return { along: along.slice(origin - distance, origin + distance + 1), origin: distance }
}

function startOf(reach: Reach, diagonal: number, steps: number): number {
  if (isDown(reach, diagonal, steps)) return at(reach, diagonal + 1)
  return at(reach, diagonal - 1) + 1
}

function isDown(reach: Reach, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true
  return diagonal !== steps && at(reach, diagonal - 1) < at(reach, diagonal + 1)
}

function at({ along, origin }: Reach, diagonal: number): number {
  return along[origin + diagonal] ?? -1
}

function slide(old: Lines, next: Lines, from: number, diagonal: number): number {
  let x = from
  while (x < old.length && x - diagonal < next.length && old[x] === next[x - diagonal]) x++
  return x
}

function walkBack(trail: readonly Reach[], old: Lines, next: Lines): Edit[] {
  const edits: Edit[] = []
  let x = old.length
  let y = next.length
  for (const [steps, reach] of [...trail.entries()].reverse()) {
    const diagonal = x - y
    const from = startOf(reach, diagonal, steps)
    while (x > from && y > from - diagonal) {
      edits.push({ mark: ' ', line: old[--x] ?? '' })
      y -= 1
    }
    if (steps === 0) break
    if (isDown(reach, diagonal, steps)) edits.push({ mark: '+', line: next[--y] ?? '' })
    else edits.push({ mark: '-', line: old[--x] ?? '' })
  }
  return edits.reverse()
}
