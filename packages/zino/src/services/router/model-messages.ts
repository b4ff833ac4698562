// Messages as callers send them (OpenAI's form) in the neutral form that all providers take.
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

/** Roles of OpenAI's form that have no counterpart here. */
const toolRoles: ReadonlySet<string> = new Set(['tool', 'function'])

/** `asIs`: every route speaks the callers' own form, so that whatever it allows may be sent. */
export function toModelMessages(messages: readonly Message[], asIs: boolean): ModelMessage[] {
  return messages.map((message, index) => {
    const name = String(message.role)
    const role = roles.get(name) ?? (asIs && toolRoles.has(name) ? 'user' : undefined)
    if (role === undefined) throw requestError(`messages[${index}]: unknown role`)
    if (asIs) {
      const text = textParts(message.content, index)
      return { role, parts: [{ type: 'text', text }], original: message }
    }
    return { role, parts: [{ type: 'text', text: contentText(message.content, index) }] }
  })
}

/** What of the content is text; pictures and the like are for the model to judge. */
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
