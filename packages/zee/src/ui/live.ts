// Tells open dashboards by server-sent events that rows changed. Records are looked at only while a
// dashboard is open.
import type { ServerResponse } from 'node:http'
import type { Records } from './records/records.ts'

const refreshMs = 1000
/** A look at many records takes longer; the pause follows it. */
const pauseFactor = 10
const noticeMs = 250
/** While many records are read, notices are rarer. */
const busyNoticeMs = 2000
const fewPending = 50

export class Live {
  readonly #records: Records
  readonly #listeners = new Set<ServerResponse>()
  #timer: NodeJS.Timeout | undefined
  #notices: NodeJS.Timeout | undefined
  #told = 0
  #toldMs = -Infinity
  #isClosed = false

  constructor(records: Records) {
    this.#records = records
  }

  add(response: ServerResponse): void {
    this.#listeners.add(response)
    response.on('close', () => {
      this.#listeners.delete(response)
      if (this.#listeners.size === 0) this.#stop()
    })
    response.write(`retry: 1000\nevent: hello\ndata: ${this.#records.version}\n\n`)
    this.#notices ??= setInterval(() => this.#tell(), noticeMs)
    this.#timer ??= setTimeout(() => void this.#loop(), 0)
  }

  /** Looks for changes and tells the listeners. */
  async refresh(): Promise<void> {
    try {
      await this.#records.refresh()
    } catch {
      // A folder that cannot be read now may be readable at the next look.
    }
    this.#tell()
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
    for (const listener of this.#listeners) listener.end()
  }

  async #loop(): Promise<void> {
    const startMs = performance.now()
    await this.refresh()
    if (this.#listeners.size === 0 || this.#isClosed) return
    const pauseMs = Math.max(refreshMs, (performance.now() - startMs) * pauseFactor)
    this.#timer = setTimeout(() => void this.#loop(), Math.min(pauseMs, 30_000))
  }

  #tell(): void {
    const { version, pending } = this.#records
    if (version === this.#told) return
    // Every notice makes the dashboard sort and draw its rows again.
    const nowMs = performance.now()
    if (pending > fewPending && nowMs - this.#toldMs < busyNoticeMs) return
    this.#told = version
    this.#toldMs = nowMs
    for (const listener of this.#listeners) {
      listener.write(`event: change\ndata: ${version}\n\n`)
    }
  }

  #stop(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#notices)
    this.#timer = undefined
    this.#notices = undefined
  }
}
