// Runs the runner process of one attempt: enforces the deadline, forwards the output to a sink,
// collects result lines from stdout, and keeps a bounded copy of the output when requested.
import { maxTimerMs, type Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { LineSplitter } from '@zee/core/line-splitter'
import { runProcess, type ProcessResult } from '@zee/core/process'
import { redactionMargin } from '@zee/core/redact'
import { readAttemptFile, timeSince } from '@zee/evidence/attempt'
import { limits } from '@zee/evidence/limits'
import type { RunProfile } from '../profile.ts'

/** Receives the output of one runner while it runs. */
export interface OutputSink {
  /** A returned promise applies back-pressure to the runner. */
  write(chunk: Buffer): void | Promise<void>
  /** A returned promise delays the end of the attempt. */
  end(): void | Promise<void>
}

export interface RunnerCall {
  command: readonly string[]
  env: Record<string, string | undefined>
  cwd: string
  attemptFolder: string
  profile: RunProfile
  sink: OutputSink
  clock: Clock
  /** Stops the runner and its process group. */
  signal: AbortSignal
}

export interface RunnerEnd {
  process: ProcessResult
  /** The deadline of the attempt expired. */
  hasTimedOut: boolean
  /** `signal` stopped it. */
  isStopped: boolean
  /** The error that `signal` was aborted with, if any; it becomes the outcome. */
  abortError?: ZeeError
  /** The latest result lines in order, without the marker. */
  results: string[]
}

const maxResultLineBytes = 256 * 1024
const maxResults = 64
const diagnosticTailBytes = 16 * 1024
/** Time for traced calls to write their evidence between TERM and KILL. */
const killGraceMs = 2000

export async function runRunner(call: RunnerCall): Promise<RunnerEnd> {
  const deadline = new Deadline(call)
  const results: string[] = []
  const lines = resultLineSplitter(call.profile, results)
  const [command = '', ...args] = call.command
  const result = await runProcess({
    command,
    args,
    env: call.env,
    cwd: call.cwd,
    captureBytes: call.profile.captureRunnerIo ? limits.captureBytes + redactionMargin : 0,
    tailBytes: diagnosticTailBytes,
    killGraceMs,
    signal: AbortSignal.any([call.signal, deadline.signal]),
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') lines?.push(Buffer.from(chunk))
      return call.sink.write(chunk)
    },
  }).finally(() => {
    deadline.end()
    return call.sink.end()
  })
  lines?.end()
  const hasTimedOut = deadline.isExpired && result.aborted
  const end = { process: result, hasTimedOut, results }
  const reason: unknown = call.signal.reason
  if (!result.aborted || hasTimedOut) return { ...end, isStopped: false }
  if (reason instanceof ZeeError) return { ...end, isStopped: false, abortError: reason }
  return { ...end, isStopped: true }
}

function resultLineSplitter(
  { resultChannel }: RunProfile,
  results: string[],
): LineSplitter | undefined {
  if (resultChannel.kind !== 'stdout_json') return undefined
  const { marker } = resultChannel
  return new LineSplitter(maxResultLineBytes, {
    line(bytes, start, end) {
      const text = bytes.toString('utf8', start, end).trim()
      if (text.startsWith(marker)) results.push(text.slice(marker.length).trim())
      if (results.length > maxResults) results.shift()
      return true
    },
    tooLong: () => true,
  })
}

/** Counts from the start or from the first traced call. Without such a call it expires after the same time. */
class Deadline {
  readonly #abort = new AbortController()
  readonly #call: RunnerCall
  #timer: NodeJS.Timeout | undefined
  isExpired = false

  constructor(call: RunnerCall) {
    this.#call = call
    this.#wait(call.profile.timeoutMs)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #wait(ms: number | undefined): void {
    if (ms === undefined || ms > maxTimerMs) return
    this.#timer = setTimeout(() => this.#check(), Math.max(ms, 0))
  }

  #check(): void {
    const left = this.#leftFromFirstCall()
    if (left > 0) return this.#wait(left)
    this.isExpired = true
    return this.#abort.abort()
  }

  #leftFromFirstCall(): number {
    const { timeoutMs = 0, timeoutStart } = this.#call.profile
    if (timeoutStart !== 'first_tool_call') return 0
    const elapsedMs = timeSinceFirstCall(this.#call)
    return elapsedMs === undefined ? 0 : timeoutMs - elapsedMs
  }
}

function timeSinceFirstCall({ attemptFolder, clock }: RunnerCall): number | undefined {
  try {
    return timeSince(readAttemptFile(attemptFolder).timeoutStartedAt, clock.now(), attemptFolder)
  } catch {
    return undefined
  }
}
