// One job of the threads that search, as the thread that answers sees it: what came of each item, waited for
// in order, until it is done, too late or not needed any more.
import { ZeeError } from '@zee/core/errors'
import type { RequestTime } from '../../../engine.ts'
import type { WasmMemory } from '../../../wasm/wasm.ts'
import { wait } from '../../../steps.ts'
import type { Steps } from '../../../steps.ts'
import { Control, Item, itemWords } from '../area.ts'
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

/** Items that are waited for at once: few in the beginning, as somebody may need no more. */
const firstWait = 32
const longestWait = 2048

export class QueryRun {
  readonly #control: Int32Array
  readonly #job: QueryJob
  readonly #limits: RunLimits
  readonly #words: Int32Array
  #count = 0
  #ahead = firstWait
  #isLost = false
  #wake: (() => void) | undefined

  constructor(memory: WasmMemory, control: Int32Array, job: QueryJob, limits: RunLimits) {
    this.#control = control
    this.#job = job
    this.#limits = limits
    this.#words = new Int32Array(memory.buffer, job.items, job.room * itemWords)
  }

  /** Items that were added so far. */
  get count(): number {
    return this.#count
  }

  /** Adds a text to be searched. */
  add({ address, length, isAscii }: ItemText): void {
    const at = this.#count++ * itemWords
    this.#words[at + Item.address] = address
    this.#words[at + Item.length] = length * 2 + (isAscii ? 1 : 0)
    this.#words[at + Item.outcome] = 0
  }

  /** Lets the threads have what was added, in whole groups until there is no more to come. */
  publish(isComplete: boolean): void {
    const { group } = this.#job
    const ready = isComplete ? this.#count : this.#count - (this.#count % group)
    Atomics.store(this.#control, Control.ready, ready)
    if (isComplete) Atomics.store(this.#control, Control.complete, 1)
    Atomics.notify(this.#control, Control.ready)
  }

  /** 0 while an item is not done; see `Item`. */
  outcome(item: number): number {
    return Atomics.load(this.#words, item * itemWords + Item.outcome)
  }

  linesAt(item: number): number {
    return (this.#words[item * itemWords + Item.lines] as number) >>> 0
  }

  /** Waits until an item is done; all before it have been taken over. */
  *until(item: number): Steps<'done' | 'late' | 'lost'> {
    const { time, signal } = this.#limits
    Atomics.store(this.#control, Control.taken, item)
    Atomics.notify(this.#control, Control.taken)
    while (this.outcome(item) === 0) {
      if (signal?.aborted === true) throw new ZeeError('aborted', 'the request was cancelled')
      if (time.hasDeadline && time.remainingMs() <= 0) return 'late'
      if (this.#isLost) return 'lost'
      yield* this.#sleep(this.#waitFor(item))
      this.#ahead = Math.min(longestWait, this.#ahead * 2)
    }
    return 'done'
  }

  /** One further on, unless only this one is missing. */
  #waitFor(item: number): number {
    const wanted = Math.min(this.#count, item + this.#ahead)
    return this.outcome(wanted - 1) === 0 ? wanted : item + 1
  }

  wake(): void {
    this.#wake?.()
  }

  /** Nobody works on it any more. */
  lose(): void {
    this.#isLost = true
    this.wake()
  }

  /** Nothing more is needed. */
  stop(): void {
    Atomics.store(this.#control, Control.stop, 1)
    Atomics.notify(this.#control, Control.taken)
    Atomics.notify(this.#control, Control.ready)
  }

  /** Until the item before `wanted` is done, a thread has something to say, or time is up. */
  *#sleep(wanted: number): Steps<void> {
    Atomics.store(this.#control, Control.wanted, wanted)
    // Looked at again: it may have been done just before.
    if (this.outcome(wanted - 1) !== 0) return
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
