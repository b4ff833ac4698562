// The diff of two lists of line classes by Myers' algorithm, with the heuristics of libxdiff, so that results equal
// those of git: lines without a partner are discarded first, and a search that costs too much is cut short.
import type { Changed } from './compact.ts'

const snakeLength = 20
const minHeuristicCost = 256
const minMaxCost = 256
const heuristicFactor = 4
const maxEqual = 1024
const scanWindow = 100
const discardRun = 4
const maxLine = 2 ** 31 - 1

/** Lines that take part in the search: classes, and their numbers in the text. */
interface Kept {
  classes: Int32Array
  numbers: Int32Array
  count: number
  changed: Changed
}

interface Split {
  i1: number
  i2: number
  isMinimalLow: boolean
  isMinimalHigh: boolean
}

/** Marks the changed lines of both texts. */
export function markChanges(
  classes1: Int32Array,
  classes2: Int32Array,
): { changed1: Changed; changed2: Changed } {
  const changed1 = new Uint8Array(classes1.length + 1)
  const changed2 = new Uint8Array(classes2.length + 1)
  const least = Math.min(classes1.length, classes2.length)
  let start = 0
  while (start < least && classes1[start] === classes2[start]) start++
  let tail = 0
  while (
    tail < least - start &&
    classes1[classes1.length - 1 - tail] === classes2[classes2.length - 1 - tail]
  )
    tail++
  const counts1 = countClasses(classes1)
  const counts2 = countClasses(classes2)
  const kept1 = keepLines(classes1, counts2, start, classes1.length - tail, changed1)
  const kept2 = keepLines(classes2, counts1, start, classes2.length - tail, changed2)
  new Search(kept1, kept2).run()
  return { changed1, changed2 }
}

