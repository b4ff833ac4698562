// Elements of a channel file: a message with its time, its turn, and the texts that it had before edits.
import type { StoredMessage } from '../../../fields/fields.ts'
import { isChatMessage } from '../../../fields/fields.ts'

/** A text that a message had before it was edited. */
interface EarlierText {
  content: string
  /** When it was replaced, RFC 3339. */
  until: string
}

/** The message in a list element; other programs may have stored anything. */
export function storedMessage(element: object, fallback: string): StoredMessage {
  const { role, content, ts, turn } = element as Record<string, unknown>
  const text = typeof content === 'string' ? content : ''
  const name = isChatMessage(element) ? String(role) : 'user'
  const own = typeof turn === 'string' ? { turn } : {}
  return { role: name, content: text, ts: hasTime(element) ? String(ts) : fallback, ...own }
}

export function hasTime(element: object): boolean {
  const { ts } = element as { ts?: unknown }
  return typeof ts === 'string' && !Number.isNaN(Date.parse(ts))
}

export function earlierTexts(element: object): EarlierText[] {
  const { earlier } = element as { earlier?: unknown }
  if (!Array.isArray(earlier)) return []
  return earlier.filter((each: unknown): each is EarlierText => {
    const { content, until } = (each ?? {}) as Record<string, unknown>
    return typeof content === 'string' && typeof until === 'string'
  })
}

/** What remains of a forgotten message. Its turn stays: a repeated request does not store it again. */
export function forgottenElement(element: object): object {
  const { ts, turn } = element as Record<string, unknown>
  return { role: 'assistant', content: '', ts, forgotten: true, turn }
}

export function isForgotten(element: object): boolean {
  return (element as { forgotten?: unknown }).forgotten === true
}
