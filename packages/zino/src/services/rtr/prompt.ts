// Messages as callers send them (OpenAI's form) in the neutral form that all providers take.
import type { Message as ModelMessage } from '@zee/llm'
import { requestError } from '../../service/fields.ts'
import type { Message } from '../../wire/frame.ts'
import { isMessage } from '../../wire/frame.ts'

const roles: ReadonlyMap<string, ModelMessage['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

export function promptOf(messages: readonly Message[]): ModelMessage[] {
  return messages.map((message, index) => {
    const role = roles.get(String(message.role))
    if (role === undefined) throw requestError(`messages[${index}]: unknown role`)
    return { role, parts: [{ type: 'text', text: textOf(message.content, index) }] }
  })
}

function textOf(content: unknown, index: number): string {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  if (Array.isArray(content)) return content.map((part) => partText(part, index)).join('')
  throw requestError(`messages[${index}]: content must be text`)
}

function partText(part: unknown, index: number): string {
  if (isMessage(part) && typeof part.text === 'string') return part.text
  throw requestError(`messages[${index}]: only text can be sent to the model`)
}
