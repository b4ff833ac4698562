// Decodes responses of OpenAI's Responses API: each item is added, continued and done, identified
// by its output index. Unknown item and event types are skipped.
import { apiError, parseError, streamError } from '../../errors/errors.ts'
import {
  asList,
  asNumber,
  asRecord,
  asString,
  jsonErrorReason,
  type JsonObject,
} from '../../json/json.ts'
import { endOfToolCall, type StopReason, type Usage } from '../../request/request.ts'
import { emitText } from '../emit-text.ts'
import { tokenUsage, usageReporter } from '../token-usage.ts'
import type { Emit, WireContext, WireDecoder } from '../wire.ts'

interface Call {
  id: string
  name: string
  json: string
}

interface State {
  calls: Map<number, Call>
  endedCalls: number
  /** A summary part has started; a blank line separates it from the next one. */
  isSummaryOpen: boolean
  isRefused: boolean
  isDone: boolean
}

export function createResponsesDecoder(context: WireContext, emit: Emit): WireDecoder {
  const state: State = {
    calls: new Map(),
    endedCalls: 0,
    isSummaryOpen: false,
    isRefused: false,
    isDone: false,
  }
  return {
    event(name, data) {
      const event = parseEvent(name, data)
      if (event !== undefined)
        handleEvent(state, event, asString(event.type) ?? name, context, emit)
    },
    answer(value) {
      const response = asRecord(value)
      if (response?.error) throw apiError(response.error)
      if (response === undefined || !Array.isArray(response.output)) {
        throw parseError('The answer has no output', JSON.stringify(value))
      }
      for (const [index, value] of asList(response.output).entries()) {
        const item = asRecord(value)
        if (item !== undefined) addCompleteItem(state, index, item, context, emit)
      }
      finish(state, response, emit)
    },
    end() {
      throw streamError('the stream ended before response.completed')
    },
    done: () => state.isDone,
  }
}

function parseEvent(name: string | undefined, data: string): JsonObject | undefined {
  if (data.trim() === '[DONE]') return undefined
  try {
    return asRecord(JSON.parse(data))
  } catch (error) {
    throw parseError(`Invalid JSON in stream event ${name ?? '?'}: ${jsonErrorReason(error)}`, data)
  }
}

function handleEvent(
  state: State,
  event: JsonObject,
  type: string | undefined,
  context: WireContext,
  emit: Emit,
): void {
  const index = asNumber(event.output_index) ?? -1
  switch (type) {
    case 'response.output_text.delta':
      return emitText('text', event.delta, emit)
    case 'response.refusal.delta':
      state.isRefused = true
      return emitText('text', event.delta, emit)
    case 'response.reasoning_summary_part.added':
      if (state.isSummaryOpen) emitText('thinking', '\n\n', emit)
      state.isSummaryOpen = true
      return
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return emitText('thinking', event.delta, emit)
    case 'response.output_item.added':
      return openItem(state, index, asRecord(event.item), context, emit)
    case 'response.function_call_arguments.delta':
      return addArguments(state.calls.get(index), event.delta, emit)
    case 'response.output_item.done':
      return closeItem(state, index, asRecord(event.item), context, emit)
    case 'response.completed':
    case 'response.incomplete':
      return finish(state, asRecord(event.response) ?? {}, emit)
    case 'response.failed':
      usageReporter(emit)(parseUsage(asRecord(event.response)?.usage))
      throw apiError(asRecord(event.response)?.error ?? 'the response failed')
    case 'error':
      throw apiError(event.error ?? { type: event.code, message: event.message })
  }
}

function openItem(
  state: State,
  index: number,
  item: JsonObject | undefined,
  context: WireContext,
  emit: Emit,
): void {
  state.isSummaryOpen = false
  if (item?.type !== 'function_call') return
  const id = asString(item.call_id) || context.newId()
  const name = asString(item.name) ?? ''
  state.calls.set(index, { id, name, json: '' })
  emit({ type: 'tool_call_start', id, name })
}

function addArguments(call: Call | undefined, delta: unknown, emit: Emit): void {
  if (call === undefined || typeof delta !== 'string' || delta === '') return
  call.json += delta
  emit({ type: 'tool_call_args', id: call.id, json: delta })
}

/** The done item has the complete arguments; some servers send no deltas. */
function closeItem(
  state: State,
  index: number,
  item: JsonObject | undefined,
  context: WireContext,
  emit: Emit,
): void {
  const call = state.calls.get(index)
  state.calls.delete(index)
  if (item?.type === 'reasoning') return emitReasoning(item, context.provider, emit)
  // A call that the token limit cut off is also done, with the status `incomplete`.
  if (call === undefined || item?.status === 'incomplete') return
  if (call.json === '') addArguments(call, item?.arguments, emit)
  state.endedCalls++
  emit(endOfToolCall(call.id, call.name, call.json))
}

/** Only an item with encrypted content can be sent back. */
function emitReasoning(item: JsonObject, provider: string, emit: Emit): void {
  const signature = asString(item.encrypted_content)
  const data = signature === undefined ? undefined : { id: item.id }
  emit({
    type: 'thinking_end',
    part: { type: 'thinking', text: summaryText(item), provider, signature, data },
  })
}

function summaryText(item: JsonObject): string {
  const parts = [...asList(item.summary), ...asList(item.content)]
  return parts.map((part) => asString(asRecord(part)?.text) ?? '').join('\n\n')
}

function addCompleteItem(
  state: State,
  index: number,
  item: JsonObject,
  context: WireContext,
  emit: Emit,
): void {
  if (item.type === 'reasoning') emitText('thinking', summaryText(item), emit)
  for (const part of item.type === 'message' ? asList(item.content) : []) {
    const { text, refusal } = asRecord(part) ?? {}
    if (typeof refusal === 'string') state.isRefused = true
    emitText('text', text ?? refusal, emit)
  }
  openItem(state, index, item, context, emit)
  closeItem(state, index, item, context, emit)
}

function finish(state: State, response: JsonObject, emit: Emit): void {
  state.isDone = true
  const usage = parseUsage(response.usage)
  if (usage !== undefined) emit({ type: 'usage', usage })
  const incompleteReason = asString(asRecord(response.incomplete_details)?.reason)
  emit({
    type: 'stop',
    reason: toStopReason(state, incompleteReason),
    detail: incompleteReason ?? asString(response.status) ?? '',
  })
}

function toStopReason(state: State, incompleteReason: string | undefined): StopReason {
  if (incompleteReason === 'max_output_tokens') return 'max_tokens'
  if (incompleteReason === 'content_filter' || state.isRefused) return 'refusal'
  if (incompleteReason !== undefined) return 'other'
  return state.endedCalls > 0 ? 'tool_use' : 'end'
}

function parseUsage(value: unknown): Usage | undefined {
  const usage = asRecord(value)
  if (usage === undefined) return undefined
  const input = asRecord(usage.input_tokens_details)
  return tokenUsage({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cached: input?.cached_tokens,
    cacheWrite: input?.cache_write_tokens,
    thinking: asRecord(usage.output_tokens_details)?.reasoning_tokens,
  })
}
