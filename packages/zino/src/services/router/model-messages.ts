// Converts messages from OpenAI's form, which callers send, to the provider-neutral form.
import type { Message as ModelMessage } from '@zee/llm'
import { requestError } from '../../fields/fields.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

const roles: ReadonlyMap<string, ModelMessage['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

/** OpenAI roles without a neutral counterpart. */
const toolRoles: ReadonlySet<string> = new Set(['tool', 'function'])

/** With `keepOriginal` (all routes speak OpenAI's form) each message is also passed on unchanged. */
export function toModelMessages(
  messages: readonly Message[],
  keepOriginal: boolean,
): ModelMessage[] {
  return messages.map((message, index) => {
    const name = String(message.role)
    const role = roles.get(name) ?? (keepOriginal && toolRoles.has(name) ? 'user' : undefined)
    if (role === undefined) throw requestError(`messages[${index}]: unknown role`)
    if (keepOriginal) {
      const text = textParts(message.content, index)
      return { role, parts: [{ type: 'text', text }], original: message }
    }
    return { role, parts: [{ type: 'text', text: contentText(message.content, index) }] }
  })
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
