// Runs a child until it exits: deadline, abort, bounded capture, passthrough, one result value.
import { maxTimerMs, systemClock } from '../clock/clock.ts'
import { drain } from './drain.ts'
import { launch, type Launched } from './launch.ts'
import type { PipeEnd } from './output-source.ts'
import { ChildOutput } from './output.ts'
import { PipeWriter } from './passthrough.ts'
import type { OutputName, ProcessEnd, ProcessResult, ProcessSpec } from './types.ts'

const defaultCaptureBytes = 1_048_576
const defaultKillGraceMs = 100
const defaultDrainMs = 500
/** Most commands exit within this time; their output is then read without the event loop (ADR 15). */
const listenDelayMs = 8

/** Runs a command to its end. Rejects only if a callback of the caller fails. */
export async function runProcess(spec: ProcessSpec): Promise<ProcessResult> {
  const startedAt = systemClock.monotonicMs()
  const timedOut = spec.deadlineMs !== undefined && spec.deadlineMs <= 0
  const aborted = spec.signal?.aborted === true
  if (timedOut || aborted) return resultWithoutChild(notStarted(timedOut), timedOut, aborted)
  const stdin = spec.stdin instanceof Uint8Array ? 'pipe' : (spec.stdin ?? 'null')
  const launched = await launch({ ...spec, stdio: [stdin, 'pipe', 'pipe'] })
  if (launched.failure !== undefined) return resultWithoutChild(launched.failure, false, false)
  return new Run(spec, launched).untilEnd(startedAt)
}

class Run {
  readonly #spec: ProcessSpec
  readonly #launched: Launched
  readonly #stdout: ChildOutput
  readonly #stderr: ChildOutput
  #timedOut = false
  #aborted = false
  #exit: ProcessEnd | undefined
  /** Signals that the caller passed on to the child. */
  readonly #forwarded = new Set<NodeJS.Signals>()
  #isUrgent = false
  #stopped: Promise<void> | undefined
  #callbackError: { error: unknown } | undefined

  constructor(spec: ProcessSpec, launched: Launched) {
    this.#spec = spec
    this.#launched = launched
    this.#stdout = this.#openOutput('stdout', launched.ends[1])
    this.#stderr = this.#openOutput('stderr', launched.ends[2])
  }

  async untilEnd(startedAt: number): Promise<ProcessResult> {
    const spec = this.#spec
    const closeStdin = feedStdin(spec.stdin, this.#launched.ends[0])
    const onAbort = (): void => this.#abort()
    spec.signal?.addEventListener('abort', onAbort)
    if (spec.signal?.aborted) this.#abort()
    const timer = this.#startDeadline(startedAt)
    const readingTimer = setTimeout(() => this.#startReading(), listenDelayMs)
    try {
      this.#notifyStart()
      const end = await this.#launched.exited
      this.#exit = end
      this.#stdout.source.readRemaining()
      this.#stderr.source.readRemaining()
      if (this.#forwarded.size > 0) this.#stopWhatObeyed(end)
      await this.#drain()
      await this.#stopped
    } finally {
      clearTimeout(timer)
      clearTimeout(readingTimer)
      spec.signal?.removeEventListener('abort', onAbort)
      closeStdin()
    }
    return this.#result()
  }

  #openOutput(name: OutputName, end: PipeEnd | undefined): ChildOutput {
    const { passthrough = false, captureBytes, tailBytes, onOutput } = this.#spec
    const plan = {
      name,
      passthrough: passthrough === true || passthrough === name,
      captureBytes: captureBytes ?? defaultCaptureBytes,
      tailBytes: tailBytes ?? 0,
      onOutput,
      onCallbackError: (error: unknown) => this.#failCallback(error),
    }
    return new ChildOutput(plan, end as PipeEnd)
  }

  #startReading(): void {
    this.#stdout.source.listen()
    this.#stderr.source.listen()
  }

  #startDeadline(startedAt: number): NodeJS.Timeout | undefined {
    const { deadlineMs } = this.#spec
    if (deadlineMs === undefined || deadlineMs > maxTimerMs) return undefined
    const left = deadlineMs - (systemClock.monotonicMs() - startedAt)
    return setTimeout(() => this.#expire(), Math.max(left, 0))
  }

  #expire(): void {
    if (this.#exit === undefined) {
      this.#timedOut = true
      this.#stop()
      return
    }
    // The child exited in time, so only a stalled reader of its output can have timed out.
    this.#timedOut = this.#stdout.source.isStalled || this.#stderr.source.isStalled
    this.#isUrgent = true
  }

