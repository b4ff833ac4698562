// daemon: the entry point for clients. Assembles system prompt, context and message, relays the answer
// of agr (of rtr if agr is unreachable), and stores the exchange before the last frame is sent.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { CallOptions } from '../../client/client.ts'
import { askService, SpareConnection } from '../../client/client.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import { chatMessages, optionalBoolean, optionalString } from '../../fields/fields.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { DaemonContext, SpareConnections } from './relay.ts'
import { relayAnswer } from './relay.ts'

/** Optional services delay an answer by less than 10 s in total. */
const contextDeadlineMs = 4000
const storeDeadlineMs = 5000

export function startDaemon(context: ServiceContext): Service {
  const { agr, ctx, sys } = context.config
  const spares: SpareConnections = {
    agr: new SpareConnection(agr.socket),
    ctx: new SpareConnection(ctx.socket),
    sys: new SpareConnection(sys.socket),
  }
  return {
    handlers: handlersOf({}),
    untyped: (message, exchange) => answerChat({ ...context, spares }, message, exchange),
    close: () => {
      for (const spare of Object.values(spares)) spare.close()
    },
  }
}

async function answerChat(
  context: DaemonContext,
  message: Message,
  exchange: Exchange,
): Promise<object> {
  const text = typeof message.message === 'string' ? message.message.trim() : ''
  if (text === '') throw new ZeeError('empty_message', 'Empty message.')
  const channel = optionalString(message, 'channel_id') ?? ''
  const stream = optionalBoolean(message, 'stream') ?? false
  const prompt = () => assemblePrompt(context, text, channel, exchange.signal)
  const answering = relayAnswer(context, prompt, stream, exchange)
  // Logged after the requests are sent, so that logging does not delay them.
  context.log.info(`message of ${text.length} characters${channel === '' ? '' : ' with channel'}`)
  context.log.debug(`message in channel ${JSON.stringify(channel)}: ${text}`)
  const answer = await answering.finally(() => {
    for (const spare of Object.values(context.spares)) spare.open()
  })
  if (channel !== '') await storeExchange(context, channel, text, answer.text)
  return answer.last
}

async function assemblePrompt(
  context: DaemonContext,
  text: string,
  channel: string,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const { config, spares } = context
  const build = { type: 'build', channel_id: channel || null, user_message: text }
  const options = { signal, deadlineMs: contextDeadlineMs }
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
    { role: 'user', content: text },
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

/** Not aborted by a disconnect: a complete answer is stored even if the caller has left. */
async function storeExchange(
  context: ServiceContext,
  channel: string,
  user: string,
  assistant: string,
): Promise<void> {
  const messages = [
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]
  const request = { type: 'append_history', channel_id: channel, messages }
  await askOptional(context, context.config.mem.socket, request, { deadlineMs: storeDeadlineMs })
}
