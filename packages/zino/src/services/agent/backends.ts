// The two services that a run calls: rtr for model output, exc for code execution.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { askService, callService } from '../../client/client.ts'
import type { Exchange, ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'

export interface Sampling {
  temperature: number
  topP: number
}

export interface Backends {
  /** Yields the model's answer, in pieces when it streams. */
  infer(messages: readonly object[], stream: boolean): AsyncIterable<string>
  /** Resolves to the answer of exc; throws when exc cannot be reached. */
  execute(executor: string, code: string): Promise<Message>
}

export function connectBackends(
  { config }: ServiceContext,
  sampling: Sampling,
  exchange: Exchange,
): Backends {
  const { signal } = exchange
  return {
    infer: (messages, stream) =>
      answerText(
        callService(
          config.rtr.socket,
          {
            type: 'infer',
            messages,
            temperature: sampling.temperature,
            top_p: sampling.topP,
            stream,
          },
          { signal, connection: exchange.takeConnection() },
        ),
      ),
    execute: (executor, code) =>
      askService(config.exc.socket, { type: 'execute', executor, code }, { signal }),
  }
}

/** Yields the text of an answer: its chunks, or the single response of a router with streaming off. */
async function* answerText(frames: AsyncIterable<Message>): AsyncGenerator<string> {
  for await (const frame of frames) {
    if (frame.type === 'chunk' && typeof frame.delta === 'string') yield frame.delta
    else if (frame.type === 'response' && typeof frame.content === 'string') yield frame.content
    else if (frame.type !== 'done') throw new ZeeError('model_failed', errorText(frame))
  }
}

function errorText(frame: Message): string {
  if (frame.type === 'error' && typeof frame.message === 'string') return frame.message
  return `unexpected packet from rtr: ${reasonOf(JSON.stringify(frame).slice(0, 200))}`
}
