// One background command: its process group, its latest output and its end.
import { decodeUtf8 } from '@zee/core/bounded'
import { maxTimerMs } from '@zee/core/clock'
import type { ProcessResult, SignalTarget } from '@zee/core/process'

/** Output that the model has not read; older output is dropped and counted. */
const maxOutputBytes = 1024 * 1024
/** Output of one result. */
const maxReadBytes = 50 * 1024

export class Job {
  readonly id: string
  readonly command: string
  readonly #stop = new AbortController()
  #ended: Promise<ProcessResult> | undefined
  #result: ProcessResult | undefined
  #output = Buffer.alloc(0)
  #droppedBytes = 0

  constructor(id: string, command: string) {
    this.id = id
    this.command = command
  }

  /** Resolves when the command runs or has failed to start. */
  async start(root: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
    const { runProcess } = await import('@zee/core/process')
    let onStarted = () => {}
    const started = new Promise<void>((resolve) => (onStarted = resolve))
    this.#ended = runProcess({
      command: 'sh',
      args: ['-c', this.command],
      cwd: root,
      env: { ...env },
      isMarked: true,
      stdin: 'null',
      captureBytes: 0,
      signal: this.#stop.signal,
      onOutput: (_stream, chunk) => this.#add(chunk),
      onStart: (child) => {
        killAtExit(child)
        onStarted()
      },
    })
    void this.#ended.then((result) => {
      this.#result = result
      onStarted()
    })
    await started
  }

  state(): Record<string, unknown> {
    const result = this.#result
    if (result === undefined) return { state: 'running' }
    if (result.error !== undefined) return { state: 'failed', error: result.error }
    return { state: 'ended', exit_code: result.exitCode ?? -1 }
  }

  /** The output since the last call, at most 50 KiB. */
  takeOutput(): Record<string, unknown> {
    const taken = this.#output.subarray(0, maxReadBytes)
    this.#output = this.#output.subarray(taken.length)
    const dropped = this.#droppedBytes
    this.#droppedBytes = 0
    return {
      output: decodeUtf8(taken),
      ...(dropped === 0 ? {} : { dropped_bytes: dropped }),
      ...(this.#output.length === 0 ? {} : { more_bytes: this.#output.length }),
    }
  }

  /** Waits for the end of the command, at most `seconds`. */
  async wait(signal: AbortSignal, seconds: number | undefined): Promise<void> {
    let stopWaiting = () => {}
    const stopped = new Promise<void>((resolve) => (stopWaiting = resolve))
    const timer =
      seconds === undefined
        ? undefined
        : setTimeout(stopWaiting, Math.min(Math.max(0, seconds) * 1000, maxTimerMs))
    signal.addEventListener('abort', stopWaiting)
    try {
      await Promise.race([this.#ended, stopped])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stopWaiting)
    }
    signal.throwIfAborted()
  }

  /** Ends the command and every process that it started. */
  async end(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  #add(chunk: Buffer): void {
    const all = Buffer.concat([this.#output, chunk])
    const excess = Math.max(0, all.length - maxOutputBytes)
    this.#droppedBytes += excess
    this.#output = all.subarray(excess)
  }
}

/** Running commands. An exit handler cannot wait, so it kills them without a grace period. */
const running = new Set<SignalTarget>()
let isWatched = false

function killAtExit(child: SignalTarget): void {
  running.add(child)
  if (isWatched) return
  isWatched = true
  process.once('exit', () => {
    for (const each of running) each.kill('SIGKILL')
  })
}
