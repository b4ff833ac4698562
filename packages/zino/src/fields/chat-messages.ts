// Messages of a conversation as they come from outside: which items of a list are some.
import { isMessage } from '../wire/wire.ts'

export interface ChatMessage {
  role: string
  content: string
}

export function isChatMessage(value: unknown): value is ChatMessage {
  return isMessage(value) && typeof value.role === 'string' && typeof value.content === 'string'
}

/** The items of a list that are messages with text, without further keys; the rest is left out. */
export function chatMessages(value: unknown): ChatMessage[] {
  if (!Array.isArray(value)) return []
  return value.filter((item) => isChatMessage(item)).map(({ role, content }) => ({ role, content }))
}
