// A binary heap of jobs by the time of their next run. An entry that no longer fits its job is dropped
// when it comes to the top, so pausing and removing cost nothing here.
import type { Job } from './job.ts'
import { isBusy } from './job.ts'

interface Entry {
  job: Job
  next: number
}

export interface DueQueueOptions {
  /** Whether the job may run: it exists and no run of it is about to begin. */
  isReady(job: Job): boolean
  /** Number of jobs. */
  count(): number
}

export class DueQueue {
  readonly #options: DueQueueOptions
  #heap: Entry[] = []

  constructor(options: DueQueueOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#heap.length
  }

  push(job: Job): void {
    if (this.#heap.length > 2 * this.#options.count() + 64) this.#dropStale()
    this.#heap.push({ job, next: job.next })
    this.#rise(this.#heap.length - 1)
  }

  /** The job that is due first. */
  peek(): Job | undefined {
    for (;;) {
      const top = this.#heap[0]
      if (top === undefined || this.#isCurrent(top)) return top?.job
      this.#removeTop()
    }
  }

  /** Removes and returns the first job when it is due. */
  take(now: number): Job | undefined {
    const job = this.peek()
    if (job === undefined || job.next > now) return undefined
    this.#removeTop()
    return job
  }

  #isCurrent({ job, next }: Entry): boolean {
    return job.next === next && !job.isPaused && !isBusy(job) && this.#options.isReady(job)
  }

  /** Keeps the heap within twice the number of jobs, however often they are paused and resumed. */
  #dropStale(): void {
    const seen = new Set<Job>()
    const current = this.#heap.filter((entry) => {
      if (!this.#isCurrent(entry) || seen.has(entry.job)) return false
      seen.add(entry.job)
      return true
    })
    this.#heap = current.sort((one, other) => one.next - other.next)
  }

  #removeTop(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink(0)
  }

  #rise(start: number): void {
    const heap = this.#heap
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if ((heap[parent] as Entry).next <= (heap[index] as Entry).next) return
      this.#swap(index, parent)
      index = parent
    }
  }

  #sink(start: number): void {
    const heap = this.#heap
    let index = start
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      let least = index
      for (const child of [left, right]) {
        const entry = heap[child]
        if (entry !== undefined && entry.next < (heap[least] as Entry).next) least = child
      }
      if (least === index) return
      this.#swap(index, least)
      index = least
    }
  }

  #swap(one: number, other: number): void {
    const entry = this.#heap[one] as Entry
    this.#heap[one] = this.#heap[other] as Entry
    this.#heap[other] = entry
  }
}
