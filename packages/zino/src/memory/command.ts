// `zino memory ...`: stores, searches and shows memories by calling mem.
import { terminalSafeText } from '@zee/core/colour'
import { reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import { askService, withStartAdvice } from '../client/client.ts'
import { findClientConfig } from '../config/config.ts'
import { chatMessages } from '../fields/fields.ts'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'
import { confirm } from '../confirm.ts'
import { sinceTime } from '../since.ts'

export interface MemoryCall {
  config: string | undefined
  json: boolean
}

export interface SearchOptions {
  query: string
  count: number | undefined
  channel?: string | undefined
  scope?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

const deadlineMs = 30_000

export async function addMemory(
  call: MemoryCall & { text: string; tag: string | undefined },
  host: Host,
): Promise<number> {
  const messages = [{ role: 'user', content: call.text }]
  const answer = await ask(call, host, { type: 'store_hard', messages, tag: call.tag })
  return print(call, host, answer, () => `remembered as ${String(answer.id)}\n`)
}

export async function searchMemories(
  call: MemoryCall & SearchOptions,
  host: Host,
): Promise<number> {
  const { query, count: top_k, channel, since, until } = call
  const scope = call.scope ?? (channel === undefined ? undefined : 'history')
  const filters = { channel, since: sinceTime(since, host.clock.now()), until, scope }
  const type = scope === undefined || scope === 'hard' ? 'search_hard' : 'search_all'
  return printSearch(call, host, { type, query, top_k, ...filters })
}

/** Searches everything as of an earlier time. */
export async function searchAt(
  call: MemoryCall & { at: string; word: string | undefined } & SearchOptions,
  host: Host,
): Promise<number> {
  const { query, count: top_k, at } = call
  if (call.word !== 'search') throw usageError('use: zino memory at TIME search QUERY')
  return printSearch(call, host, { type: 'search_all', query, top_k, at })
}

async function printSearch(call: MemoryCall, host: Host, request: object): Promise<number> {
  const answer = await ask(call, host, request)
  return print(call, host, answer, () => {
    const results = objectsIn(answer.results).map((result) => {
      const tag = typeof result.tag === 'string' && result.tag !== '' ? ` [${result.tag}]` : ''
      const place = isMessage(result.source) ? ` ${String(result.id)}` : ''
      const texts = chatMessages(result.messages).map(
        ({ role, content }) => `  ${role}: ${content}\n`,
      )
      return `${Number(result.score).toFixed(3)}${place}${tag}\n${texts.join('')}`
    })
    return results.join('') || 'nothing found\n'
  })
}

export async function softMemory(
  call: MemoryCall & { text: string | undefined },
  host: Host,
): Promise<number> {
  if (call.text === undefined) {
    const answer = await ask(call, host, { type: 'get_soft' })
    return print(call, host, answer, () => withLineBreak(String(answer.content ?? '')))
  }
  const answer = await ask(call, host, { type: 'set_soft', content: call.text })
  await updateRunningPrompt(call, host, call.text)
  return print(call, host, answer, () => 'stored\n')
}

export async function channelHistory(
  call: MemoryCall & { channel: string; limit: number | undefined },
  host: Host,
): Promise<number> {
  const { channel, limit } = call
  const request = { type: 'get_history', channel_id: channel, limit }
  const answer: Message =
    limit === undefined
      ? { type: 'history', messages: await wholeHistory(call, host, channel) }
      : await ask(call, host, request)
  return print(call, host, answer, () => {
    const messages = chatMessages(answer.messages)
    return messages.map(({ role, content }) => `${role}: ${content}\n`).join('') || 'no history\n'
  })
}

/** All messages of a channel, in pages: together they may be larger than a frame. */
export async function wholeHistory(
  call: MemoryCall,
  host: Host,
  channel_id: string,
): Promise<Message[]> {
  const all: Message[] = []
  for (;;) {
    const request = { type: 'get_history', channel_id, from: all.length }
    const { messages, more } = await ask(call, host, request)
    all.push(...objectsIn(messages))
    if (more !== true) return all
  }
}

export async function listChannels(call: MemoryCall, host: Host): Promise<number> {
  const answer = await ask(call, host, { type: 'list_channels' })
  return print(call, host, answer, () => {
    const lines = objectsIn(answer.channels).map(({ channel_id: id, messages }) =>
      messages === undefined ? `${String(id)}\n` : `${String(id)}  ${String(messages)} messages\n`,
    )
    return lines.join('') || 'no channels\n'
  })
}

export async function clearChannel(
  call: MemoryCall & { channel: string; yes: boolean },
  host: Host,
): Promise<number> {
  const newest = { type: 'get_history', channel_id: call.channel, limit: 1 }
  const isEmpty = call.yes || objectsIn((await ask(call, host, newest)).messages).length === 0
  if (!(await confirm(`Delete the history of ${call.channel}?`, isEmpty, host))) return 1
  const request = { type: 'clear_history', channel_id: call.channel, report: true }
  const answer = await ask(call, host, request)
  const text = answer.existed === false ? `there is no channel ${call.channel}\n` : 'cleared\n'
  return print(call, host, answer, () => text)
}

export async function ask(call: MemoryCall, host: Host, request: object): Promise<Message> {
  const { config } = await findClientConfig({
    requested: call.config,
    env: host.env,
    cwd: host.cwd,
  })
  const asked = askService(config.mem.socket, request, { deadlineMs })
  const answer = await asked.catch((error: unknown) => {
    throw withStartAdvice(error)
  })
  if (answer.type !== 'error') return answer
  throw new ZeeError('memory', String(answer.message ?? 'mem returned an error without a message'))
}

/** Updates the copy in the running prompt. If sys is down, it reads the new text at its next start. */
async function updateRunningPrompt(call: MemoryCall, host: Host, content: string): Promise<void> {
  const { config } = await findClientConfig({
    requested: call.config,
    env: host.env,
    cwd: host.cwd,
  })
  try {
    const request = { type: 'set_soft_memory', content }
    await askService(config.sys.socket, request, { deadlineMs: 5000 })
  } catch (error) {
    host.stderr.write(`zino: the running prompt was not updated: ${reasonOf(error)}\n`)
  }
}

export function print(call: MemoryCall, host: Host, answer: Message, format: () => string): number {
  const { type: _, ...content } = answer
  const text = call.json
    ? `${JSON.stringify(content, null, 2)}\n`
    : fitLines(format().split('\n'), host.stdout).join('\n')
  host.stdout.write(terminalSafeText(host.stdout)(text))
  return 0
}

export function objectsIn(value: unknown): Message[] {
  return Array.isArray(value) ? value.filter(isMessage) : []
}

function withLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
