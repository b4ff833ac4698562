// Stores turns in mem, in the order of their ends within a channel, and tries again until mem answers. The
// queue survives a restart: a turn stays on disk until it is stored.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { askService, restartWaitMs } from '../../client/client.ts'
import { compareEnds, type Turn } from './turn.ts'

export interface StoreQueueOptions {
  socket: string
  log: Logger
  /** Called when a turn is stored. */
  onStored(turn: Turn): void
}

/** More unstored turns are refused: mem has been away for long. */
export const maxUnstored = 1000

const storeDeadlineMs = 5000
const firstRetryMs = 200
const maxRetryMs = 5000

export class StoreQueue {
  readonly #options: StoreQueueOptions
  readonly #channels = new Map<string, Turn[]>()
  readonly #storing = new Map<string, Promise<void>>()
  #retryMs = firstRetryMs
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: StoreQueueOptions) {
    this.#options = options
  }

  get turns(): Turn[] {
    return [...this.#channels.values()].flat()
  }

  /** Queues the turn and tries once; resolves to whether it is stored. */
  async store(turn: Turn): Promise<boolean> {
    const { channel } = turn.begin
    const queue = this.#channels.get(channel) ?? []
    if (!queue.includes(turn)) queue.push(turn)
    this.#channels.set(channel, queue)
    const wasRunning = this.#storing.has(channel)
    await this.#storeChannel(channel)
    // The running attempt may have begun before this turn was queued.
    if (wasRunning && queue[0] === turn) await this.#storeChannel(channel)
    return !queue.includes(turn)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #storeChannel(channel: string): Promise<void> {
    const running = this.#storing.get(channel)
    if (running !== undefined) return running
    const storing = this.#storeInOrder(channel).finally(() => this.#storing.delete(channel))
    this.#storing.set(channel, storing)
    return storing
  }

  async #storeInOrder(channel: string): Promise<void> {
    const queue = this.#channels.get(channel) ?? []
    while (queue.length > 0) {
      // A turn may end after others that were queued later.
      const [turn] = queue.sort(compareEnds) as [Turn]
      if (turn.wasCancelled) {
        queue.shift()
        continue
      }
      const content = turn.answer
      try {
        await this.#append(turn)
      } catch (error) {
        this.#options.log.warn(`turn ${turn.id} is not stored yet: ${reasonOf(error)}`)
        this.#retryLater()
        return
      }
      // The answer may have come while the message alone was being stored.
      if (turn.answer !== content) continue
      queue.shift()
      this.#retryMs = firstRetryMs
      this.#options.onStored(turn)
    }
    this.#channels.delete(channel)
  }

  async #append({ id, begin, answer, wasInterrupted }: Turn): Promise<void> {
    const messages = [{ role: 'user', content: begin.message, ts: begin.ts }]
    if (answer !== undefined) {
      messages.push({ role: 'assistant', content: answer.transcript, ts: answer.ts })
    }
    const channel_id = begin.channel
    const request = {
      type: 'append_history',
      channel_id,
      messages,
      turn: id,
      amend: wasInterrupted,
    }
    const reply = await askService(this.#options.socket, request, {
      deadlineMs: storeDeadlineMs,
      waitMs: restartWaitMs,
    })
    if (reply.type === 'ok') return
    throw new ZeeError('not_stored', String(reply.message ?? 'mem returned no ok'))
  }

  #retryLater(): void {
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      for (const channel of this.#channels.keys()) void this.#storeChannel(channel)
    }, this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs)
  }
}
