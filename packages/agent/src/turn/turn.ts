// One turn: queries the model, runs the requested tools and returns their results, until the model is
// done. An async iterable of events that never throws; failures are `error` events.
import type { Clock } from '@zee/core/clock'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type {
  ImagePart,
  Message,
  Model,
  ModelRequest,
  StopReason,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  Usage,
} from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, splitImages, toolResultPart } from '../envelope/envelope.ts'
import type { ContextBudget, ElisionStep } from '../elision/elision.ts'
import { elideOldResults, hasElidedResults, recallTool } from '../elision/elision.ts'
import type { NewRecord, SessionWriter } from '../session/session.ts'
import { isNotRecorded } from '../session/session.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Tool, ToolContext } from '../tools/tools.ts'
import type { ShellUndo } from '../undo/undo.ts'
import { runTool } from '../tools/tools.ts'
import type { Answer, RequestedCall } from './answer.ts'
import { streamAnswer, answerParts, turnBytes } from './answer.ts'
import type { AgentEvent, TurnEnd } from './events.ts'
import type { CallGuard, EndDecision } from './guard.ts'
import { afterCall, beforeCall } from './guard.ts'
export type { AgentEvent, TurnEnd } from './events.ts'
export type { CallGuard, EndDecision } from './guard.ts'

export interface Turn {
  model: Model
  /** The request without messages and tools. */
  request: Omit<ModelRequest, 'messages' | 'tools'>
  tools: readonly Tool[]
  /** Discovers further tools, for example of MCP servers, at the start of the turn. */
  gather?: (limits: GatherLimits) => Promise<GatheredTools>
  /** Wraps every call, for example to ask for permission or to record evidence; may refuse it. */
  around?: (call: ToolCallPart, run: RunCall) => Promise<CallOutcome>
  /** Decides about each call before it starts, and may change its result. */
  guard?: CallGuard
  /** Called at the end of the turn, unless it was interrupted. */
  onEnd?: (reason: TurnEnd, signal: AbortSignal) => Promise<EndDecision>
  toolContext: Omit<ToolContext, 'signal' | 'callId'>
  /** The messages so far; the turn appends completed messages. */
  history: Message[]
  /** Takes the lines that the user queued; called before each request after the first. */
  steer?: () => Promise<readonly string[]>
  /** A text, or texts and images that the model receives as separate blocks. */
  prompt: string | readonly PromptPart[]
  session: SessionWriter | undefined
  /** Hides secrets from the model, the session and the events; undefined to keep them. */
  secrets?: Secrets | undefined
  /** Called before tools are discovered and before the first call of each round. */
  beforeTools?: () => Promise<void>
  /** Records what shell commands change; `toolContext.beforeCommand` is its hook. */
  shellUndo?: Pick<ShellUndo, 'endTurn' | 'takeNotices'> | undefined
  signal: AbortSignal
  clock: Clock
  /** Called with every request before it is sent; an error with the code `budget` ends the turn. */
  beforeRequest?: (request: ModelRequest) => Promise<void>
  /** Cost of an answer in US dollars; undefined if the price is unknown. */
  cost?: (usage: Usage) => Promise<number | undefined>
  /** Maximum duration of one answer; undefined for no limit. */
  answerTimeoutMs?: number | undefined
  /** Elides old results from requests that would not fit; undefined to send everything. */
  context?: ContextBudget
  /** Whether requests may contain images; false by default. */
  acceptsImages?: boolean
}

export type PromptPart = ImagePart | TextPart

/**
 * Runs the tool; `signal` can abort it in addition to the signal of the turn, and `env` adds variables
 * to the environment of its commands.
 */
export type RunCall = (
  signal?: AbortSignal,
  env?: Readonly<Record<string, string>>,
) => Promise<Envelope>

export interface CallOutcome {
  result: Envelope
  /** A message for the user, shown after the result. */
  notice?: string
}

export type GatherLimits = Pick<ToolContext, 'signal' | 'timeoutMs'>

export interface GatheredTools {
  tools: readonly Tool[]
  /** Messages for the user about tools that are unavailable. */
  notices: readonly string[]
}

