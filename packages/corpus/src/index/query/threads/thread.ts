// A query thread: claims groups of items and searches them, until there are no more or the job is stopped.
import type { MessagePort } from 'node:worker_threads'
import { createKernel, reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Control, controlBytes, notSearched, Item, itemWords } from '../layout.ts'
import { lineBytes, wordsPerLine } from '../../../kernel-search/kernel-search.ts'
import type { QueryJob, ThreadMessage, QuerySetup } from './jobs.ts'
import { stuck, TextSearches } from './text-search.ts'
import type { SearchedText, TextSearch } from './text-search.ts'

/** Lines between two checks whether the job is stopped. */
const maxLinesPerCall = 4096
/** Sleep between two checks whether the job is stopped. */
const napMs = 20

/** Runs the jobs that arrive at a port, and reports progress and the end of each. */
export function serveQueries(port: MessagePort, { memory, module, ...setup }: QuerySetup): void {
  const send = (message: ThreadMessage): void => port.postMessage(message)
  const thread = new QueryThread(createKernel(memory, module), setup, () => send('progress'))
  port.on('message', (job: QueryJob) => {
    thread.run(job)
    send('idle')
  })
  send('idle')
}

class QueryThread {
  readonly #kernel: Kernel
  readonly #control: Int32Array
  readonly #searches: TextSearches
  readonly #wakeMain: () => void
  /** Memory for lines; without an address, the thread searches nothing. */
  readonly #linesBytes: number
  readonly #linesAt: number | undefined
  /** Offset of the free memory for lines. */
  #linesUsed = 0
  #words: Int32Array = new Int32Array(0)

  constructor(kernel: Kernel, setup: Omit<QuerySetup, 'memory' | 'module'>, wakeMain: () => void) {
    this.#kernel = kernel
    this.#control = new Int32Array(kernel.memory.buffer, setup.control, controlBytes / 4)
    this.#searches = new TextSearches(kernel, setup.tableBytes)
    this.#wakeMain = wakeMain
    this.#linesBytes = setup.linesBytes
    this.#linesAt = reserve(kernel.memory, setup.linesBytes)
  }

  run(job: QueryJob): void {
    const search = this.#searches.searchFor(job.pattern)
    const { buffer } = this.#kernel.memory
    this.#words = new Int32Array(buffer, job.items, job.maxItems * itemWords)
    this.#linesUsed = 0
    while (!this.#isStopped()) {
      const from = Atomics.add(this.#control, Control.next, 1) * job.group
      const to = Math.min(this.#waitForItems(from + job.group), from + job.group)
      if (from >= to) return
      for (let item = from; item < to && !this.#isStopped(); item++) {
        const outcome = search === undefined ? notSearched : this.#search(search, job, item)
        Atomics.store(this.#words, item * itemWords + Item.outcome, outcome)
      }
      const awaited = Atomics.load(this.#control, Control.awaited)
      if (awaited > from && awaited <= to) this.#wakeMain()
    }
  }

  /** Waits until at least `items` are published, or all of them. Returns how many are. */
  #waitForItems(items: number): number {
    for (;;) {
      // In this order: once `complete` is set, `ready` does not change.
      const isComplete = Atomics.load(this.#control, Control.complete) !== 0
      const ready = Atomics.load(this.#control, Control.ready)
      if (ready >= items || isComplete || this.#isStopped()) return ready
      this.#wakeMain()
      Atomics.wait(this.#control, Control.ready, ready, napMs)
    }
  }

  #isStopped(): boolean {
    return Atomics.load(this.#control, Control.stop) !== 0
  }

  /** Searches the text of an item and returns its outcome. */
  #search(search: TextSearch, job: QueryJob, item: number): number {
    const itemAt = item * itemWords
    const text = this.#itemText(itemAt)
    if (this.#linesAt === undefined) return notSearched
    let first = job.countsOnly ? this.#linesAt : this.#linesAt + this.#linesUsed
    let found = 0
    for (;;) {
      const into = job.countsOnly ? first : first + found * lineBytes
      const room = Math.floor((this.#linesAt + this.#linesBytes - into) / lineBytes)
      const maxLines = Math.min(job.limit - found, room, maxLinesPerCall)
      const count = maxLines === 0 ? 0 : search.lines(text, into, maxLines)
      if (count === stuck || this.#isStopped()) return notSearched
      found += count
      if (found === job.limit || count < maxLines) break
      if (count > 0) this.#continueAfter(text, into + (count - 1) * lineBytes)
      if (room > count || job.countsOnly) continue
      // The memory is full: once it is free, this text is searched again from its start.
      if (first === this.#linesAt || !this.#waitUntilCollected(item)) return notSearched
      first = this.#linesAt
      found = 0
      Object.assign(text, this.#itemText(itemAt))
    }
    this.#words[itemAt + Item.lines] = first
    if (!job.countsOnly) this.#linesUsed = first - this.#linesAt + found * lineBytes
    return found + 1
  }

  #itemText(itemAt: number): SearchedText {
    const address = (this.#words[itemAt + Item.address] as number) >>> 0
    const length = this.#words[itemAt + Item.length] as number
    const end = address + (length >>> 1)
    return { address, end, isAscii: (length & 1) === 1, from: address, line: 1 }
  }

  /** Lets the search continue after the line at an address. */
  #continueAfter(text: SearchedText, lineAt: number): void {
    const words = new Uint32Array(this.#kernel.memory.buffer, lineAt, wordsPerLine)
    text.line = words[0] as number
    text.from = text.address + (words[2] as number)
  }

  /** Waits until the main thread has collected all items before `item`; false if the job is stopped. */
  #waitUntilCollected(item: number): boolean {
    for (;;) {
      const collected = Atomics.load(this.#control, Control.collected)
      if (collected >= item) return true
      if (this.#isStopped()) return false
      this.#wakeMain()
      Atomics.wait(this.#control, Control.collected, collected, napMs)
    }
  }
}
