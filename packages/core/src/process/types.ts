// Specifications and results of child processes.
import type { Readable, Writable } from 'node:stream'
import type { PendingPipes } from './pipes.ts'

/** The child's complete environment; nothing is inherited. Undefined values are left out. */
export type ChildEnvironment = Record<string, string | undefined>

export type OutputName = 'stdout' | 'stderr'

export interface CommandSpec {
  /** A path if it contains a slash, otherwise a name on the child's PATH. Never a shell line. */
  command: string
  args: readonly string[]
  cwd?: string
  env: ChildEnvironment
  /**
   * `real` by default. With `sockets` no helper shell is started, but the child cannot open its streams
   * by name (/dev/stdout), and large output costs more CPU time. Pipes from `preparePipes` must match
   * the streams that are requested as pipes.
   */
  pipes?: 'real' | 'sockets' | PendingPipes
  /**
   * Starts the child in our own process group, so that it can use our terminal: Ctrl+C and Ctrl+Z reach
   * both. Its descendants cannot be signalled as a group.
   */
  foreground?: boolean
  /**
   * Adds the variable ZEE_CHILD to the environment. A stop then finds daemons too, whose parents have
   * ended; without it, it finds processes in other sessions by their parents only.
   */
  isMarked?: boolean
}

export interface ProcessSpec extends CommandSpec {
  /** `/dev/null` by default; `inherit` passes our own stdin on unchanged. */
  stdin?: 'null' | 'inherit' | Uint8Array | { fd: number }
  /** Copy the child's output byte for byte to our own stdout and stderr while it runs. */
  passthrough?: boolean | OutputName
  /** Bytes stored from the start of each stream; 1 MiB by default. */
  captureBytes?: number
  /** Bytes stored from the end of each stream in addition; 0 by default. */
  tailBytes?: number
  /** Called with every chunk in order; a returned promise applies back-pressure until it resolves. */
  onOutput?(stream: OutputName, chunk: Buffer): void | Promise<void>
  /** Called once the child is running, for example to attach forwarded signals. */
  onStart?(child: SignalTarget): void
  /** Maximum time from the call to the exit of the child; with 0 or less the child is not started. */
  deadlineMs?: number
  signal?: AbortSignal
  /** Time between TERM and KILL; 100 ms by default. */
  killGraceMs?: number
  /**
   * After the child exits, another process may hold its pipe open. Reading stops after this much
   * silence, 500 ms by default, or after twice that time if there is no silence.
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

/** How the child ended, or why it did not start. */
export interface ProcessEnd {
  outcome: ProcessOutcome
  /** Set with `exited` only. */
  exitCode?: number
  /** Set with `signalled` only. */
  signal?: NodeJS.Signals
  signalNumber?: number
  /** Set if the child did not start: one line for people, without the arguments. */
  error?: string
  /** The system's error name, such as `E2BIG`, if there is one. */
  errno?: string
  /** From the call to the exit of the child, on the monotonic clock. */
  durationMs: number
}

export interface ProcessOutput {
  /** Exact number of bytes read from the child, stored or not. */
  bytes: number
  /** The start of the stream, at most `captureBytes`. */
  capture: Buffer
  /** The end of the stream, at most `tailBytes`, without bytes that are in `capture`. */
  tail: Buffer
  /** Some bytes are in neither `capture` nor `tail`. */
  truncated: boolean
  /** Both as text, with a mark for the bytes omitted between them; no character is split. */
  text(mark?: (omittedBytes: number) => string): string
  /** Passthrough only: the reader of our own stream closed it. */
  readerGone: boolean
  /** Passthrough only: another error of our own stream, such as `ENOSPC`. */
  writeError?: string
}

export interface ProcessResult extends ProcessEnd {
  timedOut: boolean
  aborted: boolean
  /** The reader of our stdout or of our stderr closed it. */
  readerGone: boolean
  stdout: ProcessOutput
  stderr: ProcessOutput
}

/** A child whose process group can receive a signal. */
export interface SignalTarget {
  readonly pid: number
  /** False if no process received the signal. */
  kill(signal: NodeJS.Signals): boolean
}

export type Stdio = 'null' | 'inherit' | 'pipe' | { fd: number }

export interface StartSpec extends CommandSpec {
  /** `null` by default. */
  stdin?: Stdio
  /** `pipe` by default, as for `stderr`. */
  stdout?: Stdio
  stderr?: Stdio
  killGraceMs?: number
}

/** A long-lived child, for proxies and supervisors. */
export interface RunningProcess extends SignalTarget {
  /** Present if requested as `pipe`; the same holds for the other two. */
  readonly stdin: Writable | undefined
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  /** Resolves when the child exits, even if another process holds its pipes. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** Sends TERM and, after the grace time, KILL to every process of the child's session. */
  stop(): Promise<void>
  /** Closes our ends of the pipes. The child, dead or alive, no longer keeps the event loop alive. */
  release(): void
}

export type StartResult =
  | { process: RunningProcess; failure?: undefined }
  | { process?: undefined; failure: ProcessEnd }
