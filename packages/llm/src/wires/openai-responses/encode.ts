// Encodes a request for OpenAI's Responses API: a flat list of items. The server stores nothing, so
// reasoning is sent back as the encrypted item that the server produced.
import { asRecord, asString } from '../../json/json.ts'
import {
  messageText,
  type ImagePart,
  type Message,
  type ModelRequest,
  type Part,
  type ThinkingPart,
  type ToolSpec,
} from '../../request/request.ts'
import { createIdMap, safeToolName } from '../conversation.ts'
import { outputTokenLimit } from '../thinking-budget.ts'
import type { WireContext } from '../wire.ts'

export interface ResponsesBody {
  model: string
  instructions?: string
  input: ResponsesItem[]
  tools?: ResponsesTool[]
  max_output_tokens?: number
  temperature?: number
  top_p?: number
  reasoning?: { effort: 'low' | 'medium' | 'high'; summary: 'auto' }
  include?: 'reasoning.encrypted_content'[]
  store: false
  stream: boolean
}

type ResponsesItem =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { role: 'user'; content: InputImage[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string | OutputContent[] }
  | ReasoningItem

interface InputImage {
  type: 'input_image'
  detail: 'auto'
  image_url: string
}

type OutputContent = { type: 'input_text'; text: string } | InputImage

interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content: string
}

interface ResponsesTool {
  type: 'function'
  name: string
  description: string
  parameters: Record<string, unknown>
  strict: false
}

export function encodeResponses(request: ModelRequest, context: WireContext): ResponsesBody {
  const ids = createIdMap(64)
  const tools = (request.tools ?? []).map(encodeTool)
  const system = request.system?.trim() ? request.system : undefined
  const limit = outputTokenLimit(request.maxTokens, request.thinking, context.maxOutput)
  return {
    model: request.model,
    ...(system === undefined ? {} : { instructions: system }),
    input: request.messages.flatMap((message) => encodeMessage(message, context, ids)),
    ...(tools.length > 0 ? { tools } : {}),
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...reasoningFields(request),
    store: false,
    stream: request.stream ?? true,
  }
}

type IdMap = ReturnType<typeof createIdMap>

function encodeMessage(message: Message, context: WireContext, ids: IdMap): ResponsesItem[] {
  if (message.role === 'system') return textItem('system', messageText(message))
  const { role } = message
  // The API rejects reasoning that no other item follows.
  const hasContent = message.parts.some((part) => part.type !== 'thinking')
  if (!hasContent) return []
  const parts =
    role === 'assistant'
      ? message.parts
      : message.parts.toSorted((a, b) => Number(isResult(b)) - Number(isResult(a)))
  return parts.flatMap((part) => encodePart(part, role, context, ids))
}

function isResult(part: Part): boolean {
  return part.type === 'tool_result'
}

function encodePart(
  part: Part,
  role: 'user' | 'assistant',
  context: WireContext,
  ids: IdMap,
): ResponsesItem[] {
  switch (part.type) {
    case 'text':
      return textItem(role, part.text)
    case 'image':
      return [{ role: 'user', content: [encodeImage(part)] }]
    case 'thinking':
      return part.provider === context.provider ? reasoningItem(part) : []
    case 'tool_call': {
      const name = safeToolName(part.name)
      const json = JSON.stringify(asRecord(part.input) ?? {})
      return [{ type: 'function_call', call_id: ids.call(part.id), name, arguments: json }]
    }
    case 'tool_result':
      return [
        {
          type: 'function_call_output',
          call_id: ids.result(part.id),
          output: resultOutput(part.content, part.images ?? []),
        },
      ]
  }
}

function encodeImage({ mediaType, data }: ImagePart): InputImage {
  return { type: 'input_image', detail: 'auto', image_url: `data:${mediaType};base64,${data}` }
}

function resultOutput(text: string, images: readonly ImagePart[]): string | OutputContent[] {
  return images.length === 0 ? text : [{ type: 'input_text', text }, ...images.map(encodeImage)]
}

function textItem(role: 'system' | 'user' | 'assistant', content: string): ResponsesItem[] {
  return content === '' ? [] : [{ role, content }]
}

function reasoningItem({ text, signature, data }: ThinkingPart): ResponsesItem[] {
  const id = asString(asRecord(data)?.id)
  if (id === undefined || signature === undefined) return []
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }]
  return [{ type: 'reasoning', id, summary, encrypted_content: signature }]
}

function encodeTool({ name, description, schema }: ToolSpec): ResponsesTool {
  return { type: 'function', name, description, parameters: schema, strict: false }
}

/** Models without reasoning reject both fields, so they are sent only if thinking is requested. */
function reasoningFields({ thinking }: ModelRequest): Partial<ResponsesBody> {
  if (thinking === undefined || thinking === 'off') return {}
  return {
    reasoning: { effort: thinking, summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  }
}
