// One turn: ask the model, run the tools it wants, tell it the results, until it is done.
// An async iterable of events that never throws; failures are `error` events.
import type { Clock } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import type {
  Message,
  Model,
  ModelRequest,
  StopReason,
  ThinkingPart,
  ToolCallPart,
  Usage,
} from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, toolResultPart } from '../envelope/envelope.ts'
import type { NewRecord, SessionWriter } from '../session/session.ts'
import type { Tool, ToolContext } from '../tools/tools.ts'
import { runTool } from '../tools/tools.ts'
import type { Answer, RequestedCall } from './answer.ts'
import { streamAnswer, answerParts } from './answer.ts'
import type { AgentEvent, TurnEnd } from './events.ts'
export type { AgentEvent, TurnEnd } from './events.ts'

export interface Turn {
  model: Model
  /** Everything of the request but the messages and the tools. */
  request: Omit<ModelRequest, 'messages' | 'tools'>
  tools: readonly Tool[]
  /** Tools that must be asked for first, as those of servers; called when the turn begins. */
  gather?: (limits: GatherLimits) => Promise<GatheredTools>
  /** Stands around every call: may refuse it, may leave evidence of it. */
  around?: (call: ToolCallPart, run: RunCall) => Promise<CallOutcome>
  toolContext: Omit<ToolContext, 'signal' | 'callId'>
  /** What was said before; the turn adds to it what it completes. */
  history: Message[]
  prompt: string
  session: SessionWriter | undefined
  signal: AbortSignal
  clock: Clock
  /** US dollars for what an answer took; undefined where no price is known. */
  cost?: (usage: Usage) => Promise<number | undefined>
}

/** Runs the tool; a further signal may end it as well. */
export type RunCall = (signal?: AbortSignal) => Promise<Envelope>

export interface CallOutcome {
  result: Envelope
  /** For people, behind the result. */
  notice?: string
}

export type GatherLimits = Pick<ToolContext, 'signal' | 'timeoutMs'>

export interface GatheredTools {
  tools: readonly Tool[]
  /** For people: what could not be had, and why. */
  notices: readonly string[]
}

export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  const before = turn.history.length
  let reason: TurnEnd
  try {
    try {
      turn.signal.throwIfAborted()
      turn.model.check()
      turn.session?.append({ type: 'message', role: 'user', text: turn.prompt })
      turn.history.push({ role: 'user', parts: [{ type: 'text', text: turn.prompt }] })
      reason = yield* runRounds(yield* addGatheredTools(turn))
    } catch (error) {
      // A prompt that came to nothing is not sent again; what tools did has happened and stays.
      if (turn.history.length === before + 1) turn.history.length = before
      reason = turn.signal.aborted ? 'interrupted' : 'error'
      yield turn.signal.aborted ? recordInterrupt(turn) : errorEvent(error)
    }
    yield { type: 'turn_end', reason }
  } finally {
    syncQuietly(turn.session)
  }
}

const minGatherMs = 20_000

async function* addGatheredTools(turn: Turn): AsyncGenerator<AgentEvent, Turn, undefined> {
  if (turn.gather === undefined) return turn
  const { signal, toolContext } = turn
  // A short limit is meant for tools, not for the start of whoever brings them.
  const timeoutMs =
    toolContext.timeoutMs === undefined ? undefined : Math.max(toolContext.timeoutMs, minGatherMs)
  const { tools, notices } = await turn.gather({ signal, timeoutMs })
  for (const text of notices) yield { type: 'notice', text }
  return { ...turn, tools: [...turn.tools, ...tools] }
}

/** Rounds of question, tools and results until the model asks for no more. */
async function* runRounds(turn: Turn): AsyncGenerator<AgentEvent, TurnEnd, undefined> {
  for (;;) {
    const answer = yield* streamAnswer(turn)
    const notice = stopNotice(answer)
    if (notice !== undefined) yield { type: 'notice', text: notice }
    if (answer.stop !== 'tool_use' || answer.calls.length === 0) {
      yield* finishAnswer(turn, answer)
      return turnEndFor(answer.stop)
    }
    recordAnswer(turn, answer)
    const results = yield* runCalls(turn, answer.calls)
    addRound(turn.history, answer, results)
    turn.signal.throwIfAborted()
  }
}

