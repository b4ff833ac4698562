// Decodes responses of the Anthropic Messages API: content blocks by index, which may interleave.
// Unknown event, block and delta types are skipped, as the API's versioning policy requires.
import { apiError, parseError, streamError } from '../../errors/errors.ts'
import {
  asList,
  asNumber,
  asRecord,
  asString,
  jsonErrorReason,
  type JsonObject,
} from '../../json/json.ts'
import {
  endOfToolCall,
  type StopReason,
  type ThinkingPart,
  type Usage,
} from '../../request/request.ts'
import { emitText } from '../emit-text.ts'
import { tokenUsage, usageReporter, type ReportUsage } from '../token-usage.ts'
import type { Emit, WireContext, WireDecoder } from '../wire.ts'

type OpenBlock =
  | { type: 'text' }
  | { type: 'thinking'; part: ThinkingPart }
  | { type: 'tool'; id: string; name: string; json: string; input: JsonObject }

interface State {
  blocks: Map<number, OpenBlock>
  usage: Counts
  hasUsage: boolean
  reportUsage: ReportUsage
  stopReason: string | undefined
  calls: number
  isDone: boolean
}

/** Token counts of the API: `input` excludes cached input. */
interface Counts {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  thinking: number
}

const knownEvents = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
])

export function createAnthropicDecoder(context: WireContext, emit: Emit): WireDecoder {
  const state: State = {
    blocks: new Map(),
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, thinking: 0 },
    hasUsage: false,
    reportUsage: usageReporter(emit),
    stopReason: undefined,
    calls: 0,
    isDone: false,
  }
  return {
    event(name, data) {
      const event = parseEvent(name, data)
      if (event !== undefined) handleEvent(state, event, name, context, emit)
    },
    answer: (value) => handleAnswer(state, value, context, emit),
    end() {
      throw streamError('the stream ended before message_stop')
    },
    done: () => state.isDone,
  }
}

function parseEvent(name: string | undefined, data: string): JsonObject | undefined {
  try {
    return asRecord(JSON.parse(data))
  } catch (error) {
    if (name !== undefined && !knownEvents.has(name)) return undefined
    throw parseError(`Invalid JSON in stream event ${name ?? '?'}: ${jsonErrorReason(error)}`, data)
  }
}

function handleEvent(
  state: State,
  event: JsonObject,
  name: string | undefined,
  context: WireContext,
  emit: Emit,
): void {
  switch (event.type ?? name) {
    case 'content_block_delta':
      return addDelta(state.blocks.get(indexOf(event)), asRecord(event.delta), emit)
    case 'content_block_start':
      return openBlock(state, indexOf(event), asRecord(event.content_block), context, emit)
    case 'content_block_stop':
      return closeBlock(state, indexOf(event), emit)
    case 'message_start':
      return updateUsage(state, asRecord(event.message)?.usage)
    case 'message_delta':
      state.stopReason = asString(asRecord(event.delta)?.stop_reason) ?? state.stopReason
      return updateUsage(state, event.usage)
    case 'message_stop':
      return finish(state, emit)
    case 'error':
      throw apiError(event.error ?? event)
  }
}

function indexOf(event: JsonObject): number {
  return asNumber(event.index) ?? -1
}

function openBlock(
  state: State,
  index: number,
  block: JsonObject | undefined,
  context: WireContext,
  emit: Emit,
): void {
  switch (block?.type) {
    case 'text':
      state.blocks.set(index, { type: 'text' })
      return emitText('text', block.text, emit)
    case 'thinking': {
      const text = asString(block.thinking) ?? ''
      const part: ThinkingPart = { type: 'thinking', text, provider: context.provider }
      const signature = asString(block.signature)
      if (signature) part.signature = signature
      state.blocks.set(index, { type: 'thinking', part })
      return emitText('thinking', text, emit)
    }
    case 'redacted_thinking': {
      const data = { redacted: asString(block.data) ?? '' }
      const part: ThinkingPart = { type: 'thinking', text: '', provider: context.provider, data }
      state.blocks.set(index, { type: 'thinking', part })
      return
    }
    case 'tool_use': {
      const id = asString(block.id) || context.newId()
      const name = asString(block.name) ?? ''
      state.blocks.set(index, {
        type: 'tool',
        id,
        name,
        json: '',
        input: asRecord(block.input) ?? {},
      })
      return emit({ type: 'tool_call_start', id, name })
    }
  }
}

