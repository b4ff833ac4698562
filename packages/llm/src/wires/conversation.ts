// Adapts a history to vendors that reject blank text, a first or last assistant message, results
// after text, or ids and names with special characters.
import { messageText, type ModelRequest, type Part } from '../request/request.ts'

interface Conversation {
  system: string | undefined
  messages: Turn[]
}

export interface Turn {
  role: 'user' | 'assistant'
  parts: Part[]
}

/** Separates the system text; the remaining messages start and end with the user. */
export function arrangeConversation(request: ModelRequest): Conversation {
  const systemTexts = request.system === undefined ? [] : [request.system]
  const messages: Turn[] = []
  for (const message of request.messages) {
    if (message.role === 'system') systemTexts.push(messageText(message))
    else if (message.parts.some(hasContent)) messages.push(createTurn(message.role, message.parts))
  }
  const system = systemTexts.filter((text) => text.trim() !== '').join('\n\n')
  if (messages[0]?.role === 'assistant') messages.unshift(userTurn('(The beginning is not shown.)'))
  if (messages.at(-1)?.role === 'assistant') messages.push(userTurn('Continue.'))
  return { system: system === '' ? undefined : system, messages }
}

/**
 * Maps call ids to valid, unique ids. Some providers restart their ids with every answer, which
 * other providers reject. Calls that share an id get their results in order.
 */
export function createIdMap(maxLength: number): {
  call(id: string): string
  result(id: string): string
} {
  const usedIds = new Set<string>()
  const unanswered = new Map<string, string[]>()
  return {
    call(id) {
      const base = id.replace(/[^\w-]/g, '_').slice(0, maxLength) || 'call'
      let unique = base
      for (let n = 2; usedIds.has(unique); n++) {
        const suffix = `_${n}`
        unique = base.slice(0, maxLength - suffix.length) + suffix
      }
      usedIds.add(unique)
      unanswered.set(id, [...(unanswered.get(id) ?? []), unique])
      return unique
    },
    result: (id) => unanswered.get(id)?.shift() ?? id.replace(/[^\w-]/g, '_').slice(0, maxLength),
  }
}

/** A tool name that every vendor accepts. Models invent invalid names, which stay in a history. */
export function safeToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown'
}

function hasContent(part: Part): boolean {
  if (part.type === 'text') return part.text.trim() !== ''
  return part.type !== 'thinking'
}

function createTurn(role: 'user' | 'assistant', parts: readonly Part[]): Turn {
  const sent = parts.filter((part) => part.type === 'thinking' || hasContent(part))
  if (role === 'assistant') return { role, parts: sent }
  const results = sent.filter((part) => part.type === 'tool_result')
  return { role, parts: [...results, ...sent.filter((part) => part.type !== 'tool_result')] }
}

function userTurn(text: string): Turn {
  return { role: 'user', parts: [{ type: 'text', text }] }
}
