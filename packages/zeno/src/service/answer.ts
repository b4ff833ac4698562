// Turns a request into an answer: looks up the operation, applies the budget, runs the engine and writes
// the trace. `serve`, `send`, `replay` and `mcp` all answer through this service.
import type { Clock } from '@zee/core/clock'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { asciiJson } from '../json/json.ts'
import {
  bodyPieces,
  countListItems,
  joinPieces,
  withParsedHits,
  writtenHits,
} from './written-hits.ts'
import type { AsciiPieces } from './written-hits.ts'
import type { Budget, BudgetLimits } from '../budget/budget.ts'
import type { Engine, Result } from '../engine/engine.ts'
import { isBadRequest, operations, unknownArguments } from '../protocol/protocol.ts'
import type { BadRequest, Operation, Request } from '../protocol/protocol.ts'
import type { ResponseFacts, ResponseSummary, Trace } from '../trace/trace.ts'
import { isObject } from '@zee/core/json'

export interface ServiceOptions {
  engine: Engine
  clock: Clock
  trace?: Trace | undefined
  budget?: Budget | undefined
  /** Adds a hash to every slice, also where the request does not set `hash`. */
  hash?: boolean
  /** Maximum bytes of an answer; 2 MB by default. */
  maxAnswer?: number | undefined
}

/** Maximum bytes of one answer; a longer one is cut and has a cursor. */
export const defaultMaxAnswer = 2_000_000
/** The part of an answer besides its items or text. */
const envelopeBytes = 2048

export type Outcome =
  | { ok: true; result: Result }
  | { ok: false; error: { message: string; budget_left?: BudgetLimits } }

export interface Answer {
  outcome: Outcome
  /** The answer as one line of ASCII JSON, without its newline. */
  readonly json: string
  /** The same line in pieces: writing a long answer then needs no copy. */
  pieces: AsciiPieces
  /** The part of an `ok` answer that the trace records. */
  facts?: ResponseFacts
  /** Writes the `response` or `error` event. Call it once, after the answer has been written. */
  writeTrace(): void
  /** Returns the memory of `pieces` to the engine; the caller must not read them afterwards. Optional. */
  release?(): void
}

export interface Service {
  answer(request: Request | BadRequest, signal?: AbortSignal): Promise<Answer>
}

type Args = Record<string, unknown>

/** Events that only the server writes; agents may not use these names. */
const reservedEvents: ReadonlySet<string> = new Set(['request', 'response', 'error'])

/** Longer operation names are cut in the error message. */
const maxShownOpChars = 64 * 1024

export function createService(options: ServiceOptions): Service {
  const { trace, budget } = options
  const errorAnswer = (request: Request | BadRequest, message: string): Answer => {
    const { id } = request
    const outcome: Outcome = { ok: false, error: { message, budget_left: budget?.left() } }
    const json = asciiJson({ id, ...outcome })
    return { outcome, json, pieces: [json], writeTrace: () => trace?.error(request, message) }
  }
  return {
    async answer(request, signal) {
      if (isBadRequest(request)) {
        const { id, op, args } = request
        if (op !== undefined) trace?.request({ id, op, args })
        return errorAnswer(request, request.problem)
      }
      const prepared = prepareRun(request, options)
      trace?.request(request, prepared.effective)
      try {
        return okAnswer(request, await prepared.run(signal), trace)
      } catch (error) {
        return errorAnswer(request, messageOf(error))
      }
    },
  }
}

interface PreparedRun {
  /** The arguments to run, where a budget or --hash changed the client's. */
  effective?: Args
  run(signal: AbortSignal | undefined): Promise<Result>
}

function prepareRun(request: Request, options: ServiceOptions): PreparedRun {
  const { engine, budget, hash } = options
  const { op, args } = request
  const operation = typeof op === 'string' ? operations.get(op) : undefined
  if (operation === undefined) return failedRun(unknownOp(op))
  if (!isObject(args)) return failedRun(new ZeeError('argument', 'args must be an object'))
  const { callId } = request
  if (operation.name === 'event') {
    return { run: (signal) => writeEvent(args, options, signal, callId) }
  }
  const { name } = operation
  const admitted = budget?.admit(name, args) ?? { args }
  if ('refusal' in admitted) return failedRun(new ZeeError('budget_spent', admitted.refusal))
  const hashed = hash === true ? withHashes(name, admitted.args) : admitted.args
  const maxAnswer = limitAnswer(hashed, options.maxAnswer ?? defaultMaxAnswer)
  // The default is left out of the trace: a replay has the same.
  const isKnown = maxAnswer === defaultLimit || maxAnswer === hashed.max_answer
  const effective = isKnown ? hashed : { ...hashed, max_answer: maxAnswer }
  const run: PreparedRun['run'] = async (signal) => {
    const raw = await engine.run(name, { ...effective, max_answer: maxAnswer }, signal, callId)
    const answered = withWarnings(raw, operation, args)
    if (budget === undefined) return answered
    const result = withParsedHits(answered)
    budget.charge(name, args, result)
    return { ...result, metrics: { ...result.metrics, budget_left: budget.left() } }
  }
  return effective === args ? { run } : { run, effective }
}

