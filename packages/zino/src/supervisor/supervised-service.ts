// One supervised service: a child process that is restarted when it fails.
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import type { ProcessEnd, RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'
import { readyLine, restartSignal } from '../lifecycle/lifecycle.ts'
import type { ServiceName } from '../services/services.ts'
import { RestartBackoff } from './restart-backoff.ts'

export interface ServiceProgram {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** The first line written to its stdin. */
  handover: string
}

export interface SupervisedOptions {
  name: ServiceName
  program: ServiceProgram
  clock: Clock
  log: Logger
  /** Receives stderr; by default it is inherited. */
  onLog?: ((chunk: Buffer) => void) | undefined
  /** Called after every start, once the service listens. */
  onReady(): void
  /** Called whenever the process has ended. */
  onEnd(): void
}

export interface SupervisedState {
  state: 'starting' | 'up' | 'waiting' | 'stopped'
  pid: number | undefined
  restarts: number
  since: Date
  /** Why the last run ended; undefined during the first run. */
  lastEnd: string | undefined
}

const restartKillMs = 3400

export class SupervisedService {
  readonly name: ServiceName
  readonly #options: SupervisedOptions
  readonly #backoff = new RestartBackoff()
  #child: RunningProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #stopping = false
  #isRestarting = false
  #program: ServiceProgram
  #ended: Promise<void> = Promise.resolve()
  #state: SupervisedState

  constructor(options: SupervisedOptions) {
    this.name = options.name
    this.#options = options
    this.#program = options.program
    const since = options.clock.now()
    this.#state = { state: 'starting', pid: undefined, restarts: 0, since, lastEnd: undefined }
  }

  get status(): SupervisedState {
    return this.#state
  }

  start(): void {
    this.#ended = this.#run()
  }

  /** Sends SIGTERM; resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGTERM')
    await this.#ended
    this.#update({ state: 'stopped', pid: undefined })
  }

  /** Ends the process, which keeps its work, and starts it again at once, with a new program if given. */
  async restart(program = this.#program): Promise<void> {
    this.#program = program
    this.#isRestarting = true
    const child = this.#child
    if (child === undefined) {
      clearTimeout(this.#timer)
      this.start()
      return
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), restartKillMs)
    child.kill(restartSignal)
    await child.exited
    clearTimeout(timer)
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    const { handover, ...program } = this.#program
    const startedMs = clock.monotonicMs()
    this.#update({ state: 'starting', since: clock.now() })
    const { process: child, failure } = await startProcess({
      ...program,
      env: { ...program.env },
      // Real pipes would need a helper shell per service; socket pairs are fine for little data.
      pipes: 'sockets',
      // Stays open as the lifeline: the service stops when it closes.
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: this.#options.onLog === undefined ? 'inherit' : 'pipe',
    })
    if (child === undefined) return this.#onEnd(failure, startedMs)
    this.#child = child
    child.stdin?.write(handover)
    this.#update({ pid: child.pid })
    if (this.#stopping) child.kill('SIGTERM')
    this.#listen(child)
    const end = await child.exited
    this.#child = undefined
    child.release()
    this.#onEnd(end, startedMs)
  }

  #listen(child: RunningProcess): void {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.includes(readyLine)) return
      output += chunk.toString('latin1')
      if (!output.includes(readyLine)) return
      this.#update({ state: 'up', since: this.#options.clock.now() })
      this.#options.onReady()
    })
    child.stdout?.on('error', () => {})
    child.stderr?.on('data', (chunk: Buffer) => this.#options.onLog?.(chunk))
    child.stderr?.on('error', () => {})
  }

  #onEnd(end: ProcessEnd, startedMs: number): void {
    const { clock, log } = this.#options
    const reason = describeEnd(end)
    const wasUp = this.#state.state === 'up'
    this.#update({ pid: undefined, since: clock.now(), lastEnd: reason })
    this.#options.onEnd()
    if (this.#stopping) return
    if (this.#isRestarting) {
      this.#isRestarting = false
      this.#update({ restarts: this.#state.restarts + 1 })
      this.start()
      return
    }
    if (end.outcome === 'exited' && end.exitCode === 0) {
      this.#update({ state: 'stopped' })
      log.warn(`${this.name} was stopped from outside (${reason}) and is not restarted`)
      return
    }
    const wasKilled = wasUp && end.outcome === 'signalled' && end.signal === 'SIGKILL'
    const pauseMs = this.#backoff.afterExit(clock.monotonicMs() - startedMs, wasKilled)
    log.error(`${this.name} ended (${reason}); restarting in ${pauseMs / 1000} s`)
    this.#update({ state: 'waiting' })
    this.#timer = setTimeout(() => {
      this.#update({ restarts: this.#state.restarts + 1 })
      this.start()
    }, pauseMs)
  }

  #update(change: Partial<SupervisedState>): void {
    this.#state = { ...this.#state, ...change }
  }
}

function describeEnd(end: ProcessEnd): string {
  if (end.outcome === 'exited') return `exit code ${end.exitCode}`
  if (end.outcome === 'signalled') return `killed by ${end.signal}`
  return end.error ?? 'it could not be started'
}
