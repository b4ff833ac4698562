// Converts messages from OpenAI's form, which callers send, to the provider-neutral form. A turn of the
// loop also comes in two parts, for models that do not continue an assistant turn: the model's own text
// (`own_text`) and the results of its calls (`results`).
import type { Message as ModelMessage } from '@zee/llm'
import { requestError } from '../../fields/fields.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

export interface MessageForm {
  /** The route speaks OpenAI's form: each message is passed on unchanged. */
  keepOriginal: boolean
  /** The route wants the user's message last. */
  endsWithUser: boolean
  /** The route wants no two messages in a row with the same role. */
  alternatesRoles: boolean
}

const roles: ReadonlyMap<string, ModelMessage['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

/** OpenAI roles without a neutral counterpart. */
const toolRoles: ReadonlySet<string> = new Set(['tool', 'function'])

export function toModelMessages(messages: readonly Message[], form: MessageForm): ModelMessage[] {
  const converted = messages.flatMap((message, index) => {
    const parts = form.endsWithUser ? turnParts(message) : undefined
    return parts ?? [toModelMessage(withoutParts(message), index, form.keepOriginal)]
  })
  if (form.endsWithUser && converted.at(-1)?.role === 'assistant') {
    converted.push(textMessage('user', 'Continue.'))
  }
  return form.alternatesRoles ? joinAdjacent(converted) : converted
}

export function hasAdjacentRoles(messages: readonly ModelMessage[]): boolean {
  return messages.some(({ role }, index) => role === messages[index - 1]?.role)
}

/** A failed turn and an injected memory leave two messages of the user in a row. */
function joinAdjacent(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = []
  for (const message of messages) {
    const before = joined.at(-1)
    if (before?.role !== message.role) joined.push(message)
    else joined[joined.length - 1] = joinTwo(before, message)
  }
  return joined
}

function joinTwo(one: ModelMessage, other: ModelMessage): ModelMessage {
  const joined = textMessage(one.role, `${textOfParts(one)}\n\n${textOfParts(other)}`)
  const contents = [one, other].map(({ original, parts }) => original?.content ?? parts)
  if (!contents.some((content) => hasOtherParts(content))) return joined
  const [first, second] = contents.map((content) => contentParts(content))
  const separator = { type: 'text', text: '\n\n' }
  const content = [...(first ?? []), separator, ...(second ?? [])]
  return { ...joined, original: { role: one.role, content } }
}

function textOfParts({ parts }: ModelMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Images and the like, which only a list of parts can hold. */
function hasOtherParts(content: unknown): boolean {
  return Array.isArray(content) && content.some((part) => (part as Message).type !== 'text')
}

function contentParts(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content ?? '') }]
}

export function endsWithAssistant(messages: readonly Message[]): boolean {
  return messages.at(-1)?.role === 'assistant'
}

/** The two messages of a turn that comes in two parts. */
function turnParts({ role, own_text: ownText, results }: Message): ModelMessage[] | undefined {
  if (role !== 'assistant' || typeof ownText !== 'string' || typeof results !== 'string') {
    return undefined
  }
  return [textMessage('assistant', ownText), textMessage('user', results)]
}

function withoutParts(message: Message): Message {
  if (message.own_text === undefined && message.results === undefined) return message
  const { own_text: _, results: __, ...rest } = message
  return rest
}

function toModelMessage(message: Message, index: number, keepOriginal: boolean): ModelMessage {
  const name = String(message.role)
  const role = roles.get(name) ?? (keepOriginal && toolRoles.has(name) ? 'user' : undefined)
  if (role === undefined) throw requestError(`messages[${index}]: unknown role`)
  if (!keepOriginal) return textMessage(role, contentText(message.content, index))
  const text = textParts(message.content, index)
  return { role, parts: [{ type: 'text', text }], original: message }
}

function textMessage(role: ModelMessage['role'], text: string): ModelMessage {
  return { role, parts: [{ type: 'text', text }] }
}

/** The text of the content; other parts, like images, are passed on unchecked. */
function textParts(content: unknown, index: number): string {
  if (!Array.isArray(content)) return contentText(content, index)
  const texts = content.map((part: unknown) => {
    if (!isMessage(part)) throw requestError(`messages[${index}]: a part must be an object`)
    return typeof part.text === 'string' ? part.text : ''
  })
  return texts.join('')
}

function contentText(content: unknown, index: number): string {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  if (Array.isArray(content)) return content.map((part) => partText(part, index)).join('')
  throw requestError(`messages[${index}]: content must be text`)
}

function partText(part: unknown, index: number): string {
  if (isMessage(part) && typeof part.text === 'string') return part.text
  throw requestError(`messages[${index}]: only text can be sent to the model`)
}