  #abort(): void {
    this.#aborted = true
    this.#stop()
  }

  #stop(): void {
    this.#isUrgent = true
    this.#stopped ??= this.#launched.group.stop(this.#spec.killGraceMs ?? defaultKillGraceMs)
  }

  /** A forwarded signal that ends the child ends the processes that it started, too. */
  #stopWhatObeyed({ outcome, exitCode }: ProcessEnd): void {
    const { signals } = process.getBuiltinModule('node:os').constants
    const codes = [...this.#forwarded].map((signal) => 128 + signals[signal])
    if (outcome === 'signalled' || codes.includes(exitCode ?? 0)) this.#stop()
  }

  #notifyStart(): void {
    const { group } = this.#launched
    try {
      this.#spec.onStart?.({
        pid: group.pid,
        kill: (signal) => {
          this.#forwarded.add(signal)
          if (this.#exit !== undefined) this.#isUrgent = true
          return group.signal(signal)
        },
      })
    } catch (error) {
      this.#failCallback(error)
    }
  }

  #failCallback(error: unknown): void {
    this.#callbackError ??= { error }
    this.#stop()
  }

  async #drain(): Promise<void> {
    const silenceMs = this.#spec.drainMs ?? defaultDrainMs
    await drain([this.#stdout.source, this.#stderr.source], {
      silenceMs,
      limitMs: silenceMs * 2,
      isUrgent: () => this.#isUrgent,
    })
    this.#stdout.close()
    this.#stderr.close()
  }

  #result(): ProcessResult {
    if (this.#callbackError !== undefined) throw this.#callbackError.error
    const stdout = this.#stdout.result()
    const stderr = this.#stderr.result()
    return {
      ...(this.#exit as ProcessEnd),
      timedOut: this.#timedOut,
      aborted: this.#aborted,
      readerGone: stdout.readerGone || stderr.readerGone,
      stdout,
      stderr,
    }
  }
}

function notStarted(timedOut: boolean): ProcessEnd {
  const why = timedOut ? 'the deadline has passed' : 'it was aborted before its start'
  return { outcome: 'spawn_failed', error: `not started: ${why}`, durationMs: 0 }
}

function resultWithoutChild(end: ProcessEnd, timedOut: boolean, aborted: boolean): ProcessResult {
  const none = {
    bytes: 0,
    capture: Buffer.alloc(0),
    tail: Buffer.alloc(0),
    truncated: false,
    text: () => '',
    readerGone: false,
  }
  return { ...end, timedOut, aborted, readerGone: false, stdout: none, stderr: none }
}

/** Writes the child's stdin and closes it. A child that does not read its stdin is no error. */
function feedStdin(stdin: ProcessSpec['stdin'], end: PipeEnd | undefined): () => void {
  if (!(stdin instanceof Uint8Array) || end === undefined) return () => {}
  if ('socket' in end) {
    const { socket } = end
    socket.on('error', () => {})
    socket.end(stdin)
    return () => socket.destroy()
  }
  const writer = new PipeWriter(end.fd)
  let isOpen = true
  const close = (): void => {
    if (isOpen) writer.close()
    isOpen = false
  }
  const written = writer.write(stdin)
  if (written === undefined) close()
  else void written.then(close)
  return close
}
