// Decodes responses of Gemini: each event has complete parts, and calls have no ids. A finish
// reason makes the answer complete; there is no final event, so the end of the body ends it.
import { apiError, parseError, streamError } from '../../errors/errors.ts'
import { asList, asNumber, asRecord, asString, type JsonObject } from '../../json/json.ts'
import { endOfToolCall, type StopReason, type Usage } from '../../request/request.ts'
import { parseChunk } from '../parse-chunk.ts'
import { tokenUsage, usageReporter, type ReportUsage } from '../token-usage.ts'
import type { Emit, WireContext, WireDecoder } from '../wire.ts'

interface State {
  finish: string | undefined
  detail: string | undefined
  calls: number
  thinking: string
  usage: Usage | undefined
  reportUsage: ReportUsage
  isDone: boolean
}

export function createGeminiDecoder(context: WireContext, emit: Emit): WireDecoder {
  const state: State = {
    finish: undefined,
    detail: undefined,
    calls: 0,
    thinking: '',
    usage: undefined,
    reportUsage: usageReporter(emit),
    isDone: false,
  }
  return {
    event(name, data) {
      const chunk = parseChunk(data)
      if (name === 'error' || chunk.error) throw apiError(chunk.error ?? chunk)
      addChunk(state, chunk, context, emit)
    },
    answer(value) {
      // Without `alt=sse` a stream is one JSON list of its events.
      for (const item of Array.isArray(value) ? value : [value]) {
        const chunk = asRecord(item)
        if (chunk?.error) throw apiError(chunk.error)
        if (chunk !== undefined) addChunk(state, chunk, context, emit)
      }
      if (state.finish === undefined) {
        throw parseError('The answer has no candidate with a finish reason', JSON.stringify(value))
      }
      finish(state, context, emit)
    },
    end() {
      if (state.finish === undefined) throw streamError('the stream ended before a finish reason')
      finish(state, context, emit)
    },
    done: () => state.isDone,
  }
}

function addChunk(state: State, chunk: JsonObject, context: WireContext, emit: Emit): void {
  state.usage = parseUsage(chunk.usageMetadata) ?? state.usage
  const blocked = asString(asRecord(chunk.promptFeedback)?.blockReason)
  if (blocked !== undefined) state.finish = blocked
  const candidate = asRecord(asList(chunk.candidates)[0])
  for (const part of asList(asRecord(candidate?.content)?.parts)) {
    const record = asRecord(part)
    if (record !== undefined) addPart(state, record, context, emit)
  }
  state.finish = asString(candidate?.finishReason) ?? state.finish
  state.detail = asString(candidate?.finishMessage) ?? state.detail
  if (state.finish === undefined) state.reportUsage(state.usage)
}

function addPart(state: State, part: JsonObject, context: WireContext, emit: Emit): void {
  const text = asString(part.text)
  if (part.thought === true) {
    if (!text) return
    state.thinking += text
    return emit({ type: 'thinking', text })
  }
  const call = asRecord(part.functionCall)
  const id = call === undefined ? undefined : asString(call.id) || context.newId()
  endThinking(state, context.provider, asString(part.thoughtSignature), id, emit)
  if (text) emit({ type: 'text', text })
  if (call !== undefined && id !== undefined) addCall(state, call, id, emit)
}

/** A signature belongs to the part after the thinking: a call, stored by its id, or text. */
function endThinking(
  state: State,
  provider: string,
  signature: string | undefined,
  call: string | undefined,
  emit: Emit,
): void {
  const text = state.thinking
  if (text === '' && signature === undefined) return
  state.thinking = ''
  const data = signature === undefined || call === undefined ? undefined : { call }
  const part = {
    type: 'thinking' as const,
    text,
    provider,
    signature: signature || undefined,
    data,
  }
  emit({ type: 'thinking_end', part })
}

function addCall(state: State, call: JsonObject, id: string, emit: Emit): void {
  state.calls++
  const name = asString(call.name) ?? ''
  const json = JSON.stringify(call.args ?? {})
  emit({ type: 'tool_call_start', id, name })
  emit({ type: 'tool_call_args', id, json })
  emit(endOfToolCall(id, name, json))
}

function finish(state: State, context: WireContext, emit: Emit): void {
  state.isDone = true
  endThinking(state, context.provider, undefined, undefined, emit)
  if (state.usage !== undefined) emit({ type: 'usage', usage: state.usage })
  const word = state.finish ?? ''
  const detail = state.detail === undefined ? word : `${word}: ${state.detail}`
  emit({ type: 'stop', reason: toStopReason(word, state.calls), detail })
}

function toStopReason(word: string, calls: number): StopReason {
  switch (word) {
    case 'STOP':
      return calls > 0 ? 'tool_use' : 'end'
    case 'MAX_TOKENS':
      return 'max_tokens'
    case 'SAFETY':
    case 'RECITATION':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
      return 'refusal'
    default:
      return 'other'
  }
}

function parseUsage(value: unknown): Usage | undefined {
  const usage = asRecord(value)
  if (usage === undefined) return undefined
  const thinking = asNumber(usage.thoughtsTokenCount) ?? 0
  return tokenUsage({
    input: usage.promptTokenCount,
    output: (asNumber(usage.candidatesTokenCount) ?? 0) + thinking,
    cached: usage.cachedContentTokenCount,
    thinking,
  })
}
