// Answers without a client: a turn that a crash interrupted goes on by itself. When no client comes for its
// answer within a minute, the answer goes to the inbox.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { ServiceContext } from '../../service/service.ts'
import type { Turn } from './turn.ts'

export interface OrphansOptions {
  context: Pick<ServiceContext, 'config' | 'log'>
  /** Called when the inbox has the answer. */
  onDelivered(turn: Turn): void
  /** Time for a client to come back; clients of zino do so within seconds. */
  graceMs?: number
}

const defaultGraceMs = 60_000

export class Orphans {
  readonly #options: OrphansOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #deliveries = new Map<Turn, Promise<void>>()

  constructor(options: OrphansOptions) {
    this.#options = options
  }

  /** For a turn that has ended and had no client when its work began. */
  watch(turn: Turn): void {
    const { graceMs = defaultGraceMs } = this.#options
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const delivery = this.#deliver(turn).finally(() => this.#deliveries.delete(turn))
      this.#deliveries.set(turn, delivery)
    }, graceMs)
    this.#timers.add(timer.unref())
  }

  /** Resolves when no delivery of the turn is under way. */
  async settled(turn: Turn): Promise<void> {
    await this.#deliveries.get(turn)
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  async #deliver(turn: Turn): Promise<void> {
    const { context, onDelivered } = this.#options
    const { config, log } = context
    const { begin, answer, failure } = turn
    if (turn.isDelivered || turn.followers > 0 || config.tmr.enabled === false) return
    try {
      // The client of tmr is loaded only for this.
      const { askTimerService } = await import('../../timers/timers.ts')
      const reply = await askTimerService(config, {
        ...{ type: 'add_inbox', turn: turn.id, channel_id: begin.channel, prompt: begin.message },
        ...{ ts: begin.ts, text: answer?.text ?? '', error: failure },
        truncated: answer?.truncated === true,
      })
      if (reply.type !== 'ok') throw new ZeeError('inbox', String(reply.message))
    } catch (error) {
      log.warn(`the answer of turn ${turn.id} waits for its client: ${reasonOf(error)}`)
      return
    }
    log.info(`the answer of turn ${turn.id} is in the inbox`)
    onDelivered(turn)
  }
}
