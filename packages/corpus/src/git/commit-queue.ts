// A priority queue of commits: newest first, and in order of insertion where times are equal, as in git.
import type { Commit } from './commits.ts'

interface Item {
  commit: Commit
  order: number
}

export class CommitQueue {
  readonly #heap: Item[] = []
  #added = 0

  add(commit: Commit): void {
    const heap = this.#heap
    heap.push({ commit, order: this.#added++ })
    for (let at = heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at] as Item, heap[parent] as Item)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  /** Removes the next commit; undefined if there is none. */
  take(): Commit | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined) return undefined
    if (heap.length === 0) return first.commit
    heap[0] = last
    for (let at = 0; ;) {
      let next = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child] as Item, heap[next] as Item)) next = child
      }
      if (next === at) return first.commit
      this.#swap(at, next)
      at = next
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    ;[heap[a], heap[b]] = [heap[b] as Item, heap[a] as Item]
  }
}

function isBefore(a: Item, b: Item): boolean {
  const [timeA, timeB] = [a.commit.committer.time, b.commit.committer.time]
  return timeA === timeB ? a.order < b.order : timeA > timeB
}
