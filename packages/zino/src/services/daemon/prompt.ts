// Assembles the prompt of a turn: system prompt, context, the user's message. Optional services that are
// down are left out.
import { reasonOf } from '@zee/core/errors'
import type { CallOptions } from '../../client/client.ts'
import { askService, restartWaitMs } from '../../client/client.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import { chatMessages } from '../../fields/fields.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { DaemonContext } from './relay.ts'
import type { TurnBegin } from './turn-record.ts'

/** Optional services delay an answer by less than 10 s in total. */
const contextDeadlineMs = 4000

export async function assemblePrompt(
  context: DaemonContext,
  { channel, message, turn, history = [] }: TurnBegin,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const { config, spares } = context
  const build = { type: 'build', channel_id: channel || null, user_message: message, turn }
  const options: CallOptions = {
    signal,
    deadlineMs: contextDeadlineMs,
    waitMs: Math.min(restartWaitMs, contextDeadlineMs),
    isRepeatable: true,
  }
  // ctx goes first: it calls mem, so its answer takes longest.
  const [built, prompt] = await Promise.all([
    askOptional(context, config.ctx.socket, build, { ...options, connection: spares.ctx.take() }),
    askOptional(
      context,
      config.sys.socket,
      { type: 'get' },
      { ...options, connection: spares.sys.take() },
    ),
  ])
  const system = typeof prompt.content === 'string' ? prompt.content : ''
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...chatMessages(built.messages),
    ...history,
    { role: 'user', content: message },
  ]
}

/** The answer of an optional service; empty when it is down or returns an error. */
async function askOptional(
  { log }: ServiceContext,
  socket: string,
  request: object,
  options: CallOptions,
): Promise<Message> {
  try {
    const answer = await askService(socket, request, options)
    if (answer.type !== 'error') return answer
    log.warn(`${socket} returned an error: ${String(answer.message)}`)
  } catch (error) {
    options.signal?.throwIfAborted()
    log.warn(`continuing without it: ${reasonOf(error)}`)
  }
  return {}
}
