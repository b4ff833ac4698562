// `zcl mcp proxy -- server`: proxies an MCP server on its standard streams. Bytes are forwarded at once and
// never wait for the trace; messages are parsed and recorded afterwards.
import type { Host } from '@zee/core/exit'
import { limitFlush } from '@zee/core/exit'
import { forwardSignals, openPassthrough, shellExitCode, startProcess } from '@zee/core/process'
import type { ProcessEnd, RunningProcess, SignalForwarder } from '@zee/core/process'
import { BytePump } from './byte-pump.ts'
import { armDeadline, openFunnelAttempt } from '../../attempt.ts'
import { openTraceRecorder, type TraceRecorder } from '../../trace/trace.ts'
import { Conversation } from '../conversation.ts'
import { LineReader, type ReadLine } from '../messages/messages.ts'
import type { ProxyLimits } from '../limits.ts'
import { needsGate, RequestGate } from '../request-gate.ts'
import type { InjectSettings } from '../../../faults/faults.ts'
import { AnswerFaults, ProxyFaults, withFaults } from '../faults/faults.ts'
import { ServerEvents } from './server-events.ts'
import { IdleTimer } from '../idle-timer.ts'
import { stopExitCode, type StopReason } from '../stop-reason.ts'

/** Time for the server to end by itself after a forwarded signal. */
const signalGraceMs = 1000
/** Idle time granted to the server after its client ended, without and with pending requests. */
const orphanGraceMs = 30_000
const orphanAtWorkGraceMs = 600_000
/** Time for pending requests to be answered after the limit of tool calls is hit. */
const limitGraceMs = 10_000
const completeGraceMs = 500
const drainIdleMs = 500
/** Time for a slow client to read the last answers after a signal. */
const stoppedDrainMs = 500
/** Time for the last calls to reach the disk after a signal. */
const stoppedTraceMs = 1000
/** Unanswered requests above which the client waits; each becomes a call of the trace. */
const maxPendingRequests = 5000
/** How often a paused client is looked at. */
const behindMs = 20
const nothing = Buffer.alloc(0)

export interface StdioRequest {
  /** The server as recorded. */
  argv: readonly string[]
  /** What is started: the server, or a stand-in that serves a trace. */
  command: readonly string[]
  limits: ProxyLimits
  inject: InjectSettings
  attempt: string | undefined
}

export async function runStdioProxy(request: StdioRequest, host: Host): Promise<number> {
  const { attempt } = request
  const { context, leftMs } = await openFunnelAttempt(host, attempt)
  const { attemptId } = context.identity
  const signals = forwardSignals()
  const recorder = await openTraceRecorder(context, host)
  try {
    return await new StdioProxy(request, host, recorder, attemptId).run(leftMs, signals)
  } finally {
    const isStopped = signals.received.length > 0
    await recorder.close(isStopped ? stoppedTraceMs : undefined).finally(() => {
      if (isStopped) limitFlush()
      signals.detach()
    })
  }
}

class StdioProxy {
  readonly #command: readonly string[]
  readonly #limits: ProxyLimits
  readonly #host: Host
  readonly #events: ServerEvents
  readonly #conversation: Conversation
  readonly #fromClient: LineReader
  readonly #fromServer: LineReader
  readonly #gate: RequestGate | undefined
  readonly #idleTimer: IdleTimer
  readonly #recorder: TraceRecorder
  #server: RunningProcess | undefined
  #stopReason: StopReason | undefined
  #clientEnded = false
  #limitHit = false

  constructor(
    { argv, command, limits, inject }: StdioRequest,
    host: Host,
    recorder: TraceRecorder,
    attemptId: string,
  ) {
    this.#command = command
    this.#limits = limits
    this.#host = host
    this.#events = new ServerEvents(argv, host, recorder)
    const faults =
      inject.rules.length === 0 ? undefined : new AnswerFaults(new ProxyFaults(inject, attemptId))
    this.#conversation = new Conversation((call) => recorder.record(call), host.clock, faults)
    this.#gate = this.#makeGate()
    this.#fromClient = this.#clientReader(this.#gate)
    this.#fromServer = new LineReader((line) => this.#conversation.fromServer(line))
    this.#idleTimer = new IdleTimer(host.clock)
    this.#recorder = recorder
  }

