// daemon: the entry point for clients. A message begins a turn: it is recorded, answered by agr (by rtr
// if agr is unreachable) and stored in mem before the last frame is sent.
import { ZeeError } from '@zee/core/errors'
import { SpareConnection } from '../../client/client.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import {
  chatMessages,
  optionalBoolean,
  optionalString,
  promptField,
  requestError,
} from '../../fields/fields.ts'
import { lockServiceData } from '../../lock-data.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import { isTurnId } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { decideApproval, listApprovals } from './approvals.ts'
import { followTurn } from './follow.ts'
import { checkChannels, turnLimits } from './limits.ts'
import type { SpareConnections } from './relay.ts'
import { TurnBook } from './turn-book.ts'
import { TurnRunner } from './turn-runner.ts'

export async function startDaemon(context: ServiceContext): Promise<Service> {
  const { agr, ctx, sys } = context.config
  const spares: SpareConnections = {
    agr: new SpareConnection(agr.socket),
    ctx: new SpareConnection(ctx.socket, { isRepeatable: true }),
    sys: new SpareConnection(sys.socket, { isRepeatable: true }),
  }
  checkChannels(context)
  const lock = await lockServiceData(context, 'daemon')
  const book = new TurnBook(context)
  const runner = new TurnRunner({ ...context, spares }, book)
  runner.recover()
  const daemon: Daemon = { context, book, runner }
  return {
    handlers: handlersOf({
      turns: () => ({ type: 'turns', turns: book.reports() }),
      cancel: async (message) => {
        const turn = book.find(optionalString(message, 'turn') ?? '')
        if (turn === undefined) throw requestError('there is no such turn')
        await runner.cancel(turn)
        return { type: 'ok' }
      },
      forget_turn: async (message) => {
        const turn = book.find(optionalString(message, 'turn') ?? '')
        if (turn !== undefined) await runner.forget(turn)
        return { type: 'ok' }
      },
      approvals: () => listApprovals(daemon),
      approve: (message) => decideApproval(daemon, message),
    }),
    untyped: (message, exchange) => {
      if (message.resume !== undefined) return resumeTurn(daemon, message, exchange)
      return answerChat(daemon, message, exchange)
    },
    close: async () => {
      for (const spare of Object.values(spares)) spare.close()
      runner.close()
      await book.close()
      await lock?.release()
    },
  }
}

export interface Daemon {
  context: ServiceContext
  book: TurnBook
  runner: TurnRunner
}

function answerChat(daemon: Daemon, message: Message, exchange: Exchange): Promise<object> {
  const { book, runner } = daemon
  const text = typeof message.message === 'string' ? message.message.trim() : ''
  if (text === '') throw new ZeeError('empty_message', 'Empty message.')
  const channel = optionalString(message, 'channel_id') ?? ''
  const stream = optionalBoolean(message, 'stream') ?? false
  const events = optionalBoolean(message, 'events') ?? false
  const approvals = optionalBoolean(message, 'approvals') ?? false
  const usage = optionalBoolean(message, 'usage') ?? false
  const limits = turnLimits(daemon.context, message, channel)
  const id = turnField(message, 'turn')
  const known = id === undefined ? undefined : book.find(id)
  if (known !== undefined) {
    // A client that lost its connection sends the same message again.
    const isSame = known.begin.message === text && known.begin.channel === channel
    if (isSame) return resumeTurn(daemon, { ...message, resume: id }, exchange)
    throw requestError(`turn ${known.id} has another message: choose another id`)
  }
  const history = chatHistory(message)
  const { turn, begun } = runner.begin({
    ...{ id, channel, message: text, history, stream, events },
    ...limits,
  })
  exchange.stamp({ turn: turn.id })
  const following = { stream, events, approvals, usage, cancelsOnLeave: !stream }
  return followTurn(daemon.book, turn, begun, exchange, following)
}

async function resumeTurn(daemon: Daemon, message: Message, exchange: Exchange): Promise<object> {
  const stream = optionalBoolean(message, 'stream') ?? false
  const events = optionalBoolean(message, 'events') ?? false
  const approvals = optionalBoolean(message, 'approvals') ?? false
  const usage = optionalBoolean(message, 'usage') ?? false
  const id = turnField(message, 'resume') ?? ''
  const turn = daemon.book.find(id)
  if (turn === undefined) throw requestError(`there is no turn ${id} to resume`)
  exchange.stamp({ turn: turn.id })
  // The client that left may come back before the turn has stopped.
  await turn.untilStopped()
  const resumed = daemon.runner.resume(turn, { stream, events })
  const following = { stream, events, approvals, usage, cancelsOnLeave: false }
  return followTurn(daemon.book, turn, resumed, exchange, following)
}

/** Earlier messages of a conversation that only the client knows. */
function chatHistory(message: Message): ChatMessage[] | undefined {
  if (message.history === undefined || message.history === null) return undefined
  const history = promptField(message, 'history')
  const messages = chatMessages(history)
  if (messages.length < history.length) {
    throw requestError('history must be a list of {"role": text, "content": text}')
  }
  return messages.length === 0 ? undefined : messages
}

function turnField(message: Message, name: 'turn' | 'resume'): string | undefined {
  const id = optionalString(message, name)
  if (id === undefined || isTurnId(id)) return id
  throw requestError(`${name} is not the id of a turn`)
}
