// Decodes responses of OpenAI's Chat Completions and of compatible servers. Tool calls arrive as
// deltas by index; only the first has id and name. A finish reason makes the answer complete, token
// counts may follow, and `[DONE]` ends it.
import { apiError, parseError, streamError } from '../../errors/errors.ts'
import { asList, asNumber, asRecord, asString, type JsonObject } from '../../json/json.ts'
import { endOfToolCall, type StopReason, type Usage } from '../../request/request.ts'
import { parseChunk } from '../parse-chunk.ts'
import { tokenUsage, usageReporter, type ReportUsage } from '../token-usage.ts'
import type { Emit, WireContext, WireDecoder } from '../wire.ts'

interface Call {
  id: string
  name: string
  json: string
  isStarted: boolean
}

interface State {
  calls: Call[]
  byIndex: Map<number, Call>
  thinking: { text: string; details: JsonObject[] }
  finish: string | undefined
  isRefused: boolean
  usage: Usage | undefined
  reportUsage: ReportUsage
  isDone: boolean
}

export function createChatDecoder(context: WireContext, emit: Emit): WireDecoder {
  const state: State = {
    calls: [],
    byIndex: new Map(),
    thinking: { text: '', details: [] },
    finish: undefined,
    isRefused: false,
    usage: undefined,
    reportUsage: usageReporter(emit),
    isDone: false,
  }
  return {
    event(name, data) {
      if (data.trim() === '[DONE]') return finish(state, context, emit)
      const chunk = parseChunk(data)
      if (name === 'error' || chunk.error) throw apiError(chunk.error ?? chunk)
      state.usage = parseUsage(chunk.usage) ?? state.usage
      const choice = asRecord(asList(chunk.choices)[0])
      if (choice !== undefined) addChoice(state, choice, asRecord(choice.delta), context, emit)
      if (state.finish === undefined) state.reportUsage(state.usage)
    },
    answer(value) {
      const answer = asRecord(value)
      if (answer?.error) throw apiError(answer.error)
      const choice = asRecord(asList(answer?.choices)[0])
      const message = asRecord(choice?.message)
      if (choice === undefined || message === undefined) {
        throw parseError('The answer has no choices[0].message', JSON.stringify(value))
      }
      if (!isContent(message.content)) {
        throw parseError('The content of the answer is not text', JSON.stringify(value))
      }
      state.usage = parseUsage(answer?.usage)
      addChoice(state, choice, message, context, emit)
      finish(state, context, emit)
    },
    end() {
      if (state.finish === undefined) throw streamError('the stream ended before a finish reason')
      finish(state, context, emit)
    },
    done: () => state.isDone,
    isCompleteEvent,
  }
}

/** Some servers omit the last blank line. A truncated event is neither `[DONE]` nor an object. */
function isCompleteEvent(data: string): boolean {
  const text = data.trim()
  if (text === '[DONE]') return true
  try {
    return asRecord(JSON.parse(text)) !== undefined
  } catch {
    return false
  }
}

function addChoice(
  state: State,
  choice: JsonObject,
  delta: JsonObject | undefined,
  context: WireContext,
  emit: Emit,
): void {
  if (choice.error) throw apiError(choice.error)
  if (delta !== undefined) {
    addThinking(state, delta, emit)
    addText(state, delta, context, emit)
    for (const piece of asList(delta.tool_calls))
      addCallDelta(state, asRecord(piece), context, emit)
  }
  state.finish = asString(choice.finish_reason) ?? state.finish
}

/** Compatible servers use one of two fields; OpenRouter adds details that it wants back. */
function addThinking(state: State, delta: JsonObject, emit: Emit): void {
  const text = asString(delta.reasoning_content) ?? asString(delta.reasoning)
  if (text) {
    state.thinking.text += text
    emit({ type: 'thinking', text })
  }
  for (const detail of asList(delta.reasoning_details)) {
    const piece = asRecord(detail)
    if (piece !== undefined) appendDetail(state.thinking.details, piece)
  }
}

