// Relays the answer of agr to the caller, or that of rtr when connecting to agr fails. Once agr has
// received the request, any failure is final: a fallback would send a second answer.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { ServiceConnection, SpareConnection } from '../../client/client.ts'
import { callService, connectService, unreachableCode } from '../../client/client.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import type { Exchange, ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'

export interface RelayedAnswer {
  /** The text to store in the history. */
  text: string
  /** The last frame. */
  last: object
}

/** Connections opened in advance to the services that every message needs. */
export interface SpareConnections {
  agr: SpareConnection
  ctx: SpareConnection
  sys: SpareConnection
}

export interface DaemonContext extends ServiceContext {
  spares: SpareConnections
}

/** Connects to agr while `assemble` builds the prompt, then relays the answer. */
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
    log.warn(`calling rtr directly: ${reasonOf(error)}`)
  }
  const infer = { type: 'infer', ...request }
  return relay(callService(config.rtr.socket, infer, { signal }), stream, exchange)
}

/** Closes the connection when `work`, which would have used it, fails. */
async function closeOnFailure<Result>(
  connection: Promise<ServiceConnection>,
  work: Promise<Result>,
): Promise<Result> {
  // The user of the connection reports a failed connect.
  connection.catch(() => {})
  try {
    return await work
  } catch (error) {
    void connection.then((open) => open.close()).catch(() => {})
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
    const text = finalText(frame)
    if (!stream) return { text, last: { type: 'response', content: text } }
    // A router with streaming off sends no chunks, so the text goes out as one chunk.
    if (sent.length === 0) await forward(text)
    return { text, last: { type: 'done', full_text: text, iterations: frame.iterations } }
  }
  throw new ZeeError('no_answer', 'no answer')
}

/** The text of a final frame; throws for an error frame. */
function finalText(frame: Message): string {
  if (frame.type === 'done' && typeof frame.full_text === 'string') return frame.full_text
  const isAnswer = frame.type === 'result' || frame.type === 'response'
  if (isAnswer && typeof frame.content === 'string') return frame.content
  if (frame.type === 'error' && typeof frame.message === 'string') {
    throw new ZeeError('answer_failed', frame.message)
  }
  throw new ZeeError('answer_failed', `unexpected packet of type ${String(frame.type)}`)
}
