// daemon: the entrance. Puts prompt, context and message together, has agr answer them (rtr when agr
// cannot be reached) and stores the exchange before the caller hears that it is done.
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

/** What is optional must not hold an answer up for long, together less than 10 s. */
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
  // While the others are at work.
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
  // The one that asks another service goes first.
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

/** The answer of a service that may be away; an empty one when it is. */
async function askOptional(
  { log }: ServiceContext,
  socket: string,
  request: object,
  options: CallOptions,
): Promise<Message> {
  try {
    const answer = await askService(socket, request, options)
    if (answer.type !== 'error') return answer
    log.warn(`${socket} refused: ${String(answer.message)}`)
  } catch (error) {
    options.signal?.throwIfAborted()
    log.warn(`going on without it: ${reasonOf(error)}`)
  }
  return {}
}

/** A caller that leaves now must not undo what was said, so nothing gives this up. */
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