  async run(leftMs: number | undefined, signals: SignalForwarder): Promise<number> {
    if (leftMs !== undefined && leftMs <= 0) return this.#events.refusedByDeadline()
    const startedAt = this.#host.clock.now()
    const [command = '', ...args] = this.#command
    const env = { ...this.#host.env }
    const { process: server, failure } = await startProcess({ command, args, env, stdin: 'pipe' })
    if (failure !== undefined) return this.#events.cannotStart(failure, startedAt)
    this.#events.spawned(startedAt)
    this.#server = server
    signals.attach({ pid: server.pid, kill: (signal) => this.#forward(server, signal) })
    const disarm = armDeadline(leftMs, () => this.#stop('timeout'))
    if (this.#limits.idleTimeoutMs !== undefined) {
      this.#idleTimer.arm(this.#limits.idleTimeoutMs, () => this.#stop('idle-timeout'))
    }
    const end = await this.#converse(server, signals)
    disarm()
    this.#idleTimer.disarm()
    return this.#finish(end)
  }

  /** Forwards bytes both ways until the server has ended and all its output is written. */
  async #converse(server: RunningProcess, signals: SignalForwarder): Promise<ProcessEnd> {
    const targets = [openPassthrough(1), openPassthrough(2)] as const
    const pumps: BytePump[] = []
    if (server.stdout !== undefined) {
      const { faults } = this.#conversation
      const answers = faults === undefined ? server.stdout : withFaults(server.stdout, faults)
      pumps.push(new BytePump(answers, targets[0], (chunk) => this.#sawAnswer(chunk)))
    }
    if (server.stderr !== undefined) {
      pumps.push(
        new BytePump(server.stderr, targets[1], (chunk) => this.#events.captureStderr(chunk)),
      )
    }
    this.#listen(server)
    const end = await server.exited
    if (this.#stopReason !== undefined) await server.stop()
    const limitMs = signals.received.length > 0 ? stoppedDrainMs : Infinity
    // An injected delay outlasts a server that has ended, but not a stopped session.
    const isHeld = () =>
      this.#stopReason === undefined && this.#conversation.faults?.isDelaying === true
    await Promise.all(pumps.map((pump) => pump.drained(drainIdleMs, limitMs, isHeld)))
    this.#host.stdin.destroy()
    for (const target of targets) target.close()
    server.release()
    return end
  }

  #listen(server: RunningProcess): void {
    const { stdin } = this.#host
    stdin.on('data', (chunk: Buffer) => this.#fromClientChunk(server, chunk))
    stdin.on('end', () => this.#endOfClient(server))
    // A read error counts as the end of the client.
    stdin.on('error', () => this.#endOfClient(server))
    server.stdin?.on('drain', () => stdin.resume())
    // The server closed its input: close ours, so that the client's next write fails as without the proxy.
    server.stdin?.on('close', () => stdin.destroy())
  }

  #fromClientChunk(server: RunningProcess, chunk: Buffer): void {
    this.#idleTimer.touch()
    if (this.#gate === undefined) this.#write(server, chunk)
    this.#fromClient.push(chunk)
    if (this.#isBehind()) this.#waitForTrace()
  }

  #isBehind(): boolean {
    return this.#recorder.isBehind || this.#conversation.pendingRequests > maxPendingRequests
  }

  /** Reads no more from a client that sends faster than the server answers or the disk stores. */
  #waitForTrace(): void {
    const { stdin } = this.#host
    stdin.pause()
    const timer = setInterval(() => {
      if (this.#isBehind() && !stdin.destroyed) return
      clearInterval(timer)
      stdin.resume()
    }, behindMs)
  }

  #write(server: RunningProcess, bytes: Buffer): void {
    if (server.stdin?.write(bytes) === false) this.#host.stdin.pause()
  }

  #endOfClient(server: RunningProcess): void {
    if (this.#clientEnded) return
    this.#clientEnded = true
    this.#fromClient.end()
    this.#closeServerInput(server)
    this.#idleTimer.arm(
      this.#conversation.pendingRequests === 0 ? orphanGraceMs : orphanAtWorkGraceMs,
      () => this.#stop('abandoned'),
    )
    this.#afterAnswer(server)
  }

  #closeServerInput(server: RunningProcess): void {
    if (this.#clientEnded && (this.#gate?.isEmpty ?? true)) server.stdin?.end()
  }

  #sawAnswer(chunk: Buffer): void {
    this.#idleTimer.touch()
    const before = this.#conversation.pendingRequests
    this.#fromServer.push(chunk)
    if (this.#server !== undefined && this.#conversation.pendingRequests < before) {
      this.#gate?.release()
      this.#afterAnswer(this.#server)
    }
  }

  /** Stops the server when nothing is pending and the limit is hit or the client has ended. */
  #afterAnswer(server: RunningProcess): void {
    this.#closeServerInput(server)
    const isDone = this.#conversation.pendingRequests === 0 && (this.#gate?.isEmpty ?? true)
    if (!isDone) return
    if (this.#limitHit) this.#stop('limit')
    else if (this.#clientEnded && this.#limits.shutdownOnComplete) {
      const timer = setTimeout(() => this.#stop('complete'), completeGraceMs)
      void server.exited.then(() => clearTimeout(timer))
    }
  }

  #makeGate(): RequestGate | undefined {
    if (!needsGate(this.#limits)) return undefined
    return new RequestGate(this.#limits, {
      pendingRequests: () => this.#conversation.pendingRequests,
      refuse: () => this.#refuse(),
    })
  }

  /** With a gate, lines are forwarded when it permits; without one, their bytes are already forwarded. */
  #clientReader(gate: RequestGate | undefined): LineReader {
    const see = (line: ReadLine): void => this.#conversation.fromClient(line)
    if (gate === undefined) return new LineReader(see)
    const take = (line: ReadLine): void => {
      const forward = (): void => {
        if (this.#server !== undefined) this.#write(this.#server, line.raw ?? nothing)
        see(line)
      }
      gate.take({ messages: line.messages, forward })
    }
    return new LineReader(take, { keepsRaw: true })
  }

  /** The limit of tool calls is hit: forwards nothing more and lets pending requests finish. */
  #refuse(): void {
    this.#limitHit = true
    const server = this.#server
    if (server === undefined) return
    const timer = setTimeout(() => this.#stop('limit'), limitGraceMs)
    void server.exited.then(() => clearTimeout(timer))
    this.#afterAnswer(server)
  }

  #forward(server: RunningProcess, signal: NodeJS.Signals): boolean {
    const timer = setTimeout(() => void server.stop(), signalGraceMs)
    void server.exited.then(() => clearTimeout(timer))
    return server.kill(signal)
  }

  #stop(reason: StopReason): void {
    this.#stopReason ??= reason
    void this.#server?.stop()
  }

  #finish(end: ProcessEnd): number {
    this.#fromServer.end()
    this.#conversation.end()
    const reason = this.#limitHit ? 'limit' : this.#stopReason
    if (reason !== undefined) this.#events.stopped(reason, this.#limits)
    this.#events.recordStderr()
    return stopExitCode(reason) ?? shellExitCode(end)
  }
}
