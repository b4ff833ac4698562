// Where a campaign stands, in one file that is written in order: after each mission, at the end, and at
// every beat of the watchdog while attempts run, so that others can tell a long attempt from a dead one.
import { rfc3339, type Clock } from '@zee/core/clock'
import type { ErrorCode } from '../../codes/codes.ts'
import { campaignFile, writeOwn, type CampaignState } from './state.ts'

export interface PulseOptions {
  /** Of the campaign. */
  folder: string
  campaignId: string
  startedAt: string
  missionsTotal: number
  /** `timeouts.watchdogHeartbeatMs`; without it there are no beats. */
  beatMs: number | undefined
  clock: Clock
  /** The clock that dates artifacts. */
  now: () => Date
}

export interface Running {
  flowId: string
  missionId: string
  /** RFC 3339. */
  since: string
}

export class CampaignPulse {
  readonly #options: PulseOptions
  readonly #running = new Set<Running>()
  #timer: NodeJS.Timeout | undefined
  #written: Promise<unknown> = Promise.resolve()
  missionsDone = 0

  constructor(options: PulseOptions) {
    this.#options = options
    if (options.beatMs !== undefined) this.#timer = setInterval(() => this.#beat(), options.beatMs)
  }

  /** An attempt runs until the function that this gives back is called. */
  begin(flowId: string, missionId: string): () => void {
    const running = { flowId, missionId, since: rfc3339(this.#options.clock.now()) }
    this.#running.add(running)
    return () => this.#running.delete(running)
  }

  async save(
    status: CampaignState['status'],
    code?: ErrorCode,
    message?: string,
  ): Promise<CampaignState> {
    const state = this.#state(status, code, message)
    await this.#write(state)
    return state
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A beat that cannot be written is no reason to end; the next real step will say so. */
  #beat(): void {
    if (this.#running.size === 0) return
    const beat = {
      heartbeatAt: rfc3339(this.#options.clock.now()),
      running: [...this.#running],
    }
    this.#write({ ...this.#state('running'), ...beat }).catch(() => undefined)
  }

  #write(state: CampaignState): Promise<void> {
    const { folder } = this.#options
    const next = () => writeOwn(folder, campaignFile.state, state)
    const written = this.#written.then(next, next)
    this.#written = written
    return written
  }

  #state(status: CampaignState['status'], code?: ErrorCode, message?: string): CampaignState {
    const { campaignId, startedAt, missionsTotal, now } = this.#options
    return {
      schemaVersion: 1,
      campaignId,
      status,
      startedAt,
      updatedAt: rfc3339(now()),
      missionsTotal,
      missionsDone: this.missionsDone,
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
    }
  }
}
