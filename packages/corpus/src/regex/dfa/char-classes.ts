// Partitions all code points into classes: characters that no set of the pattern distinguishes
// share a class. The automaton works on classes only.
import { lastCodePoint } from '../code-points.ts'
import type { Ranges } from '../code-points.ts'

export interface CharClasses {
  count: number
  /** First code point and class of each interval. */
  starts: readonly number[]
  classes: readonly number[]
  /** Whether a set contains the characters of a class. */
  has(set: number, charClass: number): boolean
}

export function charClasses(sets: readonly Ranges[]): CharClasses {
  const starts = intervalStarts(sets)
  const members = starts.map(() => '')
  for (const [set, ranges] of sets.entries()) markIntervals(members, starts, ranges, set)
  const classByKey = new Map<string, number>()
  const classes: number[] = []
  for (const key of members) {
    if (!classByKey.has(key)) classByKey.set(key, classByKey.size)
    classes.push(classByKey.get(key) as number)
  }
  const setsByClass = [...classByKey.keys()].map((key) => new Set(key.split(',').map(Number)))
  const width = Math.max(1, sets.length)
  const table = new Uint8Array(classByKey.size * width)
  for (const [charClass, classSets] of setsByClass.entries()) {
    for (let set = 0; set < sets.length; set++) {
      if (classSets.has(set + 1)) table[charClass * width + set] = 1
    }
  }
  const has = (set: number, charClass: number): boolean => table[charClass * width + set] === 1
  return { count: classByKey.size, ...mergeIntervals(starts, classes), has }
}

function intervalStarts(sets: readonly Ranges[]): number[] {
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

/** Appends the number of the set (from 1) to every interval inside its ranges. */
function markIntervals(members: string[], starts: number[], ranges: Ranges, set: number): void {
  for (let at = 0; at < ranges.length; at += 2) {
    const high = ranges[at + 1] as number
    for (let index = intervalIndex(starts, ranges[at] as number); ; index++) {
      const start = starts[index]
      if (start === undefined || start > high) break
      members[index] += `,${set + 1}`
    }
  }
}

/** Merges adjacent intervals of the same class. */
function mergeIntervals(
  starts: number[],
  classes: number[],
): { starts: readonly number[]; classes: readonly number[] } {
  const firstOfRun = starts
    .map((_, index) => index)
    .filter((index) => {
      return index === 0 || classes[index] !== classes[index - 1]
    })
  return {
    starts: firstOfRun.map((index) => starts[index] as number),
    classes: firstOfRun.map((index) => classes[index] as number),
  }
}

/** Index of the interval that contains a code point. */
export function intervalIndex(starts: readonly number[], code: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= code) low = middle
    else high = middle - 1
  }
  return low
}
