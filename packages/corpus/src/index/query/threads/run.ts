// The main thread's side of one job: it publishes items, waits for their outcomes in order, and stops the job.
import { ZeeError } from '@zee/core/errors'
import type { RequestTime } from '../../../engine.ts'
import type { WasmMemory } from '../../../wasm/wasm.ts'
import { wait } from '../../../steps.ts'
import type { Steps } from '../../../steps.ts'
import { Control, Item, itemWords } from '../layout.ts'
import type { QueryJob } from './jobs.ts'

export interface RunLimits {
  time: RequestTime
  signal: AbortSignal | undefined
}

export interface ItemText {
  address: number
  length: number
  isAscii: boolean
}

/** Items per wait: few at first, because the search may need no more, then twice as many each time. */
const firstWaitItems = 32
const maxWaitItems = 2048

export class QueryRun {
  readonly #control: Int32Array
  readonly #job: QueryJob
  readonly #limits: RunLimits
  readonly #words: Int32Array
  #count = 0
  #waitItems = firstWaitItems
  #isLost = false
  #wake: (() => void) | undefined

  constructor(memory: WasmMemory, control: Int32Array, job: QueryJob, limits: RunLimits) {
    this.#control = control
    this.#job = job
    this.#limits = limits
    this.#words = new Int32Array(memory.buffer, job.items, job.maxItems * itemWords)
  }

  /** Items added so far. */
  get count(): number {
    return this.#count
  }

  /** Adds a text to search; `publish` makes it visible to the threads. */
  add({ address, length, isAscii }: ItemText): void {
    const at = this.#count++ * itemWords
    this.#words[at + Item.address] = address
    this.#words[at + Item.length] = length * 2 + (isAscii ? 1 : 0)
    this.#words[at + Item.outcome] = 0
  }

  /** Publishes the added items, in complete groups unless these are the last ones. */
  publish(isComplete: boolean): void {
    const { group } = this.#job
    const ready = isComplete ? this.#count : this.#count - (this.#count % group)
    Atomics.store(this.#control, Control.ready, ready)
    if (isComplete) Atomics.store(this.#control, Control.complete, 1)
    Atomics.notify(this.#control, Control.ready)
  }

  /** See `Item.outcome`. */
  outcome(item: number): number {
    return Atomics.load(this.#words, item * itemWords + Item.outcome)
  }

  /** Address of the lines of an item. */
  linesAt(item: number): number {
    return (this.#words[item * itemWords + Item.lines] as number) >>> 0
  }

  /** Waits until an item is done. The caller has collected all items before it. */
  *waitFor(item: number): Steps<'done' | 'expired' | 'lost'> {
    const { time, signal } = this.#limits
    Atomics.store(this.#control, Control.collected, item)
    Atomics.notify(this.#control, Control.collected)
    while (this.outcome(item) === 0) {
      if (signal?.aborted === true) throw new ZeeError('aborted', 'the request was cancelled')
      if (time.hasDeadline && time.remainingMs() <= 0) return 'expired'
      if (this.#isLost) return 'lost'
      yield* this.#sleep(this.#awaitedItems(item))
      this.#waitItems = Math.min(maxWaitItems, this.#waitItems * 2)
    }
    return 'done'
  }

  /** The number of items to wait for: several more than `item`, unless the last of them is done already. */
  #awaitedItems(item: number): number {
    const items = Math.min(this.#count, item + this.#waitItems)
    return this.outcome(items - 1) === 0 ? items : item + 1
  }

  /** Lets a waiting main thread check the outcomes again. */
  wake(): void {
    this.#wake?.()
  }

  /** The threads are gone. */
  lose(): void {
    this.#isLost = true
    this.wake()
  }

  /** Ends the job: threads stop after the current text at the latest. */
  stop(): void {
    Atomics.store(this.#control, Control.stop, 1)
    Atomics.notify(this.#control, Control.collected)
    Atomics.notify(this.#control, Control.ready)
  }

  /** Sleeps until the last of `items` is done, a thread sends a message, or the deadline passes. */
  *#sleep(items: number): Steps<void> {
    Atomics.store(this.#control, Control.awaited, items)
    // Checked again: a thread that finished it before the store sends no message.
    if (this.outcome(items - 1) !== 0) return
    const { time, signal } = this.#limits
    yield* wait(
      new Promise<void>((resolve) => {
        const ms = time.remainingMs()
        const timer = ms === Infinity ? undefined : setTimeout(() => wake(), Math.max(0, ms))
        const wake = (): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', wake)
          this.#wake = undefined
          resolve()
        }
        this.#wake = wake
        signal?.addEventListener('abort', wake)
        if (this.#isLost || signal?.aborted === true) wake()
      }),
    )
  }
}