function stopNotice({ stop, stopWord, cutCalls }: Answer): string | undefined {
  if (stop === 'max_tokens') {
    const what = cutCalls > 0 ? 'A tool call was cut off' : 'The answer was cut off'
    return `${what} at the token limit: raise max_tokens`
  }
  if (stop === 'other') return `The model stopped without being done (${stopWord ?? 'no reason'})`
  return stop === 'refusal' ? 'The model refused to go on' : undefined
}

function turnEndFor(stop: StopReason): TurnEnd {
  return stop === 'end' || stop === 'tool_use' ? 'done' : stop
}

/** Writes what the model said and asked for, before any tool runs. */
function recordAnswer(turn: Turn, { thinking, text, calls, receipt }: Answer): void {
  const { session } = turn
  if (session === undefined) return
  for (const part of thinking) session.append(thinkingRecord(part))
  if (text !== '') session.append({ type: 'message', role: 'assistant', text }, receipt)
  calls.forEach(({ id, name, input }, index) => {
    // An answer without text has no line of its own to carry what it took.
    const carries = text === '' && index === 0
    session.append({ type: 'tool_use', id, name, input }, carries ? receipt : undefined)
  })
}

/** In the order of fields that session files have. */
function thinkingRecord({ type, text, signature, provider, data }: ThinkingPart): NewRecord {
  return {
    type,
    text,
    ...(signature === undefined ? {} : { signature }),
    provider,
    ...(data === undefined ? {} : { data }),
  }
}

/** Runs the calls one after another; after an interrupt the rest are answered as cancelled. */
async function* runCalls(
  turn: Turn,
  calls: readonly RequestedCall[],
): AsyncGenerator<AgentEvent, Envelope[], undefined> {
  for (const { id, name, input } of calls) yield { type: 'tool_requested', id, name, input }
  const results: Envelope[] = []
  for (const call of calls) {
    yield { type: 'tool_started', id: call.id, name: call.name }
    const { result, notice } = await runCall(turn, call)
    turn.session?.append({
      type: 'tool_result',
      tool_use_id: call.id,
      output: result,
      ok: result.ok,
    })
    results.push(result)
    yield { type: 'tool_finished', id: call.id, result }
    if (notice !== undefined) yield { type: 'notice', text: notice }
    if (turn.signal.aborted) break
  }
  return results
}

async function runCall(turn: Turn, call: RequestedCall): Promise<CallOutcome> {
  const run: RunCall = async (further) => {
    if (call.invalid !== undefined) return failure('invalid_input', call.invalid)
    const signal = further === undefined ? turn.signal : AbortSignal.any([turn.signal, further])
    return runTool(turn.tools, call.name, call.input, {
      ...turn.toolContext,
      signal,
      callId: call.id,
    })
  }
  return turn.around === undefined ? { result: await run() } : turn.around(callPart(call), run)
}

function addRound(history: Message[], answer: Answer, results: readonly Envelope[]): void {
  history.push({
    role: 'assistant',
    parts: [...answerParts(answer), ...answer.calls.map(callPart)],
  })
  const parts = answer.calls.map(({ id }, index) =>
    toolResultPart(id, results[index] ?? failure('cancelled', 'Interrupted by the user')),
  )
  history.push({ role: 'user', parts })
}

function callPart({ type, id, name, input }: RequestedCall): ToolCallPart {
  return { type, id, name, input }
}

function* finishAnswer(turn: Turn, answer: Answer): Generator<AgentEvent> {
  recordAnswer(turn, { ...answer, calls: [] })
  if (answer.text === '') return
  if (answer.text.trim() !== '')
    turn.history.push({ role: 'assistant', parts: answerParts(answer) })
  yield { type: 'assistant_final', text: answer.text }
}

function recordInterrupt(turn: Turn): AgentEvent {
  try {
    turn.session?.append({ type: 'interrupted', role: 'system', text: 'Interrupted' })
  } catch {
    // The disk that refuses this line has refused the turn already.
  }
  return { type: 'interrupted' }
}

function errorEvent(error: unknown): AgentEvent {
  if (!(error instanceof ModelError)) {
    return { type: 'error', kind: 'internal', message: reasonOf(error) }
  }
  const { kind, message, details } = error
  return { type: 'error', kind, message, ...(details === undefined ? {} : { details }) }
}

function syncQuietly(session: SessionWriter | undefined): void {
  try {
    session?.sync()
  } catch {
    // Every record is with the system; only a power cut could tell the difference.
  }
}