export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  const before = turn.history.length
  let reason: TurnEnd
  let isSynced = false
  try {
    try {
      turn.signal.throwIfAborted()
      turn.model.check()
      await addPrompt(turn)
      const ready = yield* addGatheredTools(turn)
      reason = yield* continueTurn(ready, yield* runRounds(ready))
    } catch (error) {
      // Drops a prompt without an answer; completed rounds stay, because their tools have run.
      if (turn.history.length === before + 1) turn.history.length = before
      reason = turn.signal.aborted ? 'interrupted' : 'error'
      const failure = turn.signal.aborted ? recordInterrupt(turn, error) : { error }
      if (turn.signal.aborted) yield { type: 'interrupted' }
      if (failure !== undefined) {
        reason = 'error'
        yield await hiddenError(turn, errorEvent(failure.error))
        if (!turn.signal.aborted) yield* reportFailedEnd(turn)
      }
    }
    await turn.shellUndo?.endTurn()
    yield* undoNotices(turn)
    isSynced = true
    const failure = syncSession(turn)
    yield* failure === undefined ? [] : [errorEvent(failure.error)]
    yield { type: 'turn_end', reason: failure === undefined ? reason : 'error' }
  } finally {
    // The caller has stopped reading events.
    if (!isSynced) turn.session?.sync()
  }
}

async function addPrompt(turn: Turn): Promise<void> {
  const { prompt, session, history } = turn
  const given = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt
  const parts: PromptPart[] = []
  for (const part of given) {
    parts.push(part.type === 'text' ? { ...part, text: await hidden(turn, part.text) } : part)
  }
  const images = parts.flatMap((part) => (part.type === 'image' ? [storedImage(part)] : []))
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  session?.append({
    type: 'message',
    role: 'user',
    text: texts.join('\n\n'),
    ...(images.length === 0 ? {} : { images }),
  })
  history.push({ role: 'user', parts })
}

async function hidden({ secrets }: Turn, text: string): Promise<string> {
  return secrets === undefined ? text : secrets.hide(text)
}

/** A short tool timeout must not apply to the start of an MCP server. */
const minGatherMs = 20_000

async function* addGatheredTools(turn: Turn): AsyncGenerator<AgentEvent, Turn, undefined> {
  if (turn.gather === undefined) return turn
  await turn.beforeTools?.()
  const { signal, toolContext } = turn
  const timeoutMs =
    toolContext.timeoutMs === undefined ? undefined : Math.max(toolContext.timeoutMs, minGatherMs)
  const { tools, notices } = await turn.gather({ signal, timeoutMs })
  for (const text of notices) yield { type: 'notice', text }
  return { ...turn, tools: [...turn.tools, ...tools] }
}

/** Reports the end of a failed turn, which cannot be continued. */
async function* reportFailedEnd(turn: Turn): AsyncGenerator<AgentEvent> {
  const decision = await turn.onEnd?.('error', turn.signal).catch(() => undefined)
  for (const text of decision?.notices ?? []) {
    yield { type: 'notice', text: await hidden(turn, text) }
  }
}

/** A turn that `onEnd` continues more often ends anyway. */
const maxContinuations = 3

/** Ends the turn, or continues it with the message of `onEnd`. */
async function* continueTurn(
  turn: Turn,
  firstReason: TurnEnd,
): AsyncGenerator<AgentEvent, TurnEnd, undefined> {
  let reason = firstReason
  for (let count = 0; turn.onEnd !== undefined; count++) {
    const { message, notices } = await turn.onEnd(reason, turn.signal)
    for (const text of notices) yield { type: 'notice', text: await hidden(turn, text) }
    turn.signal.throwIfAborted()
    if (message === undefined || reason !== 'done' || count === maxContinuations) break
    const text = await hidden(turn, message)
    turn.session?.append({ type: 'message', role: 'user', text })
    turn.history.push({ role: 'user', parts: [{ type: 'text', text }] })
    reason = yield* runRounds(turn, false)
  }
  return reason
}