const defaultLimit = itemBytes(defaultMaxAnswer)

/** The part of an answer for its items or text. */
function itemBytes(maxAnswer: number): number {
  return Math.max(maxAnswer - envelopeBytes, maxAnswer >> 1)
}

/** Bytes for the items or the text of an answer. A replayed request brings the limit of its own server. */
function limitAnswer(args: Args, maxAnswer: number): number {
  const own = typeof args.max_answer === 'number' ? args.max_answer : Infinity
  return Math.min(own, itemBytes(maxAnswer))
}

function withWarnings(result: Result, operation: Operation, args: Args): Result {
  const unknown = unknownArguments(operation, args)
  if (unknown.length === 0) return result
  return { ...result, warnings: unknown.map((name) => `unknown argument: ${name}`) }
}

function failedRun(error: ZeeError): PreparedRun {
  return { run: () => Promise.reject(error) }
}

function unknownOp(op: unknown): ZeeError {
  // The original zeno (Python) reports a missing op as None; clients may depend on it.
  const text = typeof op === 'string' ? op : op === null ? 'None' : JSON.stringify(op)
  const shown = text.length > maxShownOpChars ? `${text.slice(0, maxShownOpChars)}...` : text
  return new ZeeError('unknown_op', `unknown op: ${shown}`)
}

async function writeEvent(
  args: Args,
  { trace, clock, budget, engine }: ServiceOptions,
  signal: AbortSignal | undefined,
  callId: string | undefined,
): Promise<Result> {
  const startMs = clock.monotonicMs()
  const { event, ...fields } = args
  if (typeof event !== 'string' || event === '') throw new ZeeError('argument', 'missing event')
  if (reservedEvents.has(event)) {
    throw new ZeeError('argument', `the event name ${event} is reserved for the server`)
  }
  if (trace === undefined) {
    if (engine.hasOwnTrace === true) return engine.run('event', args, signal, callId)
    throw new ZeeError('no_trace', 'there is no trace to write to: start the server with --log')
  }
  trace.agent(event, fields)
  const time = Math.round(clock.monotonicMs() - startMs)
  const metrics = { time_ms: time, bytes_read: 0, files_scanned: 0, budget_left: budget?.left() }
  return { event, metrics }
}

/** Sets `hash` on reads that return slices, unless the request sets it itself. */
function withHashes(op: string, args: Args): Args {
  if (op === 'read_many' && Array.isArray(args.reads)) {
    return { ...args, reads: args.reads.map((read) => (isObject(read) ? withHash(read) : read)) }
  }
  return op === 'read_file' || op === 'peek' ? withHash(args) : args
}

function withHash(args: Args): Args {
  return (args.hash ?? undefined) === undefined ? { ...args, hash: true } : args
}

function okAnswer(request: Request, result: Result, trace: Trace | undefined): Answer {
  const { id, op } = request
  const { metrics } = result
  const body = bodyPieces(result)
  const [first, ...others] = withMetrics(body, asciiJson(metrics))
  const pieces = [`{"id":${asciiJson(id)},"ok":true,"result":${String(first)}`, ...others, '}']
  const facts = {
    summary: summaryOf(op, result),
    get body() {
      return joinPieces(body)
    },
  }
  return {
    outcome: {
      ok: true,
      get result() {
        return withParsedHits(result)
      },
    },
    pieces,
    get json() {
      return joinPieces(pieces)
    },
    facts,
    writeTrace: () => trace?.response(request, facts),
    release: () => writtenHits(result)?.release(),
  }
}

/** Inserts `metrics` before the closing bracket of a body. */
function withMetrics(body: AsciiPieces, metrics: string): AsciiPieces {
  const last = String(body.at(-1))
  const start = last === '{}' ? '{' : `${last.slice(0, -1)},`
  return [...body.slice(0, -1), `${start}"metrics":${metrics}}`]
}

function summaryOf(op: unknown, result: Result): ResponseSummary {
  const list = operations.get(op as string)?.counts
  const counted = list === undefined ? undefined : countListItems(result, list)
  return {
    truncated: typeof result.truncated === 'boolean' ? result.truncated : null,
    // The trace format writes 0 as null.
    count: counted === undefined || counted === 0 ? null : counted,
    metrics: result.metrics,
  }
}

function messageOf(error: unknown): string {
  return error instanceof ZeeError ? error.message : reasonOf(error)
}
