// The changed lines between two texts, equal to those of `git diff` and `git blame`.
import { compactChanges } from './compact.ts'
import { markChanges } from './myers.ts'
import { LineClasses } from './records.ts'

/** Lines of the old text that were replaced by lines of the new one; numbers from 0. */
export interface Hunk {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
}

const tailBlock = 1024

export function diffLines(before: Buffer, after: Buffer): Hunk[] {
  const tail = commonTail(before, after)
  const classes = new LineClasses()
  const one = classes.lines(before.subarray(0, before.length - tail))
  const two = classes.lines(after.subarray(0, after.length - tail))
  const { changed1, changed2 } = markChanges(one.classes, two.classes)
  compactChanges(one, changed1, changed2)
  compactChanges(two, changed2, changed1)
  const hunks: Hunk[] = []
  let [at1, at2] = [0, 0]
  while (at1 < one.classes.length || at2 < two.classes.length) {
    const hunk = { oldStart: at1, oldCount: 0, newStart: at2, newCount: 0 }
    while (changed1[at1] === 1) at1++
    while (changed2[at2] === 1) at2++
    hunk.oldCount = at1 - hunk.oldStart
    hunk.newCount = at2 - hunk.newStart
    if (hunk.oldCount + hunk.newCount > 0) hunks.push(hunk)
    at1++
    at2++
  }
  return hunks
}

/** Bytes of the equal end that git leaves out of a diff: whole blocks, up to the next line. */
function commonTail(one: Buffer, two: Buffer): number {
  const least = Math.min(one.length, two.length)
  let trimmed = 0
  while (trimmed + tailBlock <= least) {
    const [end1, end2] = [one.length - trimmed, two.length - trimmed]
    if (one.compare(two, end2 - tailBlock, end2, end1 - tailBlock, end1) !== 0) break
    trimmed += tailBlock
  }
  const feed = one.indexOf(0x0a, one.length - trimmed)
  return feed === -1 || trimmed === 0 ? 0 : one.length - feed - 1
}
