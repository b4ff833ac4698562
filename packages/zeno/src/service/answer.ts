// Requests to answers: looks the operation up, keeps the budget, runs it and traces it. `serve`, `send`,
// `replay` and `mcp` all answer through here; how text is found is the engine's business.
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
import { isBadRequest, operations } from '../protocol/protocol.ts'
import type { BadRequest, Request } from '../protocol/protocol.ts'
import type { ResponseFacts, ResponseSummary, Trace } from '../trace/trace.ts'
import { isObject } from '@zee/core/json'

export interface ServiceOptions {
  engine: Engine
  clock: Clock
  trace?: Trace | undefined
  budget?: Budget | undefined
  /** Slices of files carry their hash without being asked. */
  hash?: boolean
}

export type Outcome =
  | { ok: true; result: Result }
  | { ok: false; error: { message: string; budget_left?: BudgetLimits } }

export interface Answer {
  outcome: Outcome
  /** The answer as one line of ASCII JSON, without its newline. */
  readonly json: string
  /** The same in pieces, which is cheaper where it is long. */
  pieces: AsciiPieces
  /** For an answer that is `ok`: what the trace keeps of it. */
  facts?: ResponseFacts
  /** Writes the event that follows the answer; call it once the answer has been written. */
  writeTrace(): void
  /** Nobody reads the answer any more: its memory is used again. May be left out. */
  release?(): void
}

export interface Service {
  answer(request: Request | BadRequest, signal?: AbortSignal): Promise<Answer>
}

type Args = Record<string, unknown>

/** Events that the server writes itself, which no agent may write in its name. */
const reservedEvents: ReadonlySet<string> = new Set(['request', 'response', 'error'])

/** Whatever could be meant for a name comes back whole. */
const maxShownOpChars = 64 * 1024

export function createService(options: ServiceOptions): Service {
  const { trace, budget } = options
  const refuse = (id: unknown, message: string): Answer => {
    const left = budget === undefined ? {} : { budget_left: budget.left() }
    const outcome: Outcome = { ok: false, error: { message, ...left } }
    const json = asciiJson({ id, ...outcome })
    return { outcome, json, pieces: [json], writeTrace: () => trace?.error(id, message) }
  }
  return {
    async answer(request, signal) {
      if (isBadRequest(request)) return refuse(request.id, request.problem)
      const plan = prepareRun(request, options)
      trace?.request(request, plan.effective)
      try {
        return okAnswer(request, await plan.run(signal), trace)
      } catch (error) {
        return refuse(request.id, messageOf(error))
      }
    },
  }
}

interface PreparedRun {
  /** What will be run, where that is not what was asked. */
  effective?: Args
  run(signal: AbortSignal | undefined): Promise<Result>
}

function prepareRun(request: Request, options: ServiceOptions): PreparedRun {
  const { engine, budget, hash } = options
  const { op, args } = request
  if (typeof op !== 'string' || !operations.has(op)) return failedRun(unknownOp(op))
  if (!isObject(args)) return failedRun(new ZeeError('argument', 'args must be an object'))
  if (op === 'event') return { run: async () => writeEvent(args, options) }
  const admitted = budget?.admit(op, args) ?? { args }
  if ('refusal' in admitted) return failedRun(new ZeeError('budget_spent', admitted.refusal))
  const effective = hash === true ? withHashes(op, admitted.args) : admitted.args
  const run: PreparedRun['run'] = async (signal) => {
    const given = await engine.run(op, effective, signal)
    if (budget === undefined) return given
    const result = withParsedHits(given)
    budget.charge(op, args, result)
    return { ...result, metrics: { ...result.metrics, budget_left: budget.left() } }
  }
  return effective === args ? { run } : { run, effective }
}

function failedRun(error: ZeeError): PreparedRun {
  return { run: () => Promise.reject(error) }
}

function unknownOp(op: unknown): ZeeError {
  // A missing one has always been called None, and clients may look for it.
  const text = typeof op === 'string' ? op : op === null ? 'None' : JSON.stringify(op)
  const shown = text.length > maxShownOpChars ? `${text.slice(0, maxShownOpChars)}...` : text
  return new ZeeError('unknown_op', `unknown op: ${shown}`)
}

function writeEvent(args: Args, { trace, clock, budget }: ServiceOptions): Result {
  const began = clock.monotonicMs()
  const { event, ...fields } = args
  if (typeof event !== 'string' || event === '') throw new ZeeError('argument', 'missing event')
  if (reservedEvents.has(event)) {
    throw new ZeeError('argument', `the event name ${event} is the server's own`)
  }
  if (trace === undefined) {
    throw new ZeeError('no_trace', 'there is no trace to write to: start the server with --log')
  }
  trace.agent(event, fields)
  const time = Math.round(clock.monotonicMs() - began)
  const left = budget === undefined ? {} : { budget_left: budget.left() }
  return { event, metrics: { time_ms: time, bytes_read: 0, files_scanned: 0, ...left } }
}

/** Reads that return slices carry hashes unless the request says otherwise. */
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
    writeTrace: () => trace?.response(id, op, facts),
    release: () => writtenHits(result)?.release(),
  }
}

/** The body of an answer, which ends with its last bracket, and its metrics behind it. */
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
    // Zero has always been written as null.
    count: counted === undefined || counted === 0 ? null : counted,
    metrics: result.metrics,
  }
}

function messageOf(error: unknown): string {
  return error instanceof ZeeError ? error.message : reasonOf(error)
}
