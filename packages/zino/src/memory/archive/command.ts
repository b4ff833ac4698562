// `zino memory list|show|edit|forget|export|import|backup|restore`.
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { readBoundedInput } from '@zee/core/bounded-input'
import { terminalSafeText } from '@zee/core/colour'
import { fileError, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { chatMessages } from '../../fields/fields.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage, maxFrameBytes } from '../../wire/wire.ts'
import type { MemoryCall } from '../command.ts'
import { ask, objectsIn, print, wholeHistory } from '../command.ts'
import { confirm } from '../../confirm.ts'
import { sinceTime } from '../../since.ts'
import type { ImportedMessage } from './import-formats.ts'
import { readImport } from './import-formats.ts'

type IdCall = MemoryCall & { id: string }
type FileCall = MemoryCall & { file: string }

const pageSize = 500
/** Messages per request of an import. */
const batchSize = 200

export interface ListCall extends MemoryCall {
  tag: string | undefined
  channel: string | undefined
  since: string | undefined
}

export async function listMemories(call: ListCall, host: Host): Promise<number> {
  const since = sinceTime(call.since, host.clock.now())
  const results =
    call.channel === undefined
      ? await everyHard(call, host, { tag: call.tag, since })
      : await everyMessage(call, host, call.channel, since)
  return print(call, host, { results }, () => results.map(line).join('') || 'no memories\n')
}

export async function showMemory(call: IdCall, host: Host): Promise<number> {
  const answer = await ask(call, host, { type: 'get_memory', id: call.id })
  return print(call, host, answer, () => {
    const { forgotten } = answer
    if (!isMessage(forgotten)) return line(answer)
    const reason = forgotten.reason === '' ? '' : ` (${String(forgotten.reason)})`
    return `forgotten at ${String(forgotten.ts)}${reason}, sha256 ${String(forgotten.sha256)}\n`
  })
}

export async function editMemory(call: IdCall & { text: string }, host: Host): Promise<number> {
  const content = call.text === '' ? await readStdin(host) : call.text
  const answer = await ask(call, host, { type: 'edit_memory', id: call.id, content })
  return print(call, host, answer, () => `stored as ${String(answer.id)}\n`)
}

export async function forgetMemory(
  call: IdCall & { yes: boolean; reason: string | undefined },
  host: Host,
): Promise<number> {
  if (!(await confirm(`Forget memory ${call.id} for good?`, call.yes, host))) return 1
  const request = { type: 'forget', id: call.id, reason: call.reason }
  const answer = await ask(call, host, request)
  return print(call, host, answer, () => `forgot ${call.id}\n`)
}

export async function exportMemories(
  call: Omit<MemoryCall, 'json'> & { format: string },
  host: Host,
): Promise<number> {
  const { format } = call
  if (format !== 'jsonl' && format !== 'md') throw usageError('--format must be jsonl or md')
  const memories = { ...call, json: false }
  const safeText = terminalSafeText(host.stdout)
  const write = (record: Message) =>
    host.stdout.write(safeText(format === 'md' ? markdown(record) : `${JSON.stringify(record)}\n`))
  for (const { id, messages, tag, ts } of await everyHard(memories, host, {})) {
    write({ kind: 'hard', id, messages, tag, ts })
  }
  const { channels } = await ask(memories, host, { type: 'list_channels' })
  for (const { channel_id: channel } of objectsIn(channels)) {
    if (typeof channel !== 'string') continue
    for (const message of await everyMessage(memories, host, channel, undefined)) {
      const { id: _, source: __, messages: ___, ...rest } = message
      write({ kind: 'message', ...rest })
    }
  }
  return 0
}

export async function importMemories(call: FileCall, host: Host): Promise<number> {
  const file = path.resolve(host.cwd, call.file)
  let text: string
  try {
    text = readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
  const { memories, channels } = readImport(text, call.file)
  const counts = { memories: 0, messages: 0, duplicates: 0 }
  for (const { messages, tag } of memories) {
    const request = { type: 'store_hard', messages, tag, dedupe: true }
    const { duplicate } = await ask(call, host, request)
    counts[duplicate === true ? 'duplicates' : 'memories'] += 1
  }
  for (const [channel_id, all] of channels) {
    const messages = await withoutStored(call, host, channel_id, all)
    counts.duplicates += all.length - messages.length
    for (let at = 0; at < messages.length; at += batchSize) {
      const batch = messages.slice(at, at + batchSize)
      await ask(call, host, { type: 'append_history', channel_id, messages: batch })
      counts.messages += batch.length
    }
  }
  const { memories: stored, messages, duplicates } = counts
  const known = duplicates === 0 ? '' : ` (${duplicates} were already stored)`
  const summary = `imported ${stored} memories and ${messages} messages in ${channels.size} channels${known}\n`
  return print(call, host, { ...counts, channels: channels.size }, () => summary)
}

/**
 * The messages that the channel does not hold with the same time, so that an import can be repeated. A
 * message without a time equals one stored message of its text: mem has stored it with the time of the import.
 */
async function withoutStored(
  call: MemoryCall,
  host: Host,
  channel_id: string,
  messages: readonly ImportedMessage[],
): Promise<ImportedMessage[]> {
  const textKey = ({ role, content }: Message) => JSON.stringify([role, content])
  const keyOf = (message: Message) => `${textKey(message)} ${Date.parse(String(message.ts))}`
  const history = await wholeHistory(call, host, channel_id)
  const stored = new Set(history.map((message) => keyOf(message)))
  const counts = new Map<string, number>()
  for (const key of history.map((message) => textKey(message))) {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return messages.filter((message) => {
    const key = textKey({ ...message })
    const count = counts.get(key) ?? 0
    const isStored = message.ts === undefined ? count > 0 : stored.has(keyOf({ ...message }))
    if (isStored) counts.set(key, count - 1)
    return !isStored
  })
}

export async function backupMemories(call: FileCall, host: Host): Promise<number> {
  const file = path.resolve(host.cwd, call.file)
  const answer = await ask(call, host, { type: 'backup', file })
  return print(call, host, answer, () => countLine('wrote', answer))
}

export async function restoreMemories(
  call: FileCall & { yes: boolean },
  host: Host,
): Promise<number> {
  if (!(await confirm(`Replace all memories by ${call.file}?`, call.yes, host))) return 1
  const file = path.resolve(host.cwd, call.file)
  const answer = await ask(call, host, { type: 'restore', file })
  return print(call, host, answer, () => countLine('restored', answer))
}

async function everyHard(call: MemoryCall, host: Host, filter: object): Promise<Message[]> {
  const all: Message[] = []
  for (let after = -1; ;) {
    const request = { type: 'list_hard', after, limit: pageSize, ...filter }
    const page = objectsIn((await ask(call, host, request)).results)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined) return all
    after = Number(last.id)
  }
}

async function everyMessage(
  call: MemoryCall,
  host: Host,
  channel: string,
  since: string | undefined,
): Promise<Message[]> {
  const messages = await wholeHistory(call, host, channel)
  return messages
    .map((message, position) => ({
      ...{ id: `${channel}:${position}`, source: { channel, position }, channel, position },
      ...message,
      messages: chatMessages([message]),
    }))
    .filter(({ forgotten }: Message) => forgotten !== true)
    .filter(({ ts }: Message) => since === undefined || Date.parse(String(ts)) >= Date.parse(since))
}

function line({ id, messages, tag, ts }: Message): string {
  const texts = chatMessages(messages).map(({ role, content }) => `${role}: ${content}`)
  const mark = typeof tag === 'string' && tag !== '' ? ` [${tag}]` : ''
  const time = typeof ts === 'string' ? `  ${ts}` : ''
  return `${String(id)}${time}${mark}  ${texts.join(' | ')}\n`
}

function markdown({ kind, messages, channel, role, content, tag, ts }: Message): string {
  const time = typeof ts === 'string' ? ` (${ts})` : ''
  if (kind === 'message')
    return `- #${String(channel)}${time} ${String(role)}: ${String(content)}\n`
  const mark = typeof tag === 'string' && tag !== '' ? ` [${tag}]` : ''
  const texts = chatMessages(messages).map((message) => message.content)
  return `- memory${mark}${time}: ${texts.join(' | ')}\n`
}

function countLine(verb: string, answer: Message): string {
  const counts = `${String(answer.memories)} memories and ${String(answer.messages)} messages`
  return `${verb} ${counts} (sha256 ${String(answer.sha256)})\n`
}

async function readStdin(host: Host): Promise<string> {
  if (host.stdin.isTTY === true) throw usageError('write the new text after the id, or pipe it in')
  return (await readBoundedInput(host.stdin, maxFrameBytes)).trim()
}
