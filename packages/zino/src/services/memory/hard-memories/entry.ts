// Entries of `hard_memories.json`, a list of {messages, tag, ts}; the id is the index in the list.
// Forgetting overwrites an entry with an empty one of equal length, so the other ids stay valid.
import type { ChatMessage } from '../../../fields/fields.ts'
import { isChatMessage } from '../../../fields/fields.ts'

export interface HardMemory {
  messages: ChatMessage[]
  tag: string
  /** RFC 3339; absent in the file for memories of earlier versions. */
  ts?: string | undefined
  /** Id of the earlier version of this memory. */
  replaces?: number | undefined
}

const forgottenStart = '{"messages":[],"tag":"","forgotten":1'

/** The memory in a list element, without invalid parts; undefined for a forgotten one. */
export function parseEntry(element: object): HardMemory | undefined {
  const { messages, tag, ts, replaces, forgotten } = element as Record<string, unknown>
  if (forgotten !== undefined && forgotten !== false) return undefined
  return {
    messages: Array.isArray(messages) ? messages.filter((item) => isChatMessage(item)) : [],
    tag: typeof tag === 'string' ? tag : '',
    ...(typeof ts === 'string' ? { ts } : {}),
    ...(typeof replaces === 'number' ? { replaces } : {}),
  }
}

/** A forgotten entry of `length` bytes, padded with spaces before the closing brace. */
export function forgottenEntry(length: number): Buffer {
  return Buffer.from(`${forgottenStart.padEnd(length - 1)}}`)
}
