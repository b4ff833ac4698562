// One thread that searches: takes items, a group at a time, until there are no more or nobody needs any.
import type { MessagePort } from 'node:worker_threads'
import { createKernel, reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import {
  Control,
  controlBytes,
  elsewhere,
  Item,
  itemWords,
  lineBytes,
  wordsPerLine,
} from '../area.ts'
import type { QueryJob, QueryNews, QuerySetup } from './jobs.ts'
import { stuck, TextSearches } from './text-search.ts'
import type { SearchedText, TextSearch } from './text-search.ts'

/** Lines that are found before a thread looks whether it is still needed. */
const linesAtOnce = 4096
/** How long a thread sleeps before it looks whether it is still needed. */
const napMs = 20

/** Lets the thread that answers know when there is something to take over, and when it is done. */
export function serveQueries(port: MessagePort, { memory, module, ...setup }: QuerySetup): void {
  const tell = (news: QueryNews): void => port.postMessage(news)
  const thread = new QueryThread(createKernel(memory, module), setup, () => tell('news'))
  port.on('message', (job: QueryJob) => {
    thread.run(job)
    tell('left')
  })
  tell('left')
}

class QueryThread {
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
    this.#control = new Int32Array(kernel.memory.buffer, setup.control, controlBytes / 4)
    this.#searches = new TextSearches(kernel, setup.tableBytes)
    this.#tell = tell
    this.#linesBytes = setup.linesBytes
    this.#linesAt = reserve(kernel.memory, setup.linesBytes)
  }

  run(job: QueryJob): void {
    const search = this.#searches.of(job.sought)
    const { buffer } = this.#kernel.memory
    this.#words = new Int32Array(buffer, job.items, job.room * itemWords)
    this.#next = 0
    while (!this.#isStopped()) {
      const from = Atomics.add(this.#control, Control.next, 1) * job.group
      const to = Math.min(this.#readyFor(from + job.group), from + job.group)
      if (from >= to) return
      for (let item = from; item < to && !this.#isStopped(); item++) {
        const outcome = search === undefined ? elsewhere : this.#search(search, job, item)
        Atomics.store(this.#words, item * itemWords + Item.outcome, outcome)
      }
      const wanted = Atomics.load(this.#control, Control.wanted)
      if (wanted > from && wanted <= to) this.#tell()
    }
  }

  /** Waits until so many items are there, or there are no more; gives how many there are. */
  #readyFor(items: number): number {
    for (;;) {
      // In this order: what is complete does not grow any more.
      const isComplete = Atomics.load(this.#control, Control.complete) !== 0
      const ready = Atomics.load(this.#control, Control.ready)
      if (ready >= items || isComplete || this.#isStopped()) return ready
      this.#tell()
      Atomics.wait(this.#control, Control.ready, ready, napMs)
    }
  }

  #isStopped(): boolean {
    return Atomics.load(this.#control, Control.stop) !== 0
  }

  #search(search: TextSearch, job: QueryJob, item: number): number {
    const at = item * itemWords
    const text = this.#textOf(at)
    if (this.#linesAt === undefined) return elsewhere
    let first = job.counts ? this.#linesAt : this.#linesAt + this.#next
    let found = 0
    for (;;) {
      const into = job.counts ? first : first + found * lineBytes
      const room = Math.floor((this.#linesAt + this.#linesBytes - into) / lineBytes)
      const most = Math.min(job.limit - found, room, linesAtOnce)
      const count = most === 0 ? 0 : search.lines(text, into, most)
      if (count === stuck || this.#isStopped()) return elsewhere
      found += count
      if (found === job.limit || count < most) break
      if (count > 0) this.#goOn(text, into + (count - 1) * lineBytes)
      if (room > count || job.counts) continue
      // What this file has so far is found again once there is room for more.
      if (first === this.#linesAt || !this.#waitUntilTaken(item)) return elsewhere
      first = this.#linesAt
      found = 0
      Object.assign(text, this.#textOf(at))
    }
    this.#words[at + Item.lines] = first
    if (!job.counts) this.#next = first - this.#linesAt + found * lineBytes
    return found + 1
  }

  #textOf(at: number): SearchedText {
    const address = (this.#words[at + Item.address] as number) >>> 0
    const length = this.#words[at + Item.length] as number
    const end = address + (length >>> 1)
    return { address, end, isAscii: (length & 1) === 1, from: address, line: 1 }
  }

  /** From behind the line that was found last. */
  #goOn(text: SearchedText, last: number): void {
    const words = new Uint32Array(this.#kernel.memory.buffer, last, wordsPerLine)
    text.line = words[0] as number
    text.from = text.address + (words[2] as number)
  }

  /** Until all that was found before an item has been taken over; false when nobody needs more. */
  #waitUntilTaken(item: number): boolean {
    for (;;) {
      const taken = Atomics.load(this.#control, Control.taken)
      if (taken >= item) return true
      if (this.#isStopped()) return false
      this.#tell()
      Atomics.wait(this.#control, Control.taken, taken, napMs)
    }
  }
}
