// For programs that want to leave evidence about their own calls: the same schema, the same redaction
// and the same deadline as every other funnel. Loads Node built-ins only.
import { maxTimerMs, parseRfc3339, systemClock, type Clock } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { createRedactor, type Redactor } from '@zee/core/redact'
import { attemptFromEnvironment, namesAttempt, timeLeft } from '../attempt/attempt.ts'
import type { AttemptContext, AttemptIdentity, Environment } from '../attempt/attempt.ts'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'
import {
  appendTraceEvent,
  noOutput,
  prepareInput,
  previewCaptureBytes,
  requireRegularStream,
  traceEvent,
  type ObservedCall,
  type ObservedStream,
} from '../trace/trace.ts'

export interface OpenAttemptOptions {
  /** What relative paths in the environment start from. */
  cwd: string
  clock?: Clock
  /** The built-in rules and the values of secret variables unless said otherwise. */
  redactor?: Redactor
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

export interface TracedCall<Result> {
  /** Names the boundary, for instance that of your program. */
  tool: string
  /** What is done there. */
  op: string
  /** Stored redacted and bounded. */
  input: JsonValue
  /** What the trace shows of the result; its text or its JSON unless said otherwise. */
  preview?: (result: Result) => string | Uint8Array | undefined
}

export interface OpenAttempt {
  readonly identity: AttemptIdentity
  /** Absolute. */
  readonly folder: string
  /**
   * Does the work and records it, however it ends; what the work throws is thrown again. The signal
   * is aborted at the attempt's deadline, after which nothing more is begun.
   */
  trace<Result>(
    call: TracedCall<Result>,
    work: (signal: AbortSignal) => Result | Promise<Result>,
  ): Promise<Result>
}

/** The attempt that the environment names, or undefined without one; throws if it is not valid. */
export function openCurrentAttempt(
  env: Environment,
  options: OpenAttemptOptions,
): OpenAttempt | undefined {
  return namesAttempt(env) ? openNamedAttempt(env, options) : undefined
}

/** The attempt that the environment names; throws without one, or if it is not valid. */
export function openNamedAttempt(
  env: Environment,
  { cwd, clock = systemClock, redactor }: OpenAttemptOptions,
): OpenAttempt {
  const context = attemptFromEnvironment(env, cwd)
  const rules = redactor ?? createRedactor({ environment: env })
  return {
    identity: context.identity,
    folder: context.folder,
    trace: (call, work) =>
      new TracedWork(context, clock, rules, call).run(work, parseRfc3339(env.ZCL_NOW ?? '')),
  }
}

class TracedWork<Result> {
  readonly #context: AttemptContext
  readonly #clock: Clock
  readonly #redactor: Redactor
  readonly #call: TracedCall<Result>
  readonly #startedAt: Date
  readonly #startedMs: number

  constructor(context: AttemptContext, clock: Clock, redactor: Redactor, call: TracedCall<Result>) {
    this.#context = context
    this.#clock = clock
    this.#redactor = redactor
    this.#call = call
    this.#startedAt = clock.now()
    this.#startedMs = clock.monotonicMs()
  }

  /** `fixed` is the time at which the clock of artifacts was stopped, if it was. */
  async run(
    work: (signal: AbortSignal) => Result | Promise<Result>,
    fixed: Date | undefined,
  ): Promise<Result> {
    requireRegularStream(this.#context.folder, artifactName.trace)
    const now = this.#startedAt
    const left = await timeLeft(this.#context, { recorded: fixed ?? now, real: now })
    const expired = evidenceError('ZCL_E_TIMEOUT', 'the deadline of the attempt has passed')
    if (left !== undefined && left <= 0) {
      await this.#record({ ok: false, code: 'ZCL_E_TIMEOUT' }, undefined, expired)
      throw expired
    }
    const outcome = await settled(() => within(left, expired, work))
    if ('error' in outcome) {
      await this.#record({ ok: false, code: codeOf(outcome.error) }, undefined, outcome.error)
      throw outcome.error
    }
    await this.#record({ ok: true }, streamOf(this.#preview(outcome.result)), undefined)
    return outcome.result
  }

  #preview(result: Result): string | Uint8Array | undefined {
    if (this.#call.preview !== undefined) return this.#call.preview(result)
    if (typeof result === 'string' || result instanceof Uint8Array) return result
    try {
      return JSON.stringify(result)
    } catch {
      return undefined
    }
  }

  async #record(
    verdict: { ok: boolean; code?: string },
    out: ObservedStream | undefined,
    error: unknown,
  ): Promise<void> {
    const { tool, op, input } = this.#call
    const observed: ObservedCall = {
      tool,
      op,
      startedAt: this.#startedAt,
      input: prepareInput(input ?? null, this.#redactor),
      result: { ...verdict, durationMs: this.#clock.monotonicMs() - this.#startedMs },
      out: out ?? noOutput,
      err: error === undefined ? noOutput : streamOf(reasonOf(error)),
    }
    const event = traceEvent(this.#context.identity, observed, this.#redactor)
    try {
      await appendTraceEvent(this.#context.folder, event)
    } catch (failure) {
      throw evidenceError('ZCL_E_IO', `the action was not recorded: ${reasonOf(failure)}`, failure)
    }
  }
}

async function settled<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result } | { error: unknown }> {
  try {
    return { result: await work() }
  } catch (error) {
    return { error }
  }
}

/** The work, or its end by the deadline. */
async function within<Result>(
  left: number | undefined,
  expired: Error,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    if (left === undefined || left > maxTimerMs) return
    timer = setTimeout(() => {
      controller.abort(expired)
      reject(expired)
    }, left)
  })
  try {
    return await Promise.race([work(controller.signal), deadline])
  } finally {
    clearTimeout(timer)
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'ZCL_E_TOOL_FAILED'
}

function streamOf(content: string | Uint8Array | undefined): ObservedStream {
  if (content === undefined) return noOutput
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { bytes: bytes.length, head: bytes.subarray(0, previewCaptureBytes) }
}
