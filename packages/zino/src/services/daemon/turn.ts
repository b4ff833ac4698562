// One turn while daemon knows it. The work runs apart from the connections that follow it: a client may
// leave and come back. Text is kept, so that a client that comes back gets the whole answer.
import { ZeeError } from '@zee/core/errors'
import type { Message } from '../../wire/wire.ts'
import type { TurnAnswer, TurnBegin, TurnRecord } from './turn-record.ts'

export type TurnState =
  | 'running'
  /** Stopped without an answer; a client may resume it. */
  | 'interrupted'
  | 'answered'
  | 'failed'

export interface Follower {
  onText(delta: string): Promise<void>
  onEvent(event: Message): Promise<void>
}

export type TurnWork = (turn: Turn, signal: AbortSignal) => Promise<TurnAnswer>

/** Why the work of a turn is stopped. */
export const leftCode = 'left'
export const cancelledCode = 'cancelled'

export class Turn {
  readonly begin: TurnBegin
  /** Absent when the turn could not be recorded. */
  record: TurnRecord | undefined
  /** Resolves when the message is on the disk, or cannot be; text and events wait for it. */
  flushed: Promise<void> = Promise.resolve()
  state: TurnState = 'interrupted'
  answer: TurnAnswer | undefined
  failure: string | undefined
  /** RFC 3339. */
  failedAt: string | undefined
  isStored = false
  /** The message may have been stored before the answer. */
  wasInterrupted = false
  isDelivered = false
  /** The receipt is in the log of receipts. */
  isReceipted = false
  wasCancelled = false
  /** Resolves when the receipt is written that a crash or an error of the disk has delayed. */
  receipted: Promise<void> | undefined
  #text = ''
  readonly #followers = new Set<Follower>()
  #work: { done: Promise<TurnAnswer>; abort: AbortController } | undefined

  constructor(begin: TurnBegin, record?: TurnRecord) {
    this.begin = begin
    this.record = record
  }

  get id(): string {
    return this.begin.turn
  }

  /** When the turn was answered or failed, RFC 3339. */
  get endedAt(): string | undefined {
    return this.answer?.ts ?? this.failedAt
  }

  get hasText(): boolean {
    return this.#text !== ''
  }

  get followers(): number {
    return this.#followers.size
  }

  get isWorking(): boolean {
    return this.#work !== undefined
  }

  /** A cancelled turn leaves nothing in the history, and no client waits for its answer. */
  cancel(): void {
    this.wasCancelled = true
    this.isDelivered = true
    this.isStored = true
  }

  /** Resolves when no work is running. */
  get ended(): Promise<unknown> {
    return this.#work?.done.catch(() => {}) ?? Promise.resolve()
  }

  /** Starts the work, or joins the running one. */
  run(work: TurnWork): Promise<TurnAnswer> {
    if (this.#work !== undefined) return this.#work.done
    const abort = new AbortController()
    this.state = 'running'
    this.#text = ''
    const done = work(this, abort.signal).finally(() => {
      this.#work = undefined
    })
    this.#work = { done, abort }
    return done
  }

  /** Resolves when work that was stopped has ended. */
  async untilStopped(): Promise<void> {
    if (this.#work?.abort.signal.aborted === true) await this.#work.done.catch(() => {})
  }

  /** Stops the work; the turn can be resumed unless it is cancelled. */
  stop(code: typeof leftCode | typeof cancelledCode, reason: string): void {
    this.#work?.abort.abort(new ZeeError(code, reason))
  }

  /** Sends the text so far, then everything new; returns the function that ends it. */
  async follow(follower: Follower): Promise<() => void> {
    const missed = this.#text
    this.#followers.add(follower)
    if (missed !== '') await follower.onText(missed)
    return () => this.#followers.delete(follower)
  }

  async tellText(delta: string): Promise<void> {
    await this.flushed
    this.#text += delta
    await this.#tell((follower) => follower.onText(delta))
  }

  async tellEvent(event: Message): Promise<void> {
    await this.flushed
    await this.#tell((follower) => follower.onEvent(event))
  }

  /** Waits for every follower that reads; one that fails has left, which its connection reports. */
  async #tell(send: (follower: Follower) => Promise<void>): Promise<void> {
    const sends = [...this.#followers].map((follower) => send(follower).catch(() => {}))
    if (sends.length === 1) await sends[0]
    else await Promise.all(sends)
  }
}

/** The order of turns in a history: that of their ends; turns without an end follow. */
export function compareEnds(one: Turn, other: Turn): number {
  const [first, second] = [orderOf(one), orderOf(other)]
  return first === second ? 0 : first < second ? -1 : 1
}

function orderOf({ endedAt = '~', begin }: Turn): string {
  return `${endedAt} ${begin.ts}`
}
