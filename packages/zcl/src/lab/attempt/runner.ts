// Runs the runner of one attempt to its end: deadline by the attempt's anchor, output to one sink,
// result lines picked out of stdout, a bounded copy for those who asked for one.
import { maxTimerMs, parseRfc3339, type Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { LineSplitter } from '@zee/core/line-splitter'
import { runProcess, type ProcessResult } from '@zee/core/process'
import { redactionMargin } from '@zee/core/redact'
import { readAttemptFile } from '@zee/evidence/attempt'
import { limits } from '@zee/evidence/limits'
import type { RunProfile } from '../profile.ts'

/** Where the output of one runner goes while it runs. */
export interface OutputSink {
  /** A promise holds the runner back. */
  write(chunk: Buffer): void | Promise<void>
  end(): void
}

export interface RunnerCall {
  command: readonly string[]
  env: Record<string, string | undefined>
  cwd: string
  attemptFolder: string
  profile: RunProfile
  sink: OutputSink
  clock: Clock
  /** Stops the runner and everything it started. */
  signal: AbortSignal
}

export interface RunnerEnd {
  process: ProcessResult
  /** The deadline of the attempt ended it. */
  timedOut: boolean
  /** It was told to stop by `signal`. */
  stopped: boolean
  /** Why `signal` ended it, when that is an outcome of its own: `abort` was called with an error. */
  endedFor?: ZeeError
  /** What stood behind the marker, in order; only the latest ones are kept. */
  results: string[]
}

const longestResultLine = 256 * 1024
const keptResults = 64
const diagnosisBytes = 16 * 1024
/** Time for traced calls to write their evidence between TERM and KILL. */
const killGraceMs = 2000

export async function runRunner(call: RunnerCall): Promise<RunnerEnd> {
  const deadline = new Deadline(call)
  const results: string[] = []
  const lines = resultLines(call.profile, results)
  const [command = '', ...args] = call.command
  const keeps = call.profile.captureRunnerIo
  const result = await runProcess({
    command,
    args,
    env: call.env,
    cwd: call.cwd,
    captureBytes: keeps ? limits.captureBytes + redactionMargin : 0,
    tailBytes: diagnosisBytes,
    killGraceMs,
    signal: AbortSignal.any([call.signal, deadline.signal]),
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') lines?.push(Buffer.from(chunk))
      return call.sink.write(chunk)
    },
  }).finally(() => {
    deadline.end()
    call.sink.end()
  })
  lines?.end()
  const timedOut = deadline.isExpired && result.aborted
  const end = { process: result, timedOut, results }
  const reason: unknown = call.signal.reason
  if (!result.aborted || timedOut) return { ...end, stopped: false }
  if (reason instanceof ZeeError) return { ...end, stopped: false, endedFor: reason }
  return { ...end, stopped: true }
}

function resultLines({ resultChannel }: RunProfile, results: string[]): LineSplitter | undefined {
  if (resultChannel.kind !== 'stdout_json') return undefined
  const { marker } = resultChannel
  return new LineSplitter(longestResultLine, {
    line(bytes, start, end) {
      const text = bytes.toString('utf8', start, end).trim()
      if (text.startsWith(marker)) results.push(text.slice(marker.length).trim())
      if (results.length > keptResults) results.shift()
      return true
    },
    tooLong: () => true,
  })
}

/** Counts from the start, or from the first traced call; the wait for that call is bounded as well. */
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
    const startedAt = firstCallOf(this.#call.attemptFolder)
    if (startedAt === undefined) return 0
    return timeoutMs - (+this.#call.clock.now() - startedAt)
  }
}

function firstCallOf(folder: string): number | undefined {
  try {
    const { timeoutStartedAt } = readAttemptFile(folder)
    return parseRfc3339(String(timeoutStartedAt))?.getTime()
  } catch {
    return undefined
  }
}
