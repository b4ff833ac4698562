// Chat messages in requests and definition files.
import { isMessage } from '../wire/wire.ts'

export interface ChatMessage {
  role: string
  content: string
}

/** A message as mem stores it. */
export interface StoredMessage extends ChatMessage {
  /** RFC 3339. */
  ts: string
  /** The turn that it belongs to. */
  turn?: string | undefined
}

export function isChatMessage(value: unknown): value is ChatMessage {
  return isMessage(value) && typeof value.role === 'string' && typeof value.content === 'string'
}

/** The chat messages in a list, reduced to role and content; other items are dropped. */
export function chatMessages(value: unknown): ChatMessage[] {
  if (!Array.isArray(value)) return []
  return value.filter((item) => isChatMessage(item)).map(({ role, content }) => ({ role, content }))
}
