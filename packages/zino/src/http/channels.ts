// /v1/channels: the channels with a history, and the messages of one.
import { ask } from './ask.ts'
import { listOf, numberOf } from './memory.ts'
import { sendJson } from './reply.ts'
import type { Call } from './routes.ts'

const defaultMessages = 100
const maxMessages = 1000

export async function listChannels(call: Call): Promise<void> {
  const { channels } = await ask(call, call.config.mem.socket, { type: 'list_channels' })
  sendJson(call.response, { object: 'list', data: listOf(channels) })
}

/** The newest messages, oldest first. */
export async function showChannel(call: Call): Promise<void> {
  const asked = numberOf(call.url.searchParams, 'limit') ?? defaultMessages
  const limit = Math.min(Math.max(1, Math.trunc(asked)), maxMessages)
  const [id] = call.params
  const request = { type: 'get_history', channel_id: id, limit }
  const { messages } = await ask(call, call.config.mem.socket, request)
  sendJson(call.response, { object: 'channel', id, messages: listOf(messages) })
}
