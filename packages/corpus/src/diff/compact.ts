// Moves groups of changed lines where they can slide, as git does: to the end of the slide, next to a change of the
// other text, or to the position that the indent heuristic prefers. Ported from xdl_change_compact of libxdiff.
import type { Lines } from './records.ts'
import { bestSplit } from './indent.ts'

/** Which lines of a text are changed. One more element than lines, which is always 0. */
export type Changed = Uint8Array

interface Group {
  /** The first changed line, and the line after the last. Equal for an empty group. */
  start: number
  end: number
}

/** Changes `changed` and `otherChanged` in place. */
export function compactChanges(lines: Lines, changed: Changed, otherChanged: Changed): void {
  const groups = new Groups(changed, lines.classes)
  const others = new Groups(otherChanged)
  for (;;) {
    if (groups.at.end !== groups.at.start) slide(lines, groups, others)
    if (!groups.next()) return
    others.next()
  }
}

const maxSliding = 100

function slide(lines: Lines, groups: Groups, others: Groups): void {
  const { at } = groups
  let size: number
  let endMatchingOther: number
  let earliestEnd: number
  do {
    size = at.end - at.start
    endMatchingOther = -1
    while (groups.slideUp()) others.previous()
    earliestEnd = at.end
    if (others.at.end > others.at.start) endMatchingOther = at.end
    while (groups.slideDown()) {
      others.next()
      if (others.at.end > others.at.start) endMatchingOther = at.end
    }
  } while (size !== at.end - at.start)
  if (at.end === earliestEnd) return
  if (endMatchingOther !== -1) {
    // Aligns the group with a change of the other text, where there is one.
    while (others.at.end === others.at.start && groups.slideUp()) others.previous()
    return
  }
  const first = Math.max(earliestEnd, at.end - size - 1, at.end - maxSliding)
  const best = bestSplit(lines, { first, last: at.end, size })
  while (at.end > best && groups.slideUp()) others.previous()
}

/** The groups of changed lines of one text, one at a time. Unchanged lines are separated by empty groups. */
class Groups {
  readonly at: Group = { start: 0, end: 0 }
  readonly #changed: Changed
  readonly #classes: Int32Array | undefined

  constructor(changed: Changed, classes?: Int32Array) {
    this.#changed = changed
    this.#classes = classes
    while (changed[this.at.end] === 1) this.at.end++
  }

  get #count(): number {
    return this.#changed.length - 1
  }

  next(): boolean {
    const { at } = this
    if (at.end === this.#count) return false
    at.start = at.end + 1
    at.end = at.start
    while (this.#changed[at.end] === 1) at.end++
    return true
  }

  previous(): boolean {
    const { at } = this
    if (at.start === 0) return false
    at.end = at.start - 1
    at.start = at.end
    while (at.start > 0 && this.#changed[at.start - 1] === 1) at.start--
    return true
  }

  /** Slides the group up by one line if its last line equals the line before it. */
  slideUp(): boolean {
    const { at } = this
    const [changed, classes] = [this.#changed, this.#classes as Int32Array]
    if (at.start === 0 || classes[at.start - 1] !== classes[at.end - 1]) return false
    changed[--at.start] = 1
    changed[--at.end] = 0
    while (at.start > 0 && changed[at.start - 1] === 1) at.start--
    return true
  }

  slideDown(): boolean {
    const { at } = this
    const [changed, classes] = [this.#changed, this.#classes as Int32Array]
    if (at.end >= this.#count || classes[at.start] !== classes[at.end]) return false
    changed[at.start++] = 0
    changed[at.end++] = 1
    while (changed[at.end] === 1) at.end++
    return true
  }
}
