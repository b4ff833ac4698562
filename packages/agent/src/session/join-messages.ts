// Joins consecutive messages of one role, because vendors require alternating roles.
import type { Message, Part } from '@zee/llm'

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

/** Joins two adjacent texts, so that a message of text keeps a single part. */
function joinParts(first: readonly Part[], second: readonly Part[]): Part[] {
  const end = first.at(-1)
  const start = second[0]
  if (end?.type !== 'text' || start?.type !== 'text') return [...first, ...second]
  const text = `${end.text}\n\n${start.text}`
  return [...first.slice(0, -1), { type: 'text', text }, ...second.slice(1)]
}
