// Histories arranged for vendors that refuse what others accept: blank text, an assistant that
// speaks first or last, results behind text, ids and names with odd characters.
import { messageText, type ModelRequest, type Part } from '../request/request.ts'

interface Conversation {
  system: string | undefined
  messages: Turn[]
}

export interface Turn {
  role: 'user' | 'assistant'
  parts: Part[]
}

/** The system text apart, and turns that begin and end with the user. */
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
 * Ids as a vendor allows them, each used for one call only. A provider that numbers its calls
 * anew in every answer would otherwise make a history that no other provider accepts. Where one
 * answer has several calls of one id, their results belong to them in order.
 */
export function createIdMap(maxLength: number): {
  call(id: string): string
  result(id: string): string
} {
  const taken = new Set<string>()
  const open = new Map<string, string[]>()
  return {
    call(id) {
      const base = id.replace(/[^\w-]/g, '_').slice(0, maxLength) || 'call'
      let unique = base
      for (let n = 2; taken.has(unique); n++) {
        const suffix = `_${n}`
        unique = base.slice(0, maxLength - suffix.length) + suffix
      }
      taken.add(unique)
      open.set(id, [...(open.get(id) ?? []), unique])
      return unique
    },
    result: (id) => open.get(id)?.shift() ?? id.replace(/[^\w-]/g, '_').slice(0, maxLength),
  }
}

/** A name as vendors allow it: models invent others, and one bad name would spoil a session. */
export function safeToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown'
}

function hasContent(part: Part): boolean {
  if (part.type === 'text') return part.text.trim() !== ''
  return part.type !== 'thinking'
}

function createTurn(role: 'user' | 'assistant', parts: readonly Part[]): Turn {
  const kept = parts.filter((part) => part.type === 'thinking' || hasContent(part))
  if (role === 'assistant') return { role, parts: kept }
  const results = kept.filter((part) => part.type === 'tool_result')
  return { role, parts: [...results, ...kept.filter((part) => part.type !== 'tool_result')] }
}

function userTurn(text: string): Turn {
  return { role: 'user', parts: [{ type: 'text', text }] }
}
