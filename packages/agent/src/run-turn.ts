// One turn: ask the model, run the tools it wants, tell it the results, until it is done.
// An async iterable of events that never throws; failures are `error` events.
import { reasonOf } from '@zee/core/errors'
import type {
  Message,
  Model,
  ModelRequest,
  Part,
  StopReason,
  ThinkingPart,
  ToolCallPart,
  Usage,
} from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Envelope } from './envelope.ts'
import { failure } from './envelope.ts'
import type { AgentEvent } from './events.ts'
import { joinNeighbours } from './session/rebuild-messages.ts'
import type { SessionWriter } from './session/session-file.ts'
import { toolResultPart } from './session/tool-result-part.ts'
import type { Tool, ToolContext } from './tools/tool.ts'
import { runTool } from './tools/toolbox.ts'

export interface Turn {
  model: Model
  /** Everything of the request but the messages and the tools. */
  request: Omit<ModelRequest, 'messages' | 'tools'>
  tools: readonly Tool[]
  at: Omit<ToolContext, 'signal'>
  /** What was said before; the turn adds to it what it completes. */
  history: Message[]
  prompt: string
  session: SessionWriter | undefined
  signal: AbortSignal
}

/** What one answer of the model held. */
interface Answer {
  text: string
  thinking: ThinkingPart[]
  calls: RequestedCall[]
  usage: Usage | undefined
  stop: StopReason
}

interface RequestedCall extends ToolCallPart {
  /** Why the input cannot be used, when the model sent broken JSON. */
  invalid?: string
}

export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  const before = turn.history.length
  try {
    turn.signal.throwIfAborted()
    turn.model.check()
    turn.session?.append({ type: 'message', role: 'user', text: turn.prompt })
    turn.history.push({ role: 'user', parts: [{ type: 'text', text: turn.prompt }] })
    for (;;) {
      const answer = yield* ask(turn)
      if (answer.stop !== 'tool_use' || answer.calls.length === 0) {
        yield* finish(turn, answer)
        return
      }
      record(turn, answer)
      const results = yield* runCalls(turn, answer.calls)
      addRound(turn.history, answer, results)
      turn.signal.throwIfAborted()
    }
  } catch (error) {
    // A prompt that came to nothing is not sent again; what tools did has happened and stays.
    if (turn.history.length === before + 1) turn.history.length = before
    yield turn.signal.aborted ? interrupted(turn) : errorEvent(error)
  } finally {
    syncQuietly(turn.session)
  }
}

/** Sends the history and passes the answer on as it arrives. */
async function* ask(turn: Turn): AsyncGenerator<AgentEvent, Answer, undefined> {
  const answer: Answer = { text: '', thinking: [], calls: [], usage: undefined, stop: 'other' }
  const started = new Set<string>()
  const request = { ...turn.request, messages: joinNeighbours(turn.history), tools: specs(turn) }
  try {
    for await (const event of turn.model.stream(request, turn.signal)) {
      switch (event.type) {
        case 'text':
          answer.text += event.text
          yield { type: 'assistant_delta', text: event.text }
          break
        case 'thinking':
          yield { type: 'thinking_delta', text: event.text }
          break
        case 'thinking_end':
          answer.thinking.push(event.part)
          break
        case 'tool_call_start':
          started.add(event.id)
          break
        case 'tool_call_end':
          started.delete(event.id)
          answer.calls.push(requestedCall(event))
          break
        case 'usage':
          answer.usage = event.usage
          yield { type: 'usage', usage: event.usage }
          break
        case 'stop':
          answer.stop = event.reason
          break
        case 'tool_call_args':
          break
      }
    }
  } catch (error) {
    keepPartialText(turn, answer)
    throw error
  }
  const notice = stopNotice(answer, started.size)
  if (notice !== undefined) yield { type: 'notice', text: notice }
  return answer
}

function specs(
  turn: Turn,
): { name: string; description: string; schema: Record<string, unknown> }[] {
  return turn.tools.map(({ name, description, schema }) => ({
    name,
    description,
    schema: { ...schema },
  }))
}

function requestedCall(
  event: { id: string; name: string } & (
    | { input: Record<string, unknown> }
    | { invalid: { message: string } }
  ),
): RequestedCall {
  const { id, name } = event
  if ('input' in event) return { type: 'tool_call', id, name, input: event.input }
  return { type: 'tool_call', id, name, input: {}, invalid: event.invalid.message }
}

function stopNotice(answer: Answer, cutCalls: number): string | undefined {
  if (answer.stop === 'max_tokens') {
    const what = cutCalls > 0 ? 'A tool call was cut off' : 'The answer was cut off'
    return `${what} at the token limit: raise max_tokens`
  }
  return answer.stop === 'refusal' ? 'The model refused to go on' : undefined
}

/** What had been said when the connection or the user ended it is kept as said. */
function keepPartialText(turn: Turn, answer: Answer): void {
  if (!turn.signal.aborted || answer.text.trim() === '') return
  turn.session?.append({ type: 'message', role: 'assistant', text: answer.text })
  turn.history.push({ role: 'assistant', parts: [{ type: 'text', text: answer.text }] })
}

/** Writes what the model said and asked for, before any tool runs. */
function record(turn: Turn, answer: Answer): void {
  for (const { type, text, signature, provider, data } of answer.thinking) {
    turn.session?.append({
      type,
      text,
      ...(signature === undefined ? {} : { signature }),
      provider,
      ...(data === undefined ? {} : { data }),
    })
  }
  if (answer.text !== '') {
    turn.session?.append({
      type: 'message',
      role: 'assistant',
      text: answer.text,
      provider: turn.model.provider,
      model: turn.request.model,
      ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    })
  }
  for (const { id, name, input } of answer.calls) {
    turn.session?.append({ type: 'tool_use', id, name, input })
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
    const result = await runCall(turn, call)
    turn.session?.append({
      type: 'tool_result',
      tool_use_id: call.id,
      output: result,
      ok: result.ok,
    })
    results.push(result)
    yield { type: 'tool_finished', id: call.id, result }
    if (turn.signal.aborted) break
  }
  return results
}

async function runCall(turn: Turn, call: RequestedCall): Promise<Envelope> {
  if (call.invalid !== undefined) return failure('invalid_input', call.invalid)
  return runTool(turn.tools, call.name, call.input, { ...turn.at, signal: turn.signal })
}

function addRound(history: Message[], answer: Answer, results: readonly Envelope[]): void {
  history.push({ role: 'assistant', parts: [...spoken(answer), ...answer.calls.map(callPart)] })
  const parts = answer.calls.map(({ id }, index) =>
    toolResultPart(id, results[index] ?? failure('cancelled', 'Interrupted by the user')),
  )
  history.push({ role: 'user', parts })
}

function callPart({ type, id, name, input }: RequestedCall): ToolCallPart {
  return { type, id, name, input }
}

function spoken(answer: Answer): Part[] {
  const said = answer.text.trim() !== ''
  return [...answer.thinking, ...(said ? [{ type: 'text', text: answer.text } as const] : [])]
}

function* finish(turn: Turn, answer: Answer): Generator<AgentEvent> {
  record(turn, { ...answer, calls: [] })
  if (answer.text === '') return
  if (answer.text.trim() !== '') turn.history.push({ role: 'assistant', parts: spoken(answer) })
  yield { type: 'assistant_final', text: answer.text }
}

function interrupted(turn: Turn): AgentEvent {
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
