// Reads a request of OpenAI's Chat Completions. zino answers the last message; earlier ones are its
// context, unless a channel holds the history.
import type { ChatMessage } from '../../fields/fields.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import { badRequest } from '../reply.ts'
import { modelName } from '../status.ts'

export interface ChatRequest {
  model: string
  message: string
  /** Messages before the last one. */
  history: ChatMessage[]
  channel: string | undefined
  stream: boolean
  /** `stream_options.include_usage`: the tokens follow in an event of their own. */
  streamsUsage: boolean
}

const roles: ReadonlyMap<unknown, string> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

export const channelHeader = 'x-zino-channel'

/** Throws a bad request that names the field. Fields of the API that zino does not know are ignored. */
export function readChatRequest(
  body: Message,
  headers: Readonly<Record<string, unknown>>,
): ChatRequest {
  const { model, messages, stream = false, n = 1 } = body
  if (model !== undefined && typeof model !== 'string') throw badRequest('model must be text')
  if (stream !== null && typeof stream !== 'boolean') {
    throw badRequest('stream must be true or false')
  }
  if (n !== 1 && n !== null) throw badRequest('n must be 1: zino gives one answer')
  if (!Array.isArray(messages)) throw badRequest('messages must be a list')
  const all = messages.map((message: unknown, index) => chatMessage(message, index))
  const last = all.at(-1)
  if (last === undefined) throw badRequest('messages must not be empty')
  if (last.role !== 'user') throw badRequest('the last message must be from the user')
  if (last.content.trim() === '') throw badRequest('the last message must not be empty')
  const channel = channelOf(body, headers)
  const before = all.slice(0, -1).filter(({ content }) => content !== '')
  return {
    model: model ?? modelName,
    message: last.content,
    // The channel has the history already; instructions of the client are not in it.
    history: channel === undefined ? before : before.filter(({ role }) => role === 'system'),
    channel,
    stream: stream === true,
    streamsUsage: includesUsage(body.stream_options),
  }
}

function includesUsage(options: unknown): boolean {
  if (options === undefined || options === null) return false
  const include = isMessage(options) ? (options.include_usage ?? false) : undefined
  if (typeof include === 'boolean') return include
  throw badRequest('stream_options must be {"include_usage": true | false}')
}

function chatMessage(message: unknown, index: number): ChatMessage {
  const where = `messages[${index}]`
  if (!isMessage(message)) throw badRequest(`${where} must be an object`)
  const role = roles.get(message.role)
  const content = contentText(message.content, where)
  if (role !== undefined) return { role, content }
  if (message.role === 'tool' || message.role === 'function') {
    return { role: 'user', content: content === '' ? '' : `[${message.role}] ${content}` }
  }
  throw badRequest(`${where}: unknown role ${JSON.stringify(message.role ?? null).slice(0, 100)}`)
}

function contentText(content: unknown, where: string): string {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  if (!Array.isArray(content)) throw badRequest(`${where}.content must be text`)
  const texts = content.map((part: unknown) => {
    if (isMessage(part) && typeof part.text === 'string') return part.text
    throw badRequest(`${where}.content: zino takes text only`)
  })
  return texts.join('')
}

/** The header, or `channel_id` in the body. */
function channelOf(body: Message, headers: Readonly<Record<string, unknown>>): string | undefined {
  const given = headers[channelHeader] ?? body.channel_id ?? undefined
  if (given === undefined || given === '') return undefined
  if (typeof given !== 'string') throw badRequest('channel_id must be text')
  // Header values are Latin-1; clients send other characters percent-encoded.
  return given === headers[channelHeader] ? decoded(given) : given
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
