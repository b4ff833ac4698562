// Passes an answer from agr to the caller, or from rtr when agr cannot be reached at all. An agr that
// answered with an error, or died half way, is an error: asking twice would answer twice.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { ServiceConnection, SpareConnection } from '../../client/client.ts'
import { callService, connectService, unreachableCode } from '../../client/client.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import type { Exchange, ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'

export interface RelayedAnswer {
  /** What is remembered of it. */
  text: string
  /** The frame that ends it. */
  last: object
}

/** A way to each of those that every message needs, open before it comes. */
export interface SpareConnections {
  agr: SpareConnection
  ctx: SpareConnection
  sys: SpareConnection
}

export interface DaemonContext extends ServiceContext {
  spares: SpareConnections
}

/** `assemble` makes the prompt; agr is connected to meanwhile. */
export async function relayAnswer(
  { config, log, spares }: DaemonContext,
  assemble: () => Promise<readonly ChatMessage[]>,
  stream: boolean,
  exchange: Exchange,
): Promise<RelayedAnswer> {
  const { signal } = exchange
  const assembled = assemble()
  const connection = spares.agr.take() ?? connectService(config.agr.socket)
  const messages = await closeOnFailure(connection, assembled)
  const { temperature, top_p } = config.agent
  const request = { messages, temperature, top_p, stream }
  const { max_iterations } = config.agr
  try {
    const run = { type: 'run', ...request, max_iterations }
    const frames = callService(config.agr.socket, run, { signal, connection })
    return await relay(frames, stream, exchange)
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== unreachableCode) throw error
    log.warn(`asking rtr itself: ${reasonOf(error)}`)
  }
  const infer = { type: 'infer', ...request }
  return relay(callService(config.rtr.socket, infer, { signal }), stream, exchange)
}

/** Nobody will use the connection when the work it was made for fails. */
async function closeOnFailure<Result>(
  line: Promise<ServiceConnection>,
  work: Promise<Result>,
): Promise<Result> {
  // A failure to connect is reported where the connection is used.
  line.catch(() => {})
  try {
    return await work
  } catch (error) {
    void line.then((open) => open.close()).catch(() => {})
    throw error
  }
}

async function relay(
  frames: AsyncIterable<Message>,
  stream: boolean,
  exchange: Exchange,
): Promise<RelayedAnswer> {
  const sent: string[] = []
  const forward = (delta: string) => {
    sent.push(delta)
    return stream ? exchange.chunk(delta) : Promise.resolve()
  }
  for await (const frame of frames) {
    if (frame.type === 'chunk' && typeof frame.delta === 'string') {
      await forward(frame.delta)
      continue
    }
    const whole = finalText(frame)
    if (!stream) return { text: whole, last: { type: 'response', content: whole } }
    // A router that does not stream answers at once: one chunk then.
    if (sent.length === 0) await forward(whole)
    const { iterations } = frame
    const last = {
      type: 'done',
      full_text: whole,
      ...(iterations === undefined ? {} : { iterations }),
    }
    return { text: whole, last }
  }
  throw new ZeeError('no_answer', 'no answer')
}

/** The text of a final frame; any other frame is the error it carries. */
function finalText(frame: Message): string {
  if (frame.type === 'done' && typeof frame.full_text === 'string') return frame.full_text
  const isAnswer = frame.type === 'result' || frame.type === 'response'
  if (isAnswer && typeof frame.content === 'string') return frame.content
  if (frame.type === 'error' && typeof frame.message === 'string') {
    throw new ZeeError('answer_failed', frame.message)
  }
  throw new ZeeError('answer_failed', `unexpected packet of type ${String(frame.type)}`)
}
