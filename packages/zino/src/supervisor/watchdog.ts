// Finds services that hang: a service that does not answer two pings of 10 s each is killed, and its
// restart follows. A hung service is back within 30 s.
import type { Logger } from '@zee/core/log'
import { askService } from '../client/client.ts'

export interface WatchdogOptions {
  name: string
  socket: string
  log: Logger
  /** Whether the service is up; others are not pinged. */
  isUp(): boolean
  onHung(): void
  intervalMs?: number
  pingDeadlineMs?: number
}

const defaultIntervalMs = 2000
const defaultPingDeadlineMs = 10_000
const maxFailures = 2

export class Watchdog {
  readonly #options: WatchdogOptions
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: WatchdogOptions) {
    this.#options = options
    this.#schedule()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#isStopped) return
    const { intervalMs = defaultIntervalMs } = this.#options
    this.#timer = setTimeout(() => void this.#check(), intervalMs)
    this.#timer.unref()
  }

  async #check(): Promise<void> {
    const { name, log, isUp, onHung } = this.#options
    let failures = 0
    while (!this.#isStopped && isUp() && failures < maxFailures) {
      if (await this.#answers()) break
      failures += 1
    }
    if (failures === maxFailures && isUp() && !this.#isStopped) {
      log.error(`${name} does not answer: killing it`)
      onHung()
    }
    this.#schedule()
  }

  /** An unreachable socket counts as an answer: the service ended, and its restart is under way. */
  async #answers(): Promise<boolean> {
    const { pingDeadlineMs = defaultPingDeadlineMs } = this.#options
    const deadline = { deadlineMs: pingDeadlineMs }
    const startedMs = performance.now()
    try {
      await askService(this.#options.socket, { type: 'ping' }, deadline)
      return true
    } catch {
      return performance.now() - startedMs < pingDeadlineMs - 100
    }
  }
}
