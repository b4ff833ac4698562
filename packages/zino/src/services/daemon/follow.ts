// Connects a client with a turn: forwards text and events, and decides what a client that leaves means.
import { interruptedCode } from '../../client/client.ts'
import { ZeeError } from '@zee/core/errors'
import type { Exchange } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import type { TurnBook } from './turn-book.ts'
import type { Inference, TurnAnswer } from './turn-record.ts'
import type { Turn } from './turn.ts'
import { cancelledCode, leftCode } from './turn.ts'

export interface FollowOptions {
  stream: boolean
  events: boolean
  /** Told of calls that wait for approval. */
  approvals: boolean
  /** The last frame carries the tokens of the turn. */
  usage: boolean
  /** A collected turn cannot be resumed: its client has received no id. */
  cancelsOnLeave: boolean
}

/** Resolves to the last frame. */
export async function followTurn(
  book: TurnBook,
  turn: Turn,
  work: Promise<TurnAnswer>,
  exchange: Exchange,
  { stream, events, approvals, usage, cancelsOnLeave }: FollowOptions,
): Promise<object> {
  const { signal } = exchange
  let unfollow = () => {}
  const onAbort = () => {
    unfollow()
    if (turn.followers > 0) return
    const isStopping = signal.reason instanceof ZeeError && signal.reason.code === 'stopping'
    if (cancelsOnLeave && !isStopping) turn.stop(cancelledCode, 'the client has left')
    else turn.stop(leftCode, isStopping ? 'the service is stopping' : 'the client has left')
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const isTold = ({ type }: Message) => (type === 'approval' ? approvals : events)
  try {
    unfollow = await turn.follow({
      onText: (delta) => (stream ? exchange.chunk(delta) : Promise.resolve()),
      onEvent: (event) => (isTold(event) ? exchange.send(event) : Promise.resolve()),
    })
    const answer = await work
    if (stream && !turn.hasText) await exchange.chunk(answer.text)
    return lastFrame(turn, answer, stream, usage)
  } catch (error) {
    if (turn.state !== 'interrupted') throw error
    throw new ZeeError(interruptedCode, error instanceof Error ? error.message : String(error))
  } finally {
    signal.removeEventListener('abort', onAbort)
    unfollow()
    if (signal.aborted || turn.state === 'interrupted') book.settle(turn)
    else {
      // The record is removed after the last frame has left: until then a crash must not lose the turn.
      exchange.onLastSent((isSent) => {
        if (isSent) turn.isDelivered = true
        book.settle(turn)
      })
    }
  }
}

function lastFrame(turn: Turn, answer: TurnAnswer, stream: boolean, hasUsage: boolean): object {
  const { iterations, truncated, text, inference } = answer
  const usage = hasUsage && inference !== undefined ? usageField(inference) : undefined
  const extra = { truncated, stored: turn.isStored, usage }
  if (!stream) return { type: 'response', content: text, ...extra }
  return { type: 'done', full_text: text, iterations, ...extra }
}

function usageField({ input, output, estimated }: Inference): object {
  return { input_tokens: input, output_tokens: output, estimated: estimated ? true : undefined }
}
