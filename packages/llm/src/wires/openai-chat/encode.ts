// Encodes a request for OpenAI's Chat Completions and compatible endpoints. Text messages are sent
// unchanged, so that a router on top of this wire can pass them through.
import { asList, asRecord } from '../../json/json.ts'
import {
  messageText,
  type ImagePart,
  type Message,
  type ModelRequest,
  type ThinkingPart,
  type ToolCallPart,
  type ToolSpec,
} from '../../request/request.ts'
import { createIdMap, safeToolName } from '../conversation.ts'
import { outputTokenLimit } from '../thinking-budget.ts'
import type { Quirks, WireContext } from '../wire.ts'

export interface ChatBody {
  model: string
  messages: ChatMessage[]
  tools?: ChatTool[]
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  top_p?: number
  reasoning_effort?: 'low' | 'medium' | 'high'
  reasoning?: { effort: 'low' | 'medium' | 'high' } | { enabled: false }
  stream: boolean
  stream_options?: { include_usage: true }
}

type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ChatContent[] }
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string }

type ChatContent =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }

interface AssistantMessage {
  role: 'assistant'
  content: string | null
  tool_calls?: ChatToolCall[]
  reasoning_details?: unknown[]
}

interface ChatToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

interface ChatTool {
  type: 'function'
  function: { name: string; description: string; parameters: Record<string, unknown> }
}

export function encodeChat(request: ModelRequest, context: WireContext): ChatBody {
  const ids = createIdMap(40)
  const system = request.system?.trim() ? [systemMessage(request.system)] : []
  const messages = request.messages.flatMap((message) => encodeMessage(message, context, ids))
  const tools = (request.tools ?? []).map(encodeTool)
  const stream = request.stream ?? true
  return {
    model: request.model,
    messages: [...system, ...messages],
    ...(tools.length > 0 ? { tools } : {}),
    ...maxTokensField(request, context),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...reasoningFields(request, context.quirks),
    stream,
    ...(stream && context.quirks.streamUsage === true
      ? { stream_options: { include_usage: true } }
      : {}),
  }
}

type IdMap = ReturnType<typeof createIdMap>

function encodeMessage(message: Message, context: WireContext, ids: IdMap): ChatMessage[] {
  // The author wrote it in this form, so it is not checked.
  if (message.original !== undefined) return [message.original as unknown as ChatMessage]
  if (message.role === 'system') return [systemMessage(messageText(message))]
  if (message.role === 'assistant') return encodeAssistant(message, context, ids)
  const results = message.parts.flatMap((part): ChatMessage[] =>
    part.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: ids.result(part.id), content: part.content }]
      : [],
  )
  return [...results, ...encodeUserContent(message)]
}

/** A tool message holds text only, so the images of results follow in a user message. */
function encodeUserContent({ parts }: Message): ChatMessage[] {
  const content = parts.flatMap((part): ChatContent[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'image') return [encodeImage(part)]
    return part.type === 'tool_result' ? (part.images ?? []).map(encodeImage) : []
  })
  if (content.some(({ type }) => type === 'image_url')) return [{ role: 'user', content }]
  return content.map((part) => ({
    role: 'user',
    content: part.type === 'text' ? part.text : [part],
  }))
}

function encodeImage({ mediaType, data }: ImagePart): ChatContent {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } }
}

function systemMessage(content: string): ChatMessage {
  return { role: 'system', content }
}

function encodeAssistant(message: Message, context: WireContext, ids: IdMap): ChatMessage[] {
  const calls = message.parts.flatMap((part) =>
    part.type === 'tool_call' ? [encodeCall(part, ids)] : [],
  )
  const hasText = message.parts.some((part) => part.type === 'text')
  if (!hasText && calls.length === 0) return []
  const text = messageText(message)
  const details = message.parts.flatMap((part) =>
    part.type === 'thinking' ? reasoningDetails(part, context) : [],
  )
  return [
    {
      role: 'assistant',
      content: calls.length > 0 && text === '' ? null : text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
    },
  ]
}

function encodeCall(part: ToolCallPart, ids: IdMap): ChatToolCall {
  return {
    id: ids.call(part.id),
    type: 'function',
    function: {
      name: safeToolName(part.name),
      arguments: JSON.stringify(asRecord(part.input) ?? {}),
    },
  }
}

function reasoningDetails(part: ThinkingPart, context: WireContext): readonly unknown[] {
  if (part.provider !== context.provider) return []
  return asList(asRecord(part.data)?.reasoning_details)
}

function encodeTool(tool: ToolSpec): ChatTool {
  const { name, description, schema } = tool
  return { type: 'function', function: { name, description, parameters: schema } }
}

function maxTokensField(request: ModelRequest, context: WireContext): Partial<ChatBody> {
  const { quirks, maxOutput } = context
  const level = quirks.reasoning === undefined ? undefined : request.thinking
  const limit = outputTokenLimit(request.maxTokens, level, maxOutput)
  return limit === undefined ? {} : { [quirks.maxTokensField ?? 'max_tokens']: limit }
}

function reasoningFields(request: ModelRequest, quirks: Quirks): Partial<ChatBody> {
  const level = request.thinking
  if (level === undefined) return {}
  if (quirks.reasoning === 'object') {
    return { reasoning: level === 'off' ? { enabled: false } : { effort: level } }
  }
  return quirks.reasoning === 'effort' && level !== 'off' ? { reasoning_effort: level } : {}
}
