// Gets the answer of a turn from agr, or from rtr when connecting to agr fails. Once agr has received the
// request, any failure ends the attempt: a fallback would send a second answer.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { ServiceConnection, SpareConnection } from '../../client/client.ts'
import {
  callService,
  connectService,
  interruptedCode,
  restartWaitMs,
  unreachableCode,
} from '../../client/client.ts'
import type { ChatMessage } from '../../fields/fields.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import type { Inference, TurnAnswer } from './turn-record.ts'
import type { Turn } from './turn.ts'

/** Connections opened in advance to the services that every message needs. */
export interface SpareConnections {
  agr: SpareConnection
  ctx: SpareConnection
  sys: SpareConnection
}

export interface DaemonContext extends ServiceContext {
  spares: SpareConnections
}

export type RelayedAnswer = Omit<TurnAnswer, 'ts'>

export interface RelayOptions {
  turn: Turn
  stream: boolean
  /** Asks agr for events of tool calls. */
  events: boolean
  signal: AbortSignal
}

/** Connects to agr while `assembled` builds the prompt, then relays the answer. */
export async function relayAnswer(
  { config, log, spares }: DaemonContext,
  assembled: Promise<readonly ChatMessage[]>,
  options: RelayOptions,
): Promise<RelayedAnswer> {
  const { signal, stream, turn, events } = options
  const connection = spares.agr.take() ?? connectService(config.agr.socket)
  const messages = await closeOnFailure(connection, assembled)
  const { temperature, top_p } = config.agent
  const { allow, approve } = turn.begin
  const request = { messages, temperature, top_p, stream, usage: true, ...(allow && { allow }) }
  const { max_iterations } = config.agr
  const waiting = { signal, waitMs: restartWaitMs }
  try {
    // Without a record the turn cannot be resumed, so agr and exc keep none either.
    const turnId = turn.record === undefined ? undefined : turn.id
    const extra = { turn: turnId, events, approvals: true, approve, transcript: true }
    const run = { type: 'run', ...request, max_iterations, ...extra }
    const frames = callService(config.agr.socket, run, { ...waiting, connection })
    return await relay(frames, options)
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== unreachableCode) throw error
    log.warn(`calling rtr directly: ${reasonOf(error)}`)
  }
  const infer = { type: 'infer', ...request }
  return relay(callService(config.rtr.socket, infer, waiting), options)
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
  { turn, stream }: RelayOptions,
): Promise<RelayedAnswer> {
  let hasText = false
  for await (const frame of frames) {
    if (frame.type === 'chunk' && typeof frame.delta === 'string') {
      hasText = true
      await turn.tellText(frame.delta)
      continue
    }
    if (isEvent(frame)) {
      await turn.tellEvent(frame)
      continue
    }
    const text = finalText(frame)
    // A router with streaming off sends no chunks, so the text goes out as one chunk.
    if (stream && !hasText) await turn.tellText(text)
    return {
      text,
      transcript: typeof frame.transcript === 'string' ? frame.transcript : text,
      iterations: typeof frame.iterations === 'number' ? frame.iterations : undefined,
      truncated: frame.truncated === true ? true : undefined,
      inference: inferenceOf(frame),
    }
  }
  throw new ZeeError('no_answer', 'no answer')
}

function inferenceOf({ usage, model, provider }: Message): Inference | undefined {
  if (!isMessage(usage)) return undefined
  return {
    model: typeof model === 'string' ? model : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
    input: Number(usage.input_tokens),
    output: Number(usage.output_tokens),
    estimated: usage.estimated === true,
  }
}

function isEvent({ type }: Message): boolean {
  return type === 'tool_start' || type === 'tool_done' || type === 'approval'
}

/** The text of a final frame; throws for an error frame. */
function finalText(frame: Message): string {
  if (frame.type === 'done' && typeof frame.full_text === 'string') return frame.full_text
  const isAnswer = frame.type === 'result' || frame.type === 'response'
  if (isAnswer && typeof frame.content === 'string') return frame.content
  if (frame.type === 'error' && typeof frame.message === 'string') {
    const code = frame.code === interruptedCode ? interruptedCode : 'answer_failed'
    throw new ZeeError(code, frame.message)
  }
  throw new ZeeError('answer_failed', `unexpected packet of type ${String(frame.type)}`)
}
