// A hard memory as it stands in `hard_memories.json`: a list of {messages, tag}, the id being the
// place in the list. A forgotten one keeps its place: its text is overwritten by an empty memory of the
// same length.
import type { ChatMessage } from '../../../fields/fields.ts'
import { isChatMessage } from '../../../fields/fields.ts'

export interface HardMemory {
  messages: ChatMessage[]
  tag: string
}

const forgottenStart = '{"messages":[],"tag":"","forgotten":1'

/** What of an element of the file counts; undefined for a forgotten one. */
export function parseEntry(element: object): HardMemory | undefined {
  const { messages, tag, forgotten } = element as Record<string, unknown>
  if (forgotten !== undefined && forgotten !== false) return undefined
  return {
    messages: Array.isArray(messages) ? messages.filter((item) => isChatMessage(item)) : [],
    tag: typeof tag === 'string' ? tag : '',
  }
}

/** Spaces stand before the last brace, so that the element still ends with it. */
export function forgottenEntry(length: number): Buffer {
  return Buffer.from(`${forgottenStart.padEnd(length - 1)}}`)
}