function addDelta(block: OpenBlock | undefined, delta: JsonObject | undefined, emit: Emit): void {
  if (block === undefined || delta === undefined) return
  if (block.type === 'text') {
    if (delta.type === 'text_delta') emitText('text', delta.text, emit)
    return
  }
  if (block.type === 'tool') {
    const json = delta.type === 'input_json_delta' ? asString(delta.partial_json) : undefined
    if (!json) return
    block.json += json
    return emit({ type: 'tool_call_args', id: block.id, json })
  }
  if (delta.type === 'thinking_delta') {
    block.part.text += asString(delta.thinking) ?? ''
    return emitText('thinking', delta.thinking, emit)
  }
  const signature = delta.type === 'signature_delta' ? asString(delta.signature) : undefined
  if (signature) block.part.signature = (block.part.signature ?? '') + signature
}

function closeBlock(state: State, index: number, emit: Emit): void {
  const block = state.blocks.get(index)
  state.blocks.delete(index)
  if (block?.type === 'thinking') return emit({ type: 'thinking_end', part: block.part })
  if (block?.type !== 'tool') return
  state.calls++
  // Some compatible servers send the complete input with the start of the block.
  const json = block.json === '' ? JSON.stringify(block.input) : block.json
  emit(endOfToolCall(block.id, block.name, json))
}

/** Counts are cumulative: a later count replaces an earlier one. */
function updateUsage(state: State, value: unknown): void {
  const { usage: counts } = state
  const usage = asRecord(value)
  if (usage === undefined) return
  state.hasUsage = true
  const details = asRecord(usage.output_tokens_details)
  counts.input = asNumber(usage.input_tokens) ?? counts.input
  counts.cacheRead = asNumber(usage.cache_read_input_tokens) ?? counts.cacheRead
  counts.cacheWrite = asNumber(usage.cache_creation_input_tokens) ?? counts.cacheWrite
  counts.output = asNumber(usage.output_tokens) ?? counts.output
  counts.thinking = asNumber(details?.thinking_tokens) ?? counts.thinking
  state.reportUsage(totalUsage(counts))
}

function totalUsage({ input, cacheRead, cacheWrite, output, thinking }: Counts): Usage {
  const all = input + cacheRead + cacheWrite
  return tokenUsage({ input: all, output, cached: cacheRead, cacheWrite, thinking })
}

function finish(state: State, emit: Emit): void {
  state.isDone = true
  if (state.hasUsage) emit({ type: 'usage', usage: totalUsage(state.usage) })
  const word = state.stopReason ?? (state.calls > 0 ? 'tool_use' : 'end_turn')
  emit({ type: 'stop', reason: toStopReason(word), detail: word })
}

function toStopReason(word: string): StopReason {
  switch (word) {
    case 'end_turn':
    case 'stop_sequence':
      return 'end'
    case 'tool_use':
    case 'max_tokens':
    case 'refusal':
      return word
    default:
      return 'other'
  }
}

function handleAnswer(state: State, value: unknown, context: WireContext, emit: Emit): void {
  const message = asRecord(value)
  if (message?.error !== undefined) throw apiError(message.error)
  if (message === undefined || !Array.isArray(message.content)) {
    throw parseError('The answer is not a message', JSON.stringify(value))
  }
  for (const [index, block] of asList(message.content).entries()) {
    openBlock(state, index, asRecord(block), context, emit)
    closeBlock(state, index, emit)
  }
  state.stopReason = asString(message.stop_reason)
  updateUsage(state, message.usage)
  finish(state, emit)
}
