// Request rules of the Anthropic Messages API.
import type { SeenRequest } from './fake-anthropic.ts'

type Block = Readonly<Record<string, unknown>>

/** Describes the first rule that the request breaks; undefined when it breaks none. */
export function brokenRule({ headers, path, raw, body }: SeenRequest): string | undefined {
  if ((raw.match(/"cache_control":/g) ?? []).length > 4) return 'cache_control: at most four'
  if (!path.endsWith('/v1/messages')) return `unknown path ${path}`
  if (!headers['x-api-key']) return 'x-api-key: missing'
  if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: missing'
  if (headers['content-type'] !== 'application/json') return 'content-type: not JSON'
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) return 'max_tokens: invalid'
  if (body.tools !== undefined && body.tools.length === 0) return 'tools: empty'
  if (body.system === '') return 'system: empty'
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one is needed'
  if (messages[0]?.role !== 'user') return 'messages: the first must be from the user'
  return messages.map((_message, index) => messageRule(messages, index)).find(Boolean)
}

function messageRule(messages: SeenRequest['body']['messages'], index: number): string | undefined {
  const message = messages[index]
  const where = `messages.${index}`
  if (message === undefined) return undefined
  if (message.role !== 'user' && message.role !== 'assistant') return `${where}: unknown role`
  if (messages[index - 1]?.role === message.role) return `${where}: roles must alternate`
  if (typeof message.content === 'string') {
    return message.content.trim() === '' ? `${where}: text must not be empty` : undefined
  }
  const blocks = blocksOf(message)
  if (blocks.length === 0) return `${where}: content must not be empty`
  const bad = blocks.map((block) => blockRule(block, message.role)).find(Boolean)
  if (bad !== undefined) return `${where}: ${bad}`
  return pairingRule(messages, index, where)
}

function blockRule(block: Block, role: string): string | undefined {
  switch (block.type) {
    case 'text':
      return String(block.text).trim() === '' ? 'text blocks must not be empty' : undefined
    case 'image':
      return role === 'user' ? undefined : 'an image belongs to the user'
    case 'tool_use':
      if (role !== 'assistant') return 'tool_use belongs to the assistant'
      if (!/^[A-Za-z0-9_-]+$/.test(String(block.id))) return 'tool_use.id: invalid'
      return isObject(block.input) ? undefined : 'tool_use.input must be an object'
    case 'tool_result':
      if (role !== 'user') return 'tool_result belongs to the user'
      return block.is_error === false ? 'is_error is sent only when true' : undefined
    case 'thinking':
    case 'redacted_thinking':
      return role === 'assistant' ? undefined : 'thinking belongs to the assistant'
    default:
      return `unknown block ${String(block.type)}`
  }
}

/** The next message contains one tool_result for every tool_use, and no other. */
function pairingRule(
  messages: SeenRequest['body']['messages'],
  index: number,
  where: string,
): string | undefined {
  const called = idsOf(messages[index], 'tool_use', 'id')
  const answered = idsOf(messages[index + 1], 'tool_result', 'tool_use_id')
  if (called.join() !== answered.join() && messages[index]?.role === 'assistant') {
    return `${where}: tool_use ids [${called.join()}] but tool_result ids [${answered.join()}]`
  }
  if (messages[index]?.role === 'user' && index === 0) {
    const orphans = idsOf(messages[0], 'tool_result', 'tool_use_id')
    if (orphans.length > 0) return `${where}: tool_result without tool_use`
  }
  return undefined
}

function idsOf(
  message: { content: unknown } | undefined,
  type: string,
  key: 'id' | 'tool_use_id',
): string[] {
  return blocksOf(message)
    .filter((block) => block.type === type)
    .map((block) => String(block[key]))
}

function blocksOf(message: { content: unknown } | undefined): Block[] {
  return Array.isArray(message?.content) ? (message.content as Block[]) : []
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
