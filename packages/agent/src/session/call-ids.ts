// Ids of tool calls in requests. Some servers number the calls of each answer from the start, but providers
// refuse a request with the same id twice. A live turn and a loaded session must choose the same ids: another
// id would end the cached prefix.
import type { Message } from '@zee/llm'

/** The ids of the calls in `messages`. */
export function callIdsOf(messages: readonly Message[]): Set<string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'))
  return new Set(calls.map(({ id }) => id))
}

/** `id` with characters that every provider accepts; numbered if it is taken. Takes the result. */
export function takeCallId(id: string, taken: Set<string>): string {
  const safe = id.replace(/[^A-Za-z0-9_-]/g, '_') || 'call'
  let unique = safe
  for (let count = 2; taken.has(unique); count++) unique = `${safe}-${count}`
  taken.add(unique)
  return unique
}
