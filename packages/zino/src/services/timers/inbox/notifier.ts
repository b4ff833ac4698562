// Runs the command of `[inbox] notify`, one at a time, with the text on stdin. A command that hangs is
// ended; one that fails is a warning in the log. The inbox holds the text in any case.
import { oneLine } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'

export interface NotifierOptions {
  /** A line for sh; empty: no notification. */
  command: string
  timeoutSeconds: number
  env: Readonly<Record<string, string | undefined>>
  log: Logger
  signal: AbortSignal
}

/** More waiting notifications are skipped, with a warning. */
const maxWaiting = 100

export class Notifier {
  readonly #options: NotifierOptions
  readonly #waiting: string[] = []
  #isRunning = false

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  notify(text: string): void {
    const { command, log } = this.#options
    if (command === '') return
    if (this.#waiting.length >= maxWaiting) {
      log.warn(`a notification is skipped: ${maxWaiting} are waiting`)
      return
    }
    this.#waiting.push(text)
    if (!this.#isRunning) void this.#runAll()
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      if (!this.#options.signal.aborted) await this.#run(text)
    }
    this.#isRunning = false
  }

  async #run(text: string): Promise<void> {
    const { command, timeoutSeconds, env, log, signal } = this.#options
    const { runProcess } = await import('@zee/core/process')
    const result = await runProcess({
      command: '/bin/sh',
      args: ['-c', command],
      env: { ...env },
      stdin: Buffer.from(text),
      captureBytes: 4096,
      deadlineMs: timeoutSeconds * 1000,
      drainMs: 200,
      signal,
    })
    if (result.outcome === 'exited' && result.exitCode === 0 && !result.timedOut) return
    const why = result.timedOut
      ? `it took longer than ${timeoutSeconds} s`
      : result.outcome === 'exited'
        ? `exit code ${result.exitCode}`
        : (result.error ?? `killed by ${result.signal}`)
    const said = oneLine(result.stderr.text().trim())
    log.warn(`[inbox] notify failed: ${why}${said === '' ? '' : `: ${said}`}`)
  }
}
