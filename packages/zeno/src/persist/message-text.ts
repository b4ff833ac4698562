// The text of an assistant's message in the shapes that agent programs keep it in.

import { isObject } from '@zee/core/json'
/** A string, or a list of parts of which those with text count. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

/** Undefined for an entry that is not the assistant's. */
export function assistantText(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined
  if (typeof entry.assistant_message === 'string') return entry.assistant_message
  const message = isObject(entry.message) ? entry.message : entry
  return message.role === 'assistant' ? contentText(message.content) : undefined
}
