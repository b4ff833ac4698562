// Encodes a request for the Anthropic Messages API.
import { asRecord, asString } from '../../json/json.ts'
import type {
  ImagePart,
  ModelRequest,
  Part,
  ThinkingPart,
  ToolSpec,
} from '../../request/request.ts'
import { arrangeConversation, createIdMap, safeToolName, type Turn } from '../conversation.ts'
import { outputTokenLimit, thinkingBudgets } from '../thinking-budget.ts'
import type { WireContext } from '../wire.ts'

export interface AnthropicBody {
  model: string
  max_tokens: number
  messages: AnthropicMessage[]
  tools?: AnthropicTool[]
  system?: string
  temperature?: number
  top_p?: number
  thinking?: AnthropicThinking
  output_config?: { effort: 'low' | 'medium' | 'high' }
  stream: boolean
}

export interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: string | AnthropicBlock[]
}

export type AnthropicBlock =
  | { type: 'text'; text: string; cache_control?: CacheControl }
  | ImageBlock
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | ToolResultBlock

interface ImageBlock {
  type: 'image'
  source: { type: 'base64'; media_type: ImageType; data: string }
  cache_control?: CacheControl
}

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content: string | ({ type: 'text'; text: string } | ImageBlock)[]
  is_error?: true
  cache_control?: CacheControl
}

interface AnthropicTool {
  name: string
  description: string
  input_schema: { type: 'object'; [key: string]: unknown }
  cache_control?: CacheControl
}

type AnthropicThinking =
  | { type: 'enabled'; budget_tokens: number }
  | { type: 'adaptive'; display: 'summarized' }
  | { type: 'disabled' }

interface CacheControl {
  type: 'ephemeral'
}

/** The API requires a value; for models with an unknown maximum. */
const defaultMaxTokens = 16_384
/** The API rejects a smaller thinking budget, and one that leaves no tokens for the answer. */
const minThinkingBudget = 1024

export function encodeAnthropic(request: ModelRequest, context: WireContext): AnthropicBody {
  const { system, messages } = arrangeConversation(request)
  const encoded = encodeTurns(messages, context.provider)
  const tools = (request.tools ?? []).map(encodeTool)
  if (request.cache === true) markCachePrefixes(encoded, tools)
  const canThink = canStartThinking(encoded)
  const limit = maxTokens(request, canThink, context)
  const thinking = thinkingFields(request, canThink, limit)
  return {
    model: request.model,
    max_tokens: limit,
    messages: encoded,
    ...(tools.length > 0 ? { tools } : {}),
    ...(system === undefined ? {} : { system }),
    ...samplingFields(request, thinking.thinking),
    ...thinking,
    stream: request.stream ?? true,
  }
}

function maxTokens(request: ModelRequest, canThink: boolean, { maxOutput }: WireContext): number {
  const level = canThink ? request.thinking : undefined
  return (
    outputTokenLimit(request.maxTokens, level, maxOutput) ??
    defaultMaxTokens + thinkingBudgets[level ?? 'off']
  )
}

function encodeTurns(turns: readonly Turn[], provider: string): AnthropicMessage[] {
  const ids = createIdMap(128)
  return turns.map(({ role, parts }) => {
    const blocks = parts.flatMap((part) => encodePart(part, provider, ids))
    const only = blocks.length === 1 ? blocks[0] : undefined
    return { role, content: only?.type === 'text' ? only.text : blocks }
  })
}

function encodePart(
  part: Part,
  provider: string,
  ids: ReturnType<typeof createIdMap>,
): AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'image':
      return [encodeImage(part)]
    case 'thinking':
      return encodeThinking(part, provider)
    case 'tool_call':
      return [
        {
          type: 'tool_use',
          id: ids.call(part.id),
          name: safeToolName(part.name),
          input: asRecord(part.input) ?? {},
        },
      ]
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: ids.result(part.id),
          content: resultContent(part.content, part.images ?? []),
          ...(part.isError ? { is_error: true as const } : {}),
        },
      ]
  }
}

function encodeImage({ mediaType, data }: ImagePart): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: mediaType as ImageType, data } }
}

function resultContent(text: string, images: readonly ImagePart[]): ToolResultBlock['content'] {
  return images.length === 0 ? text : [{ type: 'text', text }, ...images.map(encodeImage)]
}

/** Omits thinking of another provider and thinking without a signature, which was cut off. */
function encodeThinking(part: ThinkingPart, provider: string): AnthropicBlock[] {
  if (part.provider !== provider) return []
  const redacted = asString(asRecord(part.data)?.redacted)
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }]
  if (part.signature === undefined) return []
  return [{ type: 'thinking', thinking: part.text, signature: part.signature }]
}

function encodeTool(tool: ToolSpec): AnthropicTool {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.schema, type: 'object' },
  }
}

/** Marks the last tool and the last two user messages, which the next request repeats. */
function markCachePrefixes(messages: AnthropicMessage[], tools: AnthropicTool[]): void {
  const mark: CacheControl = { type: 'ephemeral' }
  const lastTool = tools.at(-1)
  if (lastTool !== undefined) lastTool.cache_control = mark
  const users = messages.filter((message) => message.role === 'user').slice(-2)
  for (const message of users) {
    if (typeof message.content === 'string') {
      message.content = [{ type: 'text', text: message.content, cache_control: mark }]
      continue
    }
    const last = message.content.at(-1)
    if (last?.type === 'text' || last?.type === 'image' || last?.type === 'tool_result') {
      last.cache_control = mark
    }
  }
}

type ThinkingFields = Pick<AnthropicBody, 'thinking' | 'output_config'>

function thinkingFields(request: ModelRequest, canThink: boolean, limit: number): ThinkingFields {
  const level = request.thinking
  const byBudget = usesThinkingBudget(request.model)
  if (level === undefined || (level === 'off' && byBudget)) return {}
  if (level === 'off') return { thinking: { type: 'disabled' } }
  if (!canThink) return {}
  if (byBudget) {
    const budget = Math.min(thinkingBudgets[level], limit - minThinkingBudget)
    return budget < minThinkingBudget
      ? {}
      : { thinking: { type: 'enabled', budget_tokens: budget } }
  }
  return {
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: level },
  }
}

/** Models up to 4.5 take a token budget; later models take an effort level. */
function usesThinkingBudget(model: string): boolean {
  const version = /claude-(?:(?:opus|sonnet|haiku)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model)
  if (version === null) return false
  const major = Number(version[1])
  return major < 4 || (major === 4 && Number(version[2] ?? 0) <= 5)
}

/** The API rejects thinking within a tool loop that started without it. */
function canStartThinking(messages: readonly AnthropicMessage[]): boolean {
  const last = messages.at(-1)?.content
  if (!Array.isArray(last) || !last.some((block) => block.type === 'tool_result')) return true
  const lastAnswer = messages.findLast((message) => message.role === 'assistant')?.content
  return Array.isArray(lastAnswer) && (lastAnswer[0]?.type ?? '').endsWith('thinking')
}

/** The API rejects sampling parameters if thinking is on. */
function samplingFields(
  request: ModelRequest,
  thinking: AnthropicThinking | undefined,
): Pick<AnthropicBody, 'temperature' | 'top_p'> {
  if (thinking !== undefined && thinking.type !== 'disabled') return {}
  return {
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
  }
}
