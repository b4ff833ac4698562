// Extracts the text of an assistant's message from the formats of Codex and Claude Code.
import { isObject } from '@zee/core/json'

/** Returns a string as it is, or joins the text parts of a list. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

/** Returns undefined for an entry that is not the assistant's. */
export function assistantText(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined
  if (typeof entry.assistant_message === 'string') return entry.assistant_message
  const message = isObject(entry.message) ? entry.message : entry
  return message.role === 'assistant' ? contentText(message.content) : undefined
}
