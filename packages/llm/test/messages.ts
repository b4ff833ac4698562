// A short form of messages for tests.
import type { Message, Part } from '../src/request/request.ts'

/** A message whose string parts become text parts. */
export function say(role: Message['role'], ...parts: (string | Part)[]): Message {
  return {
    role,
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  }
}
