// Divides all code points into few classes: two characters that no set of a pattern tells apart are one
// class. What follows then works on classes only.
import { lastCodePoint } from '../code-points.ts'
import type { Ranges } from '../code-points.ts'

export interface CharClasses {
  count: number
  /** First code point of each stretch of one class, and its class. */
  starts: readonly number[]
  classes: readonly number[]
  /** Whether a set holds the characters of a class. */
  has(set: number, charClass: number): boolean
}

export function charClasses(sets: readonly Ranges[]): CharClasses {
  const starts = stretchStarts(sets)
  const members = starts.map(() => '')
  for (const [set, ranges] of sets.entries()) mark(members, starts, ranges, set)
  const known = new Map<string, number>()
  const classes: number[] = []
  for (const key of members) {
    if (!known.has(key)) known.set(key, known.size)
    classes.push(known.get(key) as number)
  }
  const holds = [...known.keys()].map((key) => new Set(key.split(',').map(Number)))
  const width = Math.max(1, sets.length)
  const table = new Uint8Array(known.size * width)
  for (const [charClass, held] of holds.entries()) {
    for (let set = 0; set < sets.length; set++) {
      if (held.has(set + 1)) table[charClass * width + set] = 1
    }
  }
  const has = (set: number, charClass: number): boolean => table[charClass * width + set] === 1
  return { count: known.size, ...joined(starts, classes), has }
}

function stretchStarts(sets: readonly Ranges[]): number[] {
  const starts = new Set([0])
  for (const ranges of sets) {
    for (let at = 0; at < ranges.length; at += 2) {
      starts.add(ranges[at] as number)
      starts.add((ranges[at + 1] as number) + 1)
    }
  }
  starts.delete(lastCodePoint + 1)
  return [...starts].toSorted((a, b) => a - b)
}

/** Writes the number of the set (from 1) into every stretch that it holds. */
function mark(members: string[], starts: number[], ranges: Ranges, set: number): void {
  for (let at = 0; at < ranges.length; at += 2) {
    const high = ranges[at + 1] as number
    for (let index = stretchOf(starts, ranges[at] as number); ; index++) {
      const start = starts[index]
      if (start === undefined || start > high) break
      members[index] += `,${set + 1}`
    }
  }
}

/** Neighbours of one class as one stretch. */
function joined(
  starts: number[],
  classes: number[],
): { starts: readonly number[]; classes: readonly number[] } {
  const kept = starts
    .map((_, index) => index)
    .filter((index) => {
      return index === 0 || classes[index] !== classes[index - 1]
    })
  return {
    starts: kept.map((index) => starts[index] as number),
    classes: kept.map((index) => classes[index] as number),
  }
}

/** Index of the stretch that holds a code point. */
export function stretchOf(starts: readonly number[], code: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= code) low = middle
    else high = middle - 1
  }
  return low
}
