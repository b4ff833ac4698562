// Permutation test and interval of real-valued measures. Attempts are exchanged within missions; all
// measures share the same arrangements. The statistic is the mean over missions of the difference
// of means, B minus A.
import type { Random } from '../random.ts'

/** The attempts of one mission, row by row with `width` values each: first A's, then B's. */
export interface MeasuredMission {
  rows: Float64Array
  inA: number
  inB: number
}

export interface ShiftTest {
  /** The observed statistic. */
  shift: number
  /** Equal-tailed, two-sided: twice the smaller one-sided p-value. */
  p: number
  /** The shifts that the test does not reject; undefined if there are too few arrangements. */
  interval: { low: number; high: number } | undefined
}

/** Cap on the values that one test moves: about 1 s. */
const maxMoves = 24_000_000

export function drawsFor(attempts: number, requested: number): number {
  return Math.min(requested, Math.max(1000, Math.floor(maxMoves / Math.max(1, attempts))))
}

/** The number of arrangements; Infinity beyond the range of numbers. */
export function arrangementsOf(missions: readonly MeasuredMission[]): number {
  let arrangements = 1
  for (const { inA, inB } of missions) {
    for (let index = 1; index <= inB; index++) arrangements *= (inA + index) / index
  }
  return arrangements
}

/** One test per measure. */
export function shiftTests(
  missions: readonly MeasuredMission[],
  { width, draws, alpha }: { width: number; draws: number; alpha: number },
  random: Random,
): ShiftTest[] {
  const orders = missions.map(({ inA, inB }) =>
    Uint32Array.from({ length: inA + inB }, (_, i) => i),
  )
  const observed = new Float64Array(width)
  for (const mission of missions) addDifferences(mission, identityOf(mission), observed)
  const tallies = Array.from(observed, () => new Tally(draws))
  const sums = new Float64Array(width)
  for (let draw = 0; draw < draws; draw++) {
    sums.fill(0)
    let stayed = 0
    for (const [index, mission] of missions.entries()) {
      const order = orders[index] as Uint32Array
      chooseB(order, mission, random)
      stayed += addDifferences(mission, order, sums)
    }
    const moved = 1 - stayed / missions.length
    for (const [measure, tally] of tallies.entries()) {
      const gap = ((observed[measure] as number) - (sums[measure] as number)) / missions.length
      tally.add(gap, moved)
    }
  }
  return tallies.map((tally, measure) => ({
    shift: (observed[measure] as number) / missions.length,
    p: tally.p(),
    interval: tally.interval(alpha),
  }))
}

function identityOf({ inA, inB }: MeasuredMission): Uint32Array {
  // B's attempts come first in an arrangement.
  return Uint32Array.from({ length: inA + inB }, (_, i) => (i < inB ? inA + i : i - inB))
}

/** Draws the attempts of B: the first `inB` of the order (partial Fisher-Yates shuffle). */
function chooseB(order: Uint32Array, { inB }: MeasuredMission, random: Random): void {
  for (let index = 0; index < inB; index++) {
    const other = index + random.below(order.length - index)
    const chosen = order[other] as number
    order[other] = order[index] as number
    order[index] = chosen
  }
}

/**
 * Adds the mission's difference of means to `sums`. Returns the part of a constant shift of B that
 * this arrangement keeps: 1 if every attempt stayed on its side.
 */
function addDifferences(
  { rows, inA, inB }: MeasuredMission,
  order: Uint32Array,
  sums: Float64Array,
): number {
  const width = sums.length
  let kept = 0
  for (let position = 0; position < order.length; position++) {
    const attempt = order[position] as number
    const isInB = position < inB
    if (isInB && attempt >= inA) kept++
    const weight = isInB ? 1 / inB : -1 / inA
    const from = attempt * width
    for (let measure = 0; measure < width; measure++) {
      sums[measure] = (sums[measure] as number) + weight * (rows[from + measure] as number)
    }
  }
  return kept / inB - (inB - kept) / inA
}

const tolerance = 1e-9

/** Collects the arrangements of one measure. */
class Tally {
  /** Per arrangement, the smallest shift of B at which it is as extreme as the observation. */
  readonly #thresholds: Float64Array
  #count = 0
  /** Arrangements that keep every attempt on its side: as extreme at every shift. */
  #unmoved = 0
  #above = 0
  #below = 0

  constructor(draws: number) {
    this.#thresholds = new Float64Array(draws)
  }

  add(gap: number, moved: number): void {
    if (gap <= tolerance) this.#above++
    if (gap >= -tolerance) this.#below++
    if (moved <= tolerance) this.#unmoved++
    else this.#thresholds[this.#count++] = gap / moved
  }

  p(): number {
    const draws = this.#thresholds.length
    return Math.min(1, (2 * (1 + Math.min(this.#above, this.#below))) / (1 + draws))
  }

  interval(alpha: number): ShiftTest['interval'] {
    const sorted = this.#thresholds.subarray(0, this.#count).sort()
    const rank = Math.floor((alpha / 2) * (1 + this.#thresholds.length)) - this.#unmoved
    if (rank < 1 || sorted.length < 2 * rank) return undefined
    const low = sorted[rank - 1] as number
    const high = sorted[sorted.length - rank] as number
    return { low, high }
  }
}
