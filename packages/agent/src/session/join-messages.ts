// Joins neighbouring messages of one role, which vendors do not accept.
import type { Message, Part } from '@zee/llm'

/** Vendors want roles to alternate. */
export function joinNeighbours(messages: readonly Message[]): Message[] {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role !== message.role) joined.push(message)
    else
      joined[joined.length - 1] = { role: last.role, parts: joinParts(last.parts, message.parts) }
  }
  return joined
}

/** Two texts become one, so that a message of text alone stays one. */
function joinParts(first: readonly Part[], second: readonly Part[]): Part[] {
  const end = first.at(-1)
  const start = second[0]
  if (end?.type !== 'text' || start?.type !== 'text') return [...first, ...second]
  const text = `${end.text}\n\n${start.text}`
  return [...first.slice(0, -1), { type: 'text', text }, ...second.slice(1)]
}
