// One thread that searches: takes items, a group at a time, until there are no more or nobody needs any.
import type { Kernel } from '../../kernel/kernel.ts'
import { reserve } from '../../kernel/shared-memory.ts'
import {
  Control,
  CONTROL_BYTES,
  ELSEWHERE,
  Item,
  ITEM_BYTES,
  ITEM_WORDS,
  LINE_BYTES,
  WORDS_PER_LINE,
} from './query-area.ts'
import type { QueryJob, QuerySetup } from './query-jobs.ts'
import { STUCK, TextSearches } from './text-search.ts'
import type { SearchedText, TextSearch } from './text-search.ts'

/** How long a thread sleeps before it looks whether it is still needed. */
const NAP_MS = 20

export class QueryThread {
  readonly #kernel: Kernel
  readonly #control: Int32Array
  readonly #searches: TextSearches
  readonly #tell: () => void
  readonly #linesBytes: number
  readonly #linesAt: number | undefined
  #next = 0
  #words: Int32Array = new Int32Array(0)

  /** `tell` wakes the thread that answers. */
  constructor(kernel: Kernel, setup: Omit<QuerySetup, 'memory' | 'module'>, tell: () => void) {
    this.#kernel = kernel
    this.#control = new Int32Array(kernel.memory.buffer, setup.control, CONTROL_BYTES / 4)
    this.#searches = new TextSearches(kernel, setup.tableBytes)
    this.#tell = tell
    this.#linesBytes = setup.linesBytes
    this.#linesAt = reserve(kernel.memory, setup.linesBytes)
  }

  run(job: QueryJob): void {
    const search = this.#searches.of(job.sought)
    const { buffer } = this.#kernel.memory
    this.#words = new Int32Array(buffer, job.items, (job.count * ITEM_BYTES) / 4)
    this.#next = 0
    while (!this.#isStopped) {
      const from = Atomics.add(this.#control, Control.next, 1) * job.group
      if (from >= job.count) return
      const to = Math.min(job.count, from + job.group)
      for (let item = from; item < to && !this.#isStopped; item++) {
        const outcome = search === undefined ? ELSEWHERE : this.#search(search, job, item)
        Atomics.store(this.#words, item * ITEM_WORDS + Item.outcome, outcome)
      }
      const wanted = Atomics.load(this.#control, Control.wanted)
      if (wanted > from && wanted <= to) this.#tell()
    }
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#control, Control.stop) !== 0
  }

  #search(search: TextSearch, job: QueryJob, item: number): number {
    const words = this.#words
    const at = item * ITEM_WORDS
    const address = (words[at + Item.address] as number) >>> 0
    const length = words[at + Item.length] as number
    const text = {
      ...{ address, end: address + (length >>> 1), isAscii: (length & 1) === 1 },
      ...{ from: address, line: 1 },
    }
    if (this.#linesAt === undefined) return ELSEWHERE
    if (job.counts) return this.#count(search, text, job.limit)
    for (;;) {
      const room = Math.floor((this.#linesBytes - this.#next) / LINE_BYTES)
      const most = Math.min(job.limit, room)
      const into = this.#linesAt + this.#next
      const count = search.lines(text, into, most)
      if (count === STUCK) return ELSEWHERE
      if (count < most || most === job.limit) {
        words[at + Item.lines] = into
        this.#next += count * LINE_BYTES
        return count + 1
      }
      if (this.#next === 0 || !this.#waitUntilTaken(item)) return ELSEWHERE
      this.#next = 0
    }
  }

  /** Counts lines without keeping them. */
  #count(search: TextSearch, text: SearchedText, limit: number): number {
    const linesAt = this.#linesAt as number
    let sum = 0
    for (const most = Math.floor(this.#linesBytes / LINE_BYTES); sum < limit;) {
      const count = search.lines(text, linesAt, Math.min(most, limit - sum))
      if (count === STUCK) return ELSEWHERE
      sum += count
      if (count < most || this.#isStopped) break
      const last = linesAt + (count - 1) * LINE_BYTES
      const words = new Uint32Array(this.#kernel.memory.buffer, last, WORDS_PER_LINE)
      text.line = words[0] as number
      text.from = text.address + (words[2] as number)
    }
    return sum + 1
  }

  /** Until all that was found before an item has been taken over; false when nobody needs more. */
  #waitUntilTaken(item: number): boolean {
    for (;;) {
      const taken = Atomics.load(this.#control, Control.taken)
      if (taken >= item) return true
      if (this.#isStopped) return false
      this.#tell()
      Atomics.wait(this.#control, Control.taken, taken, NAP_MS)
    }
  }
}