/** Repeats request, tool calls and results until the model requests no more tools. */
async function* runRounds(
  turn: Turn,
  hasNoAnswer = true,
): AsyncGenerator<AgentEvent, TurnEnd, undefined> {
  let isEmpty = hasNoAnswer
  for (;;) {
    const sent = yield* withinContext(turn)
    const answer = yield* streamAnswer(sent)
    isEmpty &&= answer.text.trim() === ''
    const notice = stopNotice(answer)
    if (notice !== undefined) yield { type: 'notice', text: notice }
    if (answer.stop !== 'tool_use' || answer.calls.length === 0) {
      yield* finishAnswer(turn, answer)
      if (isEmpty) throw emptyTurnError(answer)
      return turnEndFor(answer.stop)
    }
    isEmpty = false
    recordAnswer(turn, answer)
    const results = yield* runCalls(sent, answer.calls)
    addRound(turn.history, answer, results)
    turn.signal.throwIfAborted()
    yield* addSteering(turn)
  }
}

/** Adds lines that the user queued during the turn, after the tool results. */
async function* addSteering(turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  for (const line of (await turn.steer?.()) ?? []) {
    const text = await hidden(turn, line)
    turn.session?.append({ type: 'message', role: 'user', text, steered: true })
    turn.history.push({ role: 'user', parts: [{ type: 'text', text }] })
    yield { type: 'steered', text }
  }
}

/** Elides old results if the next request would be too large; then the model needs `recall`. */
async function* withinContext(turn: Turn): AsyncGenerator<AgentEvent, Turn, undefined> {
  const { context, history, session } = turn
  if (context === undefined) return turn
  const step = await elideOldResults(history, turnBytes(turn), context, session)
  if (step !== undefined) yield { type: 'notice', text: elisionNotice(step) }
  if (!hasElidedResults(history)) return turn
  return { ...turn, tools: [...turn.tools, recallTool(context.results)] }
}

function elisionNotice({ events, tokens }: ElisionStep): string {
  return (
    `The context window is almost full: elided ${events.length} old tool results ` +
    `(about ${tokens} tokens) from the request; the model can recall them`
  )
}

function stopNotice({ stop, stopWord, cutCalls }: Answer): string | undefined {
  if (stop === 'max_tokens') {
    const what = cutCalls > 0 ? 'A tool call was cut off' : 'The answer was cut off'
    return `${what} at the token limit: raise max_tokens`
  }
  if (stop === 'other') return `The model stopped early (${stopWord ?? 'no reason'})`
  return stop === 'refusal' ? 'The model refused to continue' : undefined
}

function emptyTurnError({ stop, stopWord }: Answer): ModelError {
  const reason = stop === 'end' ? '' : ` (stop reason: ${stopWord ?? stop})`
  return new ModelError(
    'api_error',
    `the model returned no text and no completed tool call${reason}`,
  )
}

function turnEndFor(stop: StopReason): TurnEnd {
  return stop === 'end' || stop === 'tool_use' ? 'done' : stop
}

/** Appends the answer and its calls to the session, before any tool runs. */
function recordAnswer(turn: Turn, { thinking, text, calls, receipt }: Answer): void {
  const { session } = turn
  if (session === undefined) return
  for (const part of thinking) session.append(thinkingRecord(part))
  if (text === '' && calls.length === 0) session.append({ type: 'receipt' }, receipt)
  if (text !== '') session.append({ type: 'message', role: 'assistant', text }, receipt)
  calls.forEach(({ id, name, input }, index) => {
    // Without a text record, the first call carries the receipt.
    const hasReceipt = text === '' && index === 0
    session.append({ type: 'tool_use', id, name, input }, hasReceipt ? receipt : undefined)
  })
}

/** In the field order of session files. */
function thinkingRecord({ type, text, signature, provider, data }: ThinkingPart): NewRecord {
  return { type, text, signature, provider, data }
}

