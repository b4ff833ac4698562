// /v1/memory: searches, adds, shows and forgets memories.
import { chatMessages } from '../fields/fields.ts'
import type { Message } from '../wire/wire.ts'
import { ask } from './ask.ts'
import { readJson } from './body.ts'
import { badRequest, sendJson } from './reply.ts'
import type { Call } from './routes.ts'

/** Fields of a search that go to mem unchanged. */
const textFilters = ['scope', 'channel', 'since', 'until', 'at'] as const
const numberFilters = ['top_k', 'min_score'] as const
const maxResults = 100

/** `?query=...` searches memories and histories; without a query it lists the memories. */
export async function searchMemory(call: Call): Promise<void> {
  const { searchParams } = call.url
  const query = searchParams.get('query') ?? searchParams.get('q') ?? ''
  if (query.trim() === '') return listMemory(call)
  const filters: Record<string, unknown> = {}
  for (const name of textFilters) filters[name] = searchParams.get(name) || undefined
  for (const name of numberFilters) filters[name] = numberOf(searchParams, name)
  if (Number(filters.top_k ?? 0) > maxResults) throw badRequest(`top_k is at most ${maxResults}`)
  const answer = await ask(call, call.config.mem.socket, { type: 'search_all', query, ...filters })
  sendJson(call.response, { object: 'list', data: listOf(answer.results).map(shownResult) })
}

async function listMemory(call: Call): Promise<void> {
  const { searchParams } = call.url
  const answer = await ask(call, call.config.mem.socket, {
    type: 'list_hard',
    after: numberOf(searchParams, 'after'),
    limit: numberOf(searchParams, 'limit'),
    tag: searchParams.get('tag') || undefined,
    since: searchParams.get('since') || undefined,
  })
  const data = listOf(answer.results).map(shownResult)
  sendJson(call.response, { object: 'list', data, total: answer.total ?? data.length })
}

/** `{"content": text}` or `{"messages": [...]}`, with an optional tag. */
export async function addMemory(call: Call): Promise<void> {
  const { content, messages, tag, dedupe } = await readJson(call)
  const stored = messages ?? (content === undefined ? undefined : [{ role: 'user', content }])
  if (stored === undefined) throw badRequest('content or messages is required')
  const request = { type: 'store_hard', messages: stored, tag, dedupe }
  const { id, duplicate } = await ask(call, call.config.mem.socket, request)
  sendJson(call.response, { object: 'memory', id, duplicate }, duplicate === true ? 200 : 201)
}

export async function showMemory(call: Call): Promise<void> {
  const { type: _, ...memory } = await ask(call, call.config.mem.socket, {
    type: 'get_memory',
    id: call.params[0],
  })
  sendJson(call.response, { object: 'memory', ...memory, content: contentOf(memory) })
}

export async function forgetMemory(call: Call): Promise<void> {
  const [id] = call.params
  const reason = call.url.searchParams.get('reason') ?? ''
  await ask(call, call.config.mem.socket, { type: 'forget', id, reason })
  sendJson(call.response, { object: 'memory', id, deleted: true })
}

function shownResult(result: Message): object {
  return { object: 'memory', ...result, content: contentOf(result) }
}

function contentOf({ messages }: Message): string {
  return chatMessages(messages)
    .map(({ content }) => content)
    .join('\n')
}

export function listOf(value: unknown): Message[] {
  return Array.isArray(value) ? (value as Message[]) : []
}

/** Undefined when the parameter is absent. */
export function numberOf(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)
  if (text === null || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) throw badRequest(`${name} must be a number`)
  return value
}
