// The tools of `zino mcp`. mem checks the arguments; its errors go to the caller.
import type { Tool } from '@modelcontextprotocol/server'
import { ZeeError } from '@zee/core/errors'
import { askService, restartWaitMs } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import { chatMessages } from '../fields/fields.ts'
import { askTimerService } from '../timers/timers.ts'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'

interface ToolResult {
  text: string
  data: Record<string, unknown>
}

interface ServedTool extends Pick<Tool, 'name' | 'description' | 'inputSchema' | 'annotations'> {
  call(input: Message, config: ZinoConfig, signal: AbortSignal): Promise<ToolResult>
}

const deadlineMs = 30_000
const defaultResults = 5

const text = (description: string) => ({ type: 'string', description })

export const tools: readonly ServedTool[] = [
  {
    name: 'memory_search',
    description: 'Search stored memories and earlier conversations, best match first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: text('words to look for'),
        top_k: { type: 'integer', minimum: 1, maximum: 50 },
        scope: { type: 'string', enum: ['hard', 'history', 'all'] },
        channel: text('only this channel'),
        since: text('RFC 3339 time or date'),
        until: text('RFC 3339 time or date'),
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
    call: searchMemory,
  },
  {
    name: 'memory_add',
    description: 'Store a fact for later conversations.',
    inputSchema: {
      type: 'object',
      properties: { content: text('the fact, in one or two sentences'), tag: text('search term') },
      required: ['content'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    call: addMemory,
  },
  {
    name: 'inbox',
    description:
      'List what timers and reminders of zino have produced and the user has not removed.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    call: listInbox,
  },
]

async function searchMemory(
  input: Message,
  config: ZinoConfig,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { query, top_k = defaultResults, scope, channel, since, until } = input
  const request = { type: 'search_all', query, top_k, scope, channel, since, until }
  const answer = await ask(config.mem.socket, request, signal)
  const results = (Array.isArray(answer.results) ? answer.results : []).filter(isMessage)
  const lines = results.map(describeResult)
  return { text: lines.join('\n') || 'nothing found', data: { results } }
}

function describeResult({ id, score, source, ts, messages }: Message): string {
  const place = isMessage(source) ? `${String(source.channel)}:${String(source.position)}` : 'hard'
  const said = chatMessages(messages).map(({ role, content }) => `${role}: ${content}`)
  const head = `[${String(id)}] ${Number(score).toFixed(3)} ${place} ${String(ts ?? '')}`
  return `${head.trimEnd()}\n${said.join('\n')}`
}

async function addMemory(
  input: Message,
  config: ZinoConfig,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { content, tag } = input
  const messages = [{ role: 'user', content }]
  const request = { type: 'store_hard', messages, tag, dedupe: true }
  const { id, duplicate } = await ask(config.mem.socket, request, signal)
  const word = duplicate === true ? 'already stored' : 'stored'
  return { text: `${word} as ${String(id)}`, data: { id, duplicate: duplicate === true } }
}

async function listInbox(
  _input: Message,
  config: ZinoConfig,
  signal: AbortSignal,
): Promise<ToolResult> {
  const answer = await askTimerService(config, { type: 'inbox' }, signal)
  if (answer.type === 'error') throw new ZeeError('timers', String(answer.message))
  const entries = (Array.isArray(answer.entries) ? answer.entries : []).filter(isMessage)
  const lines = entries.map(({ id, due, channel, text: said }) => {
    const place = typeof channel === 'string' && channel !== '' ? ` ${channel}` : ''
    return `[${String(id)}] ${String(due)}${place}\n${String(said)}`
  })
  return { text: lines.join('\n') || 'the inbox is empty', data: { entries } }
}

async function ask(socket: string, request: object, signal: AbortSignal): Promise<Message> {
  const answer = await askService(socket, request, { signal, deadlineMs, waitMs: restartWaitMs })
  if (answer.type !== 'error') return answer
  throw new ZeeError('memory', String(answer.message))
}