/** Runs the calls in sequence; after an interrupt the remaining calls do not run. */
async function* runCalls(
  turn: Turn,
  calls: readonly RequestedCall[],
): AsyncGenerator<AgentEvent, Envelope[], undefined> {
  for (const { id, name, input } of calls) yield { type: 'tool_requested', id, name, input }
  const results: Envelope[] = []
  await turn.beforeTools?.()
  for (const call of calls) {
    const { refused, notices } = await beforeCall(turn, call.invalid, callPart(call))
    for (const text of notices) yield { type: 'notice', text: await hidden(turn, text) }
    yield { type: 'tool_started', id: call.id, name: call.name }
    const { result: open, notices: later } =
      refused === undefined
        ? await afterCall(turn, callPart(call), await runCall(turn, call))
        : { result: refused, notices: [] }
    // A hook may have added context.
    const complete = turn.secrets === undefined ? open : await turn.secrets.hideResult(open)
    const { result, images } = splitImages(complete)
    turn.session?.append({
      type: 'tool_result',
      tool_use_id: call.id,
      output: result,
      ok: result.ok,
      ...(images.length === 0 ? {} : { images: images.map(storedImage) }),
    })
    results.push(complete)
    turn.context?.results.remember(call.id, call.name, call.input, result)
    yield { type: 'tool_finished', id: call.id, result }
    for (const text of later) yield { type: 'notice', text: await hidden(turn, text) }
    yield* undoNotices(turn)
    if (turn.signal.aborted) break
  }
  return results
}

function storedImage({ mediaType, data }: ImagePart): { media_type: string; data: string } {
  return { media_type: mediaType, data }
}

function* undoNotices({ shellUndo }: Turn): Generator<AgentEvent> {
  for (const text of shellUndo?.takeNotices() ?? []) yield { type: 'notice', text }
}

async function runCall(turn: Turn, call: RequestedCall): Promise<CallOutcome> {
  const run: RunCall = async (further, env) => {
    if (call.invalid !== undefined) return failure('invalid_input', call.invalid)
    const signal = further === undefined ? turn.signal : AbortSignal.any([turn.signal, further])
    return runWithSecrets(turn, call, {
      ...turn.toolContext,
      ...(env === undefined ? {} : { env: { ...turn.toolContext.env, ...env } }),
      signal,
      callId: call.id,
    })
  }
  return turn.around === undefined ? { result: await run() } : turn.around(callPart(call), run)
}

/** The tool receives values for placeholders; its result has placeholders again. */
async function runWithSecrets(
  { secrets, tools }: Turn,
  { name, input }: RequestedCall,
  context: ToolContext,
): Promise<Envelope> {
  if (secrets === undefined) return runTool(tools, name, input, context)
  const revealed = await secrets.reveal(input)
  if ('failure' in revealed) return revealed.failure
  const { onOutput } = context
  const filter = secrets.outputFilter()
  const filtered: ToolContext = {
    ...context,
    ...(onOutput && { onOutput: (id, chunk) => onOutput(id, filter(chunk)) }),
  }
  return secrets.hideResult(await runTool(tools, name, revealed.input, filtered))
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

interface Failure {
  error: unknown
}

/** Records the interrupt. Returns a failure to write to the session, now or before the interrupt. */
function recordInterrupt(turn: Turn, error: unknown): Failure | undefined {
  if (isNotRecorded(error)) return { error }
  try {
    turn.session?.append({ type: 'interrupted', role: 'system', text: 'Interrupted' })
    return undefined
  } catch (failure) {
    return { error: failure }
  }
}

function syncSession(turn: Turn): Failure | undefined {
  try {
    turn.session?.sync()
    return undefined
  } catch (error) {
    return { error }
  }
}

/** A provider may quote the key in its error. */
async function hiddenError(turn: Turn, event: AgentEvent): Promise<AgentEvent> {
  if (event.type !== 'error') return event
  const details = event.details === undefined ? undefined : await hidden(turn, event.details)
  return { ...event, message: await hidden(turn, event.message), details }
}

function errorEvent(error: unknown): AgentEvent {
  if (!(error instanceof ModelError)) {
    const kind = error instanceof ZeeError && error.code === 'budget' ? 'budget' : 'internal'
    return { type: 'error', kind, message: reasonOf(error) }
  }
  const { kind, message, details } = error
  return { type: 'error', kind, message, details }
}
