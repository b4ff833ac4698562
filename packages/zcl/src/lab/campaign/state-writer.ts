// Writes the state file of a campaign: after each mission, at the end, and at every heartbeat while
// attempts run, so that readers can tell a long attempt from a dead campaign.
import { rfc3339, type Clock } from '@zee/core/clock'
import type { ErrorCode } from '../../codes/codes.ts'
import { campaignFile, writeCampaignFile, type CampaignState } from './state.ts'

export interface StateWriterOptions {
  /** The campaign folder. */
  folder: string
  campaignId: string
  startedAt: string
  missionsTotal: number
  /** `timeouts.watchdogHeartbeatMs`; undefined disables heartbeats. */
  heartbeatMs: number | undefined
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

export class StateWriter {
  readonly #options: StateWriterOptions
  readonly #running = new Set<Running>()
  #timer: NodeJS.Timeout | undefined
  #written: Promise<unknown> = Promise.resolve()
  missionsDone = 0

  constructor(options: StateWriterOptions) {
    this.#options = options
    if (options.heartbeatMs !== undefined)
      this.#timer = setInterval(() => this.#writeHeartbeat(), options.heartbeatMs)
  }

  /** Marks an attempt as running until the returned function is called. */
  attemptStarted(flowId: string, missionId: string): () => void {
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

  /** Best effort: a failed heartbeat does not stop the campaign; the next `save` reports the error. */
  #writeHeartbeat(): void {
    if (this.#running.size === 0) return
    const heartbeat = {
      heartbeatAt: rfc3339(this.#options.clock.now()),
      running: [...this.#running],
    }
    this.#write({ ...this.#state('running'), ...heartbeat }).catch(() => undefined)
  }

  #write(state: CampaignState): Promise<void> {
    const { folder } = this.#options
    const next = () => writeCampaignFile(folder, campaignFile.state, state)
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
      code,
      message,
    }
  }
}
