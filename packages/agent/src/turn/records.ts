// The records that a turn appends to its session: prompt, answer, interrupt.
import type { ImagePart, ThinkingPart } from '@zee/llm'
import type { NewRecord } from '../session/session.ts'
import { isNotRecorded } from '../session/session.ts'
import type { Answer } from './answer.ts'
import { hidden } from './notices.ts'
import type { PromptPart, Turn } from './options.ts'

/** Appends a prompt of the user to the session and to the history; returns its text. */
export async function addPrompt(
  turn: Turn,
  prompt: Turn['prompt'],
  more: { steered?: true } = {},
): Promise<string> {
  const { session, history } = turn
  const given = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt
  const parts: PromptPart[] = []
  for (const part of given) {
    parts.push(part.type === 'text' ? { ...part, text: await hidden(turn, part.text) } : part)
  }
  const images = parts.flatMap((part) => (part.type === 'image' ? [storedImage(part)] : []))
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const text = texts.join('\n\n')
  session?.append({
    type: 'message',
    role: 'user',
    text,
    ...more,
    ...(images.length === 0 ? {} : { images }),
  })
  history.push({ role: 'user', parts })
  return text
}

/** Appends the answer and its calls to the session, before any tool runs. */
export function recordAnswer(turn: Turn, { thinking, text, calls, receipt }: Answer): void {
  const { session } = turn
  if (session === undefined) return
  for (const part of thinking) session.append(thinkingRecord(part))
  if (text === '' && calls.length === 0) session.append({ type: 'receipt' }, receipt)
  if (text !== '') session.append({ type: 'message', role: 'assistant', text }, receipt)
  calls.forEach(({ id, name, input }, index) => {
    // Without a text record, the first call carries the receipt.
    const hasReceipt = text === '' && index === 0
    session.append({ type: 'tool_use', id, name, input }, hasReceipt ? receipt : undefined)
  })
}

/** In the field order of session files. */
function thinkingRecord({ type, text, signature, provider, data }: ThinkingPart): NewRecord {
  return { type, text, signature, provider, data }
}

export function storedImage({ mediaType, data }: ImagePart): { media_type: string; data: string } {
  return { media_type: mediaType, data }
}

export interface Failure {
  error: unknown
}

/** Records the interrupt. Returns a failure to write to the session, now or before the interrupt. */
export function recordInterrupt(turn: Turn, error: unknown): Failure | undefined {
  if (isNotRecorded(error)) return { error }
  try {
    turn.session?.append({ type: 'interrupted', role: 'system', text: 'Interrupted' })
    return undefined
  } catch (failure) {
    return { error: failure }
  }
}

export function syncSession(turn: Turn): Failure | undefined {
  try {
    turn.session?.sync()
    return undefined
  } catch (error) {
    return { error }
  }
}
