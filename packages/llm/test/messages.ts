// Messages as tests write them.
import type { Message, Part } from '../src/request/request.ts'

/** A message of texts and other parts. */
export function say(role: Message['role'], ...parts: (string | Part)[]): Message {
  return {
    role,
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  }
}
