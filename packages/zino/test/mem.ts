// Runs the memory service in this process, and builds its requests.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { startMemory } from '../src/services/memory/memory.ts'
import type { Message } from '../src/wire/wire.ts'
import { lastOf } from './caller.ts'
import { contextIn } from './config.ts'
import { serveHere } from './host.ts'
import { tempFolder } from './temp-folder.ts'

export type Ask = (message: object) => Promise<Message>

export async function startIn(folder: string, over: Record<string, unknown> = {}) {
  const data = path.join(folder, 'data')
  const context = contextIn(folder, { mem: { data_dir: data, ...over } })
  const running = await serveHere(startMemory(context), context.config.mem.socket)
  const ask: Ask = (message) => lastOf(context.config.mem.socket, message)
  const read = (file: string) => readFileSync(path.join(data, file), 'utf8')
  return { ask, context, data, read, stop: () => running.stop() }
}

export const start = (over: Record<string, unknown> = {}) => startIn(tempFolder(), over)

export const user = (content: string) => ({ role: 'user', content })
export const append = (id: unknown, ...contents: string[]) => ({
  type: 'append_history',
  channel_id: id,
  messages: contents.map(user),
})
export const history = (id: unknown, limit?: unknown) => ({
  type: 'get_history',
  channel_id: id,
  limit,
})
export const store = (content: string, tag?: string) => ({
  type: 'store_hard',
  messages: [user(content)],
  tag,
})
export const search = (query: string, top_k?: number) => ({ type: 'search_hard', query, top_k })

export async function idsOf(ask: Ask, request: object): Promise<number[]> {
  const { results } = await ask(request)
  return (results as { id: number }[]).map(({ id }) => id)
}
