// The rows of a timeline: calls as a tree, each below the call that it is a part of, with the agent's words between
// them.
import type { CallFacts, NoteFacts } from '../../data/data.ts'

export type TimelineRow =
  | { call: CallFacts; depth: number }
  /** `number` is the position in the notes of the attempt. */
  | { words: NoteFacts; number: number }

const maxDepth = 8

/** Calls without a shown parent are at the top level. */
export function timelineRows(
  calls: readonly CallFacts[],
  words: readonly { words: NoteFacts; number: number }[],
): TimelineRow[] {
  const rows: TimelineRow[] = []
  const children = childrenByParent(calls)
  const waiting = [...words].sort((a, b) => positionOf(a.words) - positionOf(b.words))
  let next = 0
  const add = (call: CallFacts, depth: number): void => {
    rows.push({ call, depth })
    for (const child of children.get(call.line) ?? []) add(child, Math.min(depth + 1, maxDepth))
  }
  for (const call of children.get(0) ?? []) {
    // Words after n calls stand before the first call whose whole tree is not among them.
    for (let word = waiting[next]; word !== undefined; word = waiting[next]) {
      if (positionOf(word.words) >= call.line) break
      rows.push(word)
      next++
    }
    add(call, 0)
  }
  return [...rows, ...waiting.slice(next)]
}

/** By the line of the parent; 0 holds the top level. In order of their start. */
function childrenByParent(calls: readonly CallFacts[]): Map<number, CallFacts[]> {
  const shown = new Set(calls.map(({ line }) => line))
  const children = new Map<number, CallFacts[]>()
  for (const call of calls) {
    const parent = call.parent !== undefined && shown.has(call.parent) ? call.parent : 0
    const list = children.get(parent)
    if (list === undefined) children.set(parent, [call])
    else list.push(call)
  }
  for (const list of children.values()) {
    if (list.some(({ at }, index) => at < (list[index - 1]?.at ?? 0))) {
      list.sort((a, b) => a.at - b.at || a.line - b.line)
    }
  }
  return children
}

function positionOf({ afterCalls = Infinity }: NoteFacts): number {
  return afterCalls
}
