// The words in which programs ask for a child process and hear how it went.
import type { Readable, Writable } from 'node:stream'
import type { PipeOrder } from './pipes.ts'

/** Exactly what the child sees; nothing is inherited. Undefined values are left out. */
export type ChildEnvironment = Record<string, string | undefined>

export type OutputName = 'stdout' | 'stderr'

export interface CommandSpec {
  /** A path when it holds a slash, otherwise looked up on the child's PATH. Never a shell line. */
  command: string
  args: readonly string[]
  cwd?: string
  env: ChildEnvironment
  /**
   * `real` unless said otherwise. With `sockets` the child starts a little sooner, but cannot open
   * its streams by name (/dev/stdout), and large output takes longer. An order (`orderPipes`) was
   * given before and fits the streams that are asked for as pipes.
   */
  pipes?: 'real' | 'sockets' | PipeOrder
}

export interface ProcessSpec extends CommandSpec {
  /** `/dev/null` unless said otherwise; `inherit` hands our own stdin over untouched. */
  stdin?: 'null' | 'inherit' | Uint8Array | { fd: number }
  /** Copy the child's output byte for byte to our own stdout and stderr while it runs. */
  passthrough?: boolean | OutputName
  /** How much of the head of each stream is kept in memory; 1 MiB unless said otherwise. */
  captureBytes?: number
  /** How much of the end of each stream is kept besides; 0 unless said otherwise. */
  tailBytes?: number
  /** Sees every chunk in order; a returned promise holds the stream back until it resolves. */
  onOutput?(stream: OutputName, chunk: Buffer): void | Promise<void>
  /** Called once the child runs, for instance to attach forwarded signals. */
  onStart?(child: SignalTarget): void
  /** From the call to the end of the child; 0 or less means that it is not started at all. */
  deadlineMs?: number
  signal?: AbortSignal
  /** Between TERM and KILL to the group; 100 unless said otherwise. */
  killGraceMs?: number
  /**
   * How long silence may last, after the child ended, on a pipe that something else holds open;
   * 500 unless said otherwise. Twice that is the limit when there is no silence.
   */
  drainMs?: number
}

export type ProcessOutcome =
  | 'exited'
  | 'signalled'
  | 'not_found'
  | 'not_executable'
  | 'cwd_missing'
  | 'spawn_failed'

/** How the child ended, or why there is none. */
export interface ProcessEnd {
  outcome: ProcessOutcome
  /** With `exited` only. */
  exitCode?: number
  /** With `signalled` only. */
  signal?: NodeJS.Signals
  signalNumber?: number
  /** With the outcomes that mean that nothing ran: one line for people, without the arguments. */
  error?: string
  /** The system's name of that failure, such as `E2BIG`, when there was one. */
  errno?: string
  /** From the call to the end of the child, by a clock that only goes forward. */
  durationMs: number
}

export interface ProcessOutput {
  /** Bytes that the child wrote and we read: exact, however little was kept. */
  bytes: number
  /** The head of the stream, at most `captureBytes`. */
  capture: Buffer
  /** The end of the stream, at most `tailBytes`, without what `capture` already holds. */
  tail: Buffer
  /** Some bytes are in neither. */
  truncated: boolean
  /** Both as text, with a mark for what is missing between them; no character is broken. */
  text(mark?: (omittedBytes: number) => string): string
  /** Passthrough only: whoever read our end has closed it. */
  readerGone: boolean
  /** Passthrough only: another reason why our end took no more, such as `ENOSPC`. */
  writeError?: string
}

export interface ProcessResult extends ProcessEnd {
  timedOut: boolean
  aborted: boolean
  /** Either stream's reader went away. */
  readerGone: boolean
  stdout: ProcessOutput
  stderr: ProcessOutput
}

/** Something whose whole group can be sent a signal. */
export interface SignalTarget {
  readonly pid: number
  /** False when nobody was there to get it. */
  kill(signal: NodeJS.Signals): boolean
}

export type Stdio = 'null' | 'inherit' | 'pipe' | { fd: number }

export interface StartSpec extends CommandSpec {
  /** `null` unless said otherwise. */
  stdin?: Stdio
  /** `pipe` unless said otherwise. */
  stdout?: Stdio
  stderr?: Stdio
  killGraceMs?: number
}

/** A child that lives on: for proxies and supervisors. */
export interface RunningProcess extends SignalTarget {
  /** Present when asked for with `pipe`. */
  readonly stdin: Writable | undefined
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  /** Resolves when the child itself ended, whoever still holds its pipes. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** TERM, then KILL after the grace, to all that is left of the child's session. */
  stop(): Promise<void>
  /**
   * Closes our ends of the pipes. Nothing of this child keeps the event loop alive any more, whether
   * it has ended or not.
   */
  release(): void
}

export type StartResult =
  | { process: RunningProcess; failure?: undefined }
  | { process?: undefined; failure: ProcessEnd }
