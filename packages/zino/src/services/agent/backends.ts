// The two services that a run calls: rtr for model output, exc for code execution.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { askService, callService, lostCode, restartWaitMs } from '../../client/client.ts'
import type { Exchange, ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'

export interface Sampling {
  temperature: number | undefined
  topP: number | undefined
}

export interface ModelAnswer {
  /** Yields the answer, in pieces when it streams. */
  text: AsyncIterable<string>
  /** Whether the answer was cut at the token limit; known after the last piece. */
  isTruncated(): boolean
}

export interface Backends {
  infer(messages: readonly object[], stream: boolean): ModelAnswer
  /** Resolves to the answer of exc; throws when exc cannot be reached. */
  execute(executor: string, code: string, call: number): Promise<Message>
}

/** Attempts to get the result of one execution from an exc that keeps dying. */
const maxExecuteAttempts = 10

export function connectBackends(
  { config }: ServiceContext,
  sampling: Sampling,
  exchange: Exchange,
  turn: string | undefined,
): Backends {
  const { signal } = exchange
  const { temperature, topP: top_p } = sampling
  return {
    infer: (messages, stream) => {
      const request = { type: 'infer', messages, temperature, top_p, stream }
      const connection = exchange.takeConnection()
      const options = { signal, connection, waitMs: restartWaitMs }
      return modelAnswer(callService(config.rtr.socket, request, options))
    },
    execute: async (executor, code, call) => {
      const journalled = turn === undefined ? {} : { turn, call }
      const request = { type: 'execute', executor, code, ...journalled }
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await askService(config.exc.socket, request, { signal, waitMs: restartWaitMs })
        } catch (error) {
          // Without a turn exc would run the code again.
          const isLost = error instanceof ZeeError && error.code === lostCode
          if (!isLost || turn === undefined || attempt >= maxExecuteAttempts) throw error
        }
      }
    },
  }
}

function modelAnswer(frames: AsyncIterable<Message>): ModelAnswer {
  let truncated = false
  const onLast = (frame: Message) => {
    truncated = frame.truncated === true
  }
  return { text: answerText(frames, onLast), isTruncated: () => truncated }
}

/** Yields the text of an answer: its chunks, or the single response of a router with streaming off. */
async function* answerText(
  frames: AsyncIterable<Message>,
  onLast: (frame: Message) => void,
): AsyncGenerator<string> {
  for await (const frame of frames) {
    if (frame.type === 'chunk' && typeof frame.delta === 'string') {
      yield frame.delta
      continue
    }
    if (frame.type === 'response' && typeof frame.content === 'string') yield frame.content
    else if (frame.type !== 'done') throw new ZeeError('model_failed', errorText(frame))
    onLast(frame)
  }
}

function errorText(frame: Message): string {
  if (frame.type === 'error' && typeof frame.message === 'string') return frame.message
  return `unexpected packet from rtr: ${reasonOf(JSON.stringify(frame).slice(0, 200))}`
}
