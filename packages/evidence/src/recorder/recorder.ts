// Lets a program record its own calls, with the schema, redaction and deadline of every other
// funnel. Loads Node built-ins only.
import { maxTimerMs, parseRfc3339, systemClock, type Clock } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { createRedactor, type Redactor } from '@zee/core/redact'
import { attemptFromEnvironment, namesAttempt, timeLeft } from '../attempt/attempt.ts'
import type { AttemptContext, AttemptIdentity, Environment } from '../attempt/attempt.ts'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'
import {
  appendTraceEvent,
  findParentId,
  newCallId,
  noOutput,
  prepareInput,
  previewCaptureBytes,
  recordingFailure,
  requireRegularStream,
  traceEvent,
  type ObservedCall,
  type ObservedStream,
} from '../trace/trace.ts'

export { parentVariable } from '../trace/trace.ts'

export interface OpenAttemptOptions {
  /** Base of relative paths in the environment. */
  cwd: string
  clock?: Clock
  /** By default: the built-in rules and the values of secret variables. */
  redactor?: Redactor
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export interface TracedCall<Result> {
  /** Name of the boundary, for example your program. */
  tool: string
  /** Name of the operation. */
  op: string
  /** Stored redacted and bounded. */
  input: JsonValue
  /** The output preview in the trace; by default the result as text or as JSON. */
  preview?: (result: Result) => string | Uint8Array | undefined
}

export interface OpenAttempt {
  readonly identity: AttemptIdentity
  /** Absolute. */
  readonly folder: string
  /**
   * Runs the work, appends one event, and returns the result or rethrows the error. The signal is
   * aborted at the attempt's deadline; after it, no work starts. Set `ZCL_PARENT_ID` to the id in
   * the environment of child processes, so that calls they trace belong to this one.
   */
  trace<Result>(
    call: TracedCall<Result>,
    work: (signal: AbortSignal, id: string) => Result | Promise<Result>,
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
      new TracedWork(context, clock, rules, call, findParentId(context.folder, env)).run(
        work,
        parseRfc3339(env.ZCL_NOW ?? ''),
      ),
  }
}

class TracedWork<Result> {
  readonly #context: AttemptContext
  readonly #clock: Clock
  readonly #redactor: Redactor
  readonly #call: TracedCall<Result>
  readonly #startedAt: Date
  readonly #startedMs: number

  readonly #id = newCallId()
  readonly #parentId: string | undefined

  constructor(
    context: AttemptContext,
    clock: Clock,
    redactor: Redactor,
    call: TracedCall<Result>,
    parentId: string | undefined,
  ) {
    this.#parentId = parentId
    this.#context = context
    this.#clock = clock
    this.#redactor = redactor
    this.#call = call
    this.#startedAt = clock.now()
    this.#startedMs = clock.monotonicMs()
  }

  /** `fixed` is the fixed time of `ZCL_NOW`, if set. */
  async run(
    work: (signal: AbortSignal, id: string) => Result | Promise<Result>,
    fixed: Date | undefined,
  ): Promise<Result> {
    requireRegularStream(this.#context.folder, artifactName.trace)
    const now = this.#startedAt
    const leftMs = await timeLeft(this.#context, { recorded: fixed ?? now, real: now })
    const expired = evidenceError('ZCL_E_TIMEOUT', 'the deadline of the attempt has passed')
    if (leftMs !== undefined && leftMs <= 0) {
      await this.#record({ ok: false, code: 'ZCL_E_TIMEOUT' }, undefined, expired)
      throw expired
    }
    const outcome = await settle(() =>
      runUntilDeadline(leftMs, expired, (signal) => work(signal, this.#id)),
    )
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
      id: this.#id,
      parentId: this.#parentId,
    }
    const event = traceEvent(this.#context.identity, observed, this.#redactor)
    try {
      await appendTraceEvent(this.#context.folder, event)
    } catch (failure) {
      throw evidenceError('ZCL_E_IO', recordingFailure(failure), failure)
    }
  }
}

async function settle<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result } | { error: unknown }> {
  try {
    return { result: await work() }
  } catch (error) {
    return { error }
  }
}

/** Runs the work; rejects with `expired` at the deadline. */
async function runUntilDeadline<Result>(
  leftMs: number | undefined,
  expired: Error,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    if (leftMs === undefined || leftMs > maxTimerMs) return
    timer = setTimeout(() => {
      controller.abort(expired)
      reject(expired)
    }, leftMs)
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
