// Ids of memories in requests: the number of a hard memory, or channel and position of a message.

export type MemoryId =
  | { kind: 'hard'; id: number }
  | { kind: 'message'; channel: string; position: number }

export function messageId(channel: string, position: number): string {
  return `${channel}:${position}`
}

/** Undefined when the text is neither form. */
export function parseMemoryId(value: unknown): MemoryId | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  if (/^\d{1,9}$/.test(text)) return { kind: 'hard', id: Number(text) }
  const [, channel, position] = /^([\s\S]+):(\d{1,9})$/.exec(text) ?? []
  if (channel === undefined) return undefined
  return { kind: 'message', channel, position: Number(position) }
}
