// Reads exports of zino (JSON lines), ChatGPT and Claude (JSON). Conversations become channels.
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { ChatMessage } from '../../fields/fields.ts'
import { chatMessages } from '../../fields/fields.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

export interface ImportedMessage extends ChatMessage {
  ts?: string | undefined
}

export interface Imported {
  memories: { messages: ImportedMessage[]; tag: string | undefined }[]
  channels: Map<string, ImportedMessage[]>
}

export function readImport(text: string, name: string): Imported {
  // Editors of Windows start a file with a byte order mark.
  const value = parseAny(text.replace(/^\uFEFF/, ''))
  const conversations = Array.isArray(value) ? value.filter((item) => isMessage(item)) : []
  const imported: Imported = { memories: [], channels: new Map() }
  for (const item of conversations) {
    if (isMessage(item.mapping)) {
      const messages = chatGptMessages(item.mapping, item.current_node)
      addConversation(imported, item.title, messages)
    } else if (Array.isArray(item.chat_messages)) {
      addConversation(imported, item.name, claudeMessages(item.chat_messages))
    } else addRecord(imported, item)
  }
  if (imported.memories.length > 0 || imported.channels.size > 0) return imported
  const forms = 'an export of zino, ChatGPT or Claude'
  throw new ZeeError('import', `${name} holds nothing to import: it must be ${forms}`)
}

function parseAny(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isMessage(value) ? [value] : value
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      return lines.map((line) => JSON.parse(line) as unknown)
    } catch {
      return []
    }
  }
}

function addRecord({ memories, channels }: Imported, record: Message): void {
  const { kind, channel, role, content, ts, tag } = record
  if (kind === 'hard') {
    const messages = chatMessages(record.messages).map((message) => ({
      ...message,
      ts: textOr(ts),
    }))
    if (messages.length > 0) memories.push({ messages, tag: textOr(tag) })
  } else if (kind === 'message' && typeof content === 'string' && typeof channel === 'string') {
    const list = channels.get(channel) ?? []
    if (content !== '' || role === 'assistant') {
      list.push({ role: knownRole(role), content, ts: textOr(ts) })
    }
    if (list.length > 0) channels.set(channel, list)
  }
}

function addConversation(
  { channels }: Imported,
  title: unknown,
  messages: readonly ImportedMessage[],
): void {
  const kept = messages.filter(({ content }) => content.trim() !== '')
  if (kept.length === 0) return
  const base = textOr(title)?.trim() || 'imported'
  let name = base
  for (let number = 2; channels.has(name); number += 1) name = `${base} ${number}`
  channels.set(name, kept)
}

/** ChatGPT stores a tree: the messages from its root to the current one are the conversation. */
function chatGptMessages(mapping: Message, current: unknown): ImportedMessage[] {
  const path = pathTo(mapping, current)
  const isPath = path.length > 0
  const found: { timeMs: number; message: ImportedMessage }[] = []
  for (const node of isPath ? path : Object.values(mapping)) {
    if (!isMessage(node) || !isMessage(node.message)) continue
    const { author, content, create_time: created } = node.message
    const parts = isMessage(content) && Array.isArray(content.parts) ? content.parts : []
    const text = parts.filter((part) => typeof part === 'string').join('\n')
    const role = knownRole(isMessage(author) ? author.role : undefined)
    const timeMs = typeof created === 'number' ? created * 1000 : Number.NaN
    const message = { role, content: text, ts: timeText(timeMs) }
    if (role !== 'system') found.push({ timeMs, message })
  }
  if (!isPath) found.sort((one, other) => (one.timeMs || 0) - (other.timeMs || 0))
  return found.map(({ message }) => message)
}

/** The nodes from the root to this one; empty when there is no such node. */
function pathTo(mapping: Message, id: unknown): Message[] {
  const path: Message[] = []
  const seen = new Set<string>()
  for (let at = id; typeof at === 'string' && !seen.has(at);) {
    const node = Object.hasOwn(mapping, at) ? mapping[at] : undefined
    if (!isMessage(node)) break
    seen.add(at)
    path.unshift(node)
    at = node.parent
  }
  return path
}

function claudeMessages(list: readonly unknown[]): ImportedMessage[] {
  return list
    .filter((item) => isMessage(item))
    .map((item) => {
      const parts = Array.isArray(item.content)
        ? item.content.filter((part) => isMessage(part))
        : []
      const joined = parts.map((part) => textOr(part.text) ?? '').join('')
      return {
        role: item.sender === 'human' ? 'user' : 'assistant',
        content: textOr(item.text) || joined,
        ts: timeText(Date.parse(textOr(item.created_at) ?? '')),
      }
    })
}

/** Undefined for a time that RFC 3339 cannot express: mem gives the message the time of the import. */
function timeText(timeMs: number): string | undefined {
  const time = new Date(timeMs)
  const year = time.getUTCFullYear()
  return year >= 0 && year <= 9999 ? rfc3339(time) : undefined
}

function knownRole(role: unknown): string {
  return role === 'assistant' || role === 'system' || role === 'tool' ? role : 'user'
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