function countClasses(classes: Int32Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (const each of classes) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

/** Marks lines without a partner as changed, and lines with many partners among such lines. */
function keepLines(
  classes: Int32Array,
  others: Map<number, number>,
  start: number,
  end: number,
  changed: Changed,
): Kept {
  const limit = Math.min(roughRoot(classes.length), maxEqual)
  const kinds = new Uint8Array(classes.length)
  for (let at = start; at < end; at++) {
    const partners = others.get(classes[at] as number) ?? 0
    kinds[at] = partners === 0 ? 0 : partners >= limit ? 2 : 1
  }
  const kept = new Int32Array(end - start)
  const numbers = new Int32Array(end - start)
  let count = 0
  for (let at = start; at < end; at++) {
    if (kinds[at] === 1 || (kinds[at] === 2 && !isDiscarded(kinds, at, start, end - 1))) {
      numbers[count] = at
      kept[count++] = classes[at] as number
    } else changed[at] = 1
  }
  return { classes: kept, numbers, count, changed }
}

function isDiscarded(kinds: Uint8Array, at: number, start: number, end: number): boolean {
  const first = Math.max(start, at - scanWindow)
  const last = Math.min(end, at + scanWindow)
  let [none, many] = [0, 1]
  for (let line = at - 1; line >= first && kinds[line] !== 1; line--) {
    if (kinds[line] === 0) none++
    else many++
  }
  if (none === 0) return false
  let [noneAfter, manyAfter] = [0, 1]
  for (let line = at + 1; line <= last && kinds[line] !== 1; line++) {
    if (kinds[line] === 0) noneAfter++
    else manyAfter++
  }
  if (noneAfter === 0) return false
  none += noneAfter
  many += manyAfter
  return many * discardRun < many + none
}

/** A power of two near the square root. */
function roughRoot(number: number): number {
  let root = 1
  for (let rest = number; rest > 0; rest >>= 2) root *= 2
  return root
}

class Search {
  readonly #one: Kept
  readonly #two: Kept
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  /** Index of diagonal 0. */
  readonly #origin: number
  readonly #maxCost: number

  constructor(one: Kept, two: Kept) {
    this.#one = one
    this.#two = two
    const diagonals = one.count + two.count + 3
    this.#forward = new Int32Array(diagonals + 1)
    this.#backward = new Int32Array(diagonals + 1)
    this.#origin = two.count + 1
    this.#maxCost = Math.max(minMaxCost, roughRoot(diagonals))
  }

  run(): void {
    this.#compare(0, this.#one.count, 0, this.#two.count, false)
  }

  #compare(from1: number, to1: number, from2: number, to2: number, isMinimal: boolean): void {
    const [a, b] = [this.#one.classes, this.#two.classes]
    let [off1, lim1, off2, lim2] = [from1, to1, from2, to2]
    for (; off1 < lim1 && off2 < lim2 && a[off1] === b[off2]; off1++) off2++
    for (; off1 < lim1 && off2 < lim2 && a[lim1 - 1] === b[lim2 - 1]; lim1--) lim2--
    if (off1 === lim1) mark(this.#two, off2, lim2)
    else if (off2 === lim2) mark(this.#one, off1, lim1)
    else {
      const split = this.#split(off1, lim1, off2, lim2, isMinimal)
      this.#compare(off1, split.i1, off2, split.i2, split.isMinimalLow)
      this.#compare(split.i1, lim1, split.i2, lim2, split.isMinimalHigh)
    }
  }

  /** Finds a point on a shortest path, from both ends at once; or on a good one if that costs too much. */
  #split(off1: number, lim1: number, off2: number, lim2: number, isMinimal: boolean): Split {
    const [a, b, o] = [this.#one.classes, this.#two.classes, this.#origin]
    const [forward, backward] = [this.#forward, this.#backward]
    const [dmin, dmax, fmid, bmid] = [off1 - lim2, lim1 - off2, off1 - off2, lim1 - lim2]
    const isOdd = ((fmid - bmid) & 1) !== 0
    let [fmin, fmax, bmin, bmax] = [fmid, fmid, bmid, bmid]
    forward[o + fmid] = off1
    backward[o + bmid] = lim1
    for (let cost = 1; ; cost++) {
      let hasSnake = false
      if (fmin > dmin) forward[o + --fmin - 1] = -1
      else ++fmin
      if (fmax < dmax) forward[o + ++fmax + 1] = -1
      else --fmax
      for (let d = fmax; d >= fmin; d -= 2) {
        const [below, above] = [forward[o + d - 1] as number, forward[o + d + 1] as number]
        let i1 = below >= above ? below + 1 : above
        const start = i1
        let i2 = i1 - d
        for (; i1 < lim1 && i2 < lim2 && a[i1] === b[i2]; i1++) i2++
        if (i1 - start > snakeLength) hasSnake = true
        forward[o + d] = i1
        if (isOdd && bmin <= d && d <= bmax && (backward[o + d] as number) <= i1) {
          return { i1, i2, isMinimalLow: true, isMinimalHigh: true }
        }
      }
      if (bmin > dmin) backward[o + --bmin - 1] = maxLine
      else ++bmin
      if (bmax < dmax) backward[o + ++bmax + 1] = maxLine
      else --bmax
      for (let d = bmax; d >= bmin; d -= 2) {
        const [below, above] = [backward[o + d - 1] as number, backward[o + d + 1] as number]
        let i1 = below < above ? below : above - 1
        const start = i1
        let i2 = i1 - d
        for (; i1 > off1 && i2 > off2 && a[i1 - 1] === b[i2 - 1]; i1--) i2--
        if (start - i1 > snakeLength) hasSnake = true
        backward[o + d] = i1
        if (!isOdd && fmin <= d && d <= fmax && i1 <= (forward[o + d] as number)) {
          return { i1, i2, isMinimalLow: true, isMinimalHigh: true }
        }
      }
      if (isMinimal) continue
      const box = { off1, lim1, off2, lim2, fmin, fmax, bmin, bmax, fmid, bmid }
      const early =
        (hasSnake && cost > minHeuristicCost ? this.#afterSnake(box, cost) : undefined) ??
        (cost >= this.#maxCost ? this.#farthest(box) : undefined)
      if (early !== undefined) return early
    }
  }

  /** A split after a long run of equal lines that is far along. */
  #afterSnake(box: Box, cost: number): Split | undefined {
    const { off1, lim1, off2, lim2 } = box
    const [a, b, o] = [this.#one.classes, this.#two.classes, this.#origin]
    let best = 0
    let found = { i1: 0, i2: 0 }
    for (let d = box.fmax; d >= box.fmin; d -= 2) {
      const i1 = this.#forward[o + d] as number
      const i2 = i1 - d
      const value = i1 - off1 + (i2 - off2) - Math.abs(d - box.fmid)
      if (value <= heuristicFactor * cost || value <= best) continue
      if (off1 + snakeLength > i1 || i1 >= lim1 || off2 + snakeLength > i2 || i2 >= lim2) continue
      let run = 1
      while (run <= snakeLength && a[i1 - run] === b[i2 - run]) run++
      if (run <= snakeLength) continue
      best = value
      found = { i1, i2 }
    }
    if (best > 0) return { ...found, isMinimalLow: true, isMinimalHigh: false }
    for (let d = box.bmax; d >= box.bmin; d -= 2) {
      const i1 = this.#backward[o + d] as number
      const i2 = i1 - d
      const value = lim1 - i1 + (lim2 - i2) - Math.abs(d - box.bmid)
      if (value <= heuristicFactor * cost || value <= best) continue
      if (off1 >= i1 || i1 > lim1 - snakeLength || off2 >= i2 || i2 > lim2 - snakeLength) continue
      let run = 0
      while (run < snakeLength && a[i1 + run] === b[i2 + run]) run++
      if (run < snakeLength) continue
      best = value
      found = { i1, i2 }
    }
    return best > 0 ? { ...found, isMinimalLow: false, isMinimalHigh: true } : undefined
  }

  /** The farthest point that either end has reached. */
  #farthest({ off1, lim1, off2, lim2, fmin, fmax, bmin, bmax }: Box): Split {
    const o = this.#origin
    let [fbest, fbest1, bbest, bbest1] = [-1, -1, maxLine, maxLine]
    for (let d = fmax; d >= fmin; d -= 2) {
      let i1 = Math.min(this.#forward[o + d] as number, lim1)
      let i2 = i1 - d
      if (lim2 < i2) [i1, i2] = [lim2 + d, lim2]
      if (fbest < i1 + i2) [fbest, fbest1] = [i1 + i2, i1]
    }
    for (let d = bmax; d >= bmin; d -= 2) {
      let i1 = Math.max(off1, this.#backward[o + d] as number)
      let i2 = i1 - d
      if (i2 < off2) [i1, i2] = [off2 + d, off2]
      if (i1 + i2 < bbest) [bbest, bbest1] = [i1 + i2, i1]
    }
    if (lim1 + lim2 - bbest < fbest - (off1 + off2)) {
      return { i1: fbest1, i2: fbest - fbest1, isMinimalLow: true, isMinimalHigh: false }
    }
    return { i1: bbest1, i2: bbest - bbest1, isMinimalLow: false, isMinimalHigh: true }
  }
}

interface Box {
  off1: number
  lim1: number
  off2: number
  lim2: number
  fmin: number
  fmax: number
  bmin: number
  bmax: number
  fmid: number
  bmid: number
}

function mark({ numbers, changed }: Kept, from: number, to: number): void {
  for (let at = from; at < to; at++) changed[numbers[at] as number] = 1
}