/** Deltas of one detail share index and type; their strings are concatenated. */
function appendDetail(details: JsonObject[], piece: JsonObject): void {
  const last = details.at(-1)
  const sameBlock = last !== undefined && last.type === piece.type && last.index === piece.index
  if (!sameBlock || piece.index === undefined) {
    details.push({ ...piece })
    return
  }
  for (const [key, value] of Object.entries(piece)) {
    const isDelta = ['text', 'summary', 'data', 'signature'].includes(key)
    if (isDelta && typeof value === 'string') last[key] = (asString(last[key]) ?? '') + value
    else if (value !== null) last[key] = value
  }
}

function addText(state: State, delta: JsonObject, context: WireContext, emit: Emit): void {
  const refusal = asString(delta.refusal)
  if (refusal) state.isRefused = true
  for (const text of [contentText(delta.content), refusal]) {
    if (!text) continue
    endThinking(state, context, emit)
    emit({ type: 'text', text })
  }
}

function isContent(content: unknown): boolean {
  return content === undefined || content === null || contentText(content) !== undefined
}

function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return asString(content)
  return content.map((part) => asString(asRecord(part)?.text) ?? '').join('')
}

function addCallDelta(
  state: State,
  piece: JsonObject | undefined,
  context: WireContext,
  emit: Emit,
): void {
  if (piece === undefined) return
  endThinking(state, context, emit)
  const details = asRecord(piece.function)
  const call = findOrAddCall(state, piece, asString(details?.name))
  call.id ||= asString(piece.id) ?? ''
  call.name ||= asString(details?.name) ?? ''
  if (!call.isStarted && call.name !== '') {
    call.isStarted = true
    call.id ||= context.newId()
    emit({ type: 'tool_call_start', id: call.id, name: call.name })
    if (call.json !== '') emit({ type: 'tool_call_args', id: call.id, json: call.json })
  }
  const args = details?.arguments
  const json = asRecord(args) === undefined ? asString(args) : JSON.stringify(args)
  if (!json) return
  call.json += json
  if (call.isStarted) emit({ type: 'tool_call_args', id: call.id, json })
}

/** Some servers send index 0 for every call, or none; a new id with a name is a new call. */
function findOrAddCall(state: State, piece: JsonObject, name: string | undefined): Call {
  const id = asString(piece.id)
  const index = asNumber(piece.index) ?? (id || name ? state.calls.length : state.calls.length - 1)
  const open = state.byIndex.get(index)
  const isNew = open !== undefined && id && name && open.id !== '' && open.id !== id
  if (open !== undefined && !isNew) return open
  const call: Call = { id: '', name: '', json: '', isStarted: false }
  state.calls.push(call)
  state.byIndex.set(index, call)
  return call
}

function endThinking(state: State, context: WireContext, emit: Emit): void {
  const { text, details } = state.thinking
  if (text === '' && details.length === 0) return
  state.thinking = { text: '', details: [] }
  const data = details.length > 0 ? { reasoning_details: details } : undefined
  const part = { type: 'thinking' as const, text, provider: context.provider, data }
  emit({ type: 'thinking_end', part })
}

function finish(state: State, context: WireContext, emit: Emit): void {
  state.isDone = true
  endThinking(state, context, emit)
  const calls = state.calls.filter((call) => call.isStarted)
  // The token limit cuts off the last call; with no arguments yet it would look complete.
  if (state.finish === 'length') calls.pop()
  for (const call of calls) emit(endOfToolCall(call.id, call.name, call.json))
  if (state.usage !== undefined) emit({ type: 'usage', usage: state.usage })
  const word = state.finish ?? 'stop'
  const reason = state.isRefused ? 'refusal' : toStopReason(word, calls.length)
  emit({ type: 'stop', reason, detail: word })
}

function toStopReason(word: string, calls: number): StopReason {
  switch (word) {
    case 'stop':
      return calls > 0 ? 'tool_use' : 'end'
    case 'tool_calls':
    case 'function_call':
      return 'tool_use'
    case 'length':
      return 'max_tokens'
    case 'content_filter':
      return 'refusal'
    default:
      return 'other'
  }
}

function parseUsage(value: unknown): Usage | undefined {
  const usage = asRecord(value)
  if (usage === undefined) return undefined
  const input = asRecord(usage.prompt_tokens_details)
  return tokenUsage({
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cached: input?.cached_tokens,
    cacheWrite: input?.cache_write_tokens,
    thinking: asRecord(usage.completion_tokens_details)?.reasoning_tokens,
  })
}
