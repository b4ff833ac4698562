// Records events about the server process: its start, its stderr and why it was stopped.
import { BoundedCapture } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { shellExitCode, type ProcessEnd } from '@zee/core/process'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { timedOutExitCode } from '../../attempt.ts'
import { streamPreview, type FunnelCall, type TraceRecorder } from '../../trace/trace.ts'
import type { ProxyLimits } from '../limits.ts'
import { stopEvent, stopMessage, type StopReason } from '../stop-reason.ts'

export class ServerEvents {
  readonly #argv: readonly string[]
  readonly #host: Host
  readonly #recorder: TraceRecorder
  readonly #stderr = new BoundedCapture(previewCaptureBytes)
  #stderrAtMs: number | undefined

  constructor(argv: readonly string[], host: Host, recorder: TraceRecorder) {
    this.#argv = argv
    this.#host = host
    this.#recorder = recorder
  }

  spawned(startedAt: Date): void {
    const durationMs = this.#host.clock.now().getTime() - startedAt.getTime()
    this.#record('spawn', startedAt.getTime(), { ok: true, durationMs })
  }

  /** Records and prints a failed start; returns the exit code. */
  cannotStart(failure: ProcessEnd, startedAt: Date): number {
    const error = failure.error ?? 'the server could not be started'
    this.#record('spawn', startedAt.getTime(), {
      ok: false,
      code: 'ZCL_E_SPAWN',
      durationMs: failure.durationMs,
      enrichment: { error },
    })
    this.#host.stderr.write(`ZCL_E_SPAWN: ${oneLine(error)}\n`)
    return shellExitCode(failure)
  }

  /** Records and prints that the deadline passed before the start; returns the exit code. */
  refusedByDeadline(): number {
    this.#record('timeout', this.#nowMs(), {
      ok: false,
      code: 'ZCL_E_TIMEOUT',
      enrichment: { notStarted: true },
    })
    const message = 'the deadline of the attempt has passed; the server was not started'
    this.#host.stderr.write(`ZCL_E_TIMEOUT: ${message}\n`)
    return timedOutExitCode
  }

  stopped(reason: StopReason, limits: ProxyLimits): void {
    const event = stopEvent(reason, limits)
    if (event !== undefined) this.#record(event.op, this.#nowMs(), event)
    const message = stopMessage(reason)
    if (message !== undefined) this.#host.stderr.write(`${message}\n`)
  }

  captureStderr(chunk: Buffer): void {
    this.#stderrAtMs ??= this.#nowMs()
    this.#stderr.push(chunk)
  }

  /** Records the captured stderr, if there was any. */
  recordStderr(): void {
    if (this.#stderrAtMs === undefined) return
    const { bytes, truncated } = this.#stderr
    this.#record('stderr', this.#stderrAtMs, {
      ok: true,
      err: streamPreview(bytes, this.#stderr.head()),
      ...(truncated
        ? { warnings: [{ code: 'ZCL_W_STDERR_TRUNCATED', message: 'only its beginning was kept' }] }
        : {}),
    })
  }

  #record(
    op: string,
    startedAtMs: number,
    rest: Pick<FunnelCall, 'ok'> & Partial<FunnelCall>,
  ): void {
    const input = { value: { argv: this.#argv } }
    this.#recorder.record({ tool: 'mcp', durationMs: 0, ...rest, op, startedAtMs, input })
  }

  #nowMs(): number {
    return this.#host.clock.now().getTime()
  }
}
