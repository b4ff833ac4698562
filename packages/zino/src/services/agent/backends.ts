// The two services that a run calls: rtr for model output, exc for code execution.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Allow } from '../../allow/allow.ts'
import {
  callService,
  interruptedCode,
  lostCode,
  notAllowedCode,
  restartWaitMs,
  unreachableCode,
} from '../../client/client.ts'
import type { Exchange, ServiceContext } from '../../service/service.ts'
import type { RecordedInference } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

export interface Sampling {
  temperature: number | undefined
  topP: number | undefined
}

export interface ModelAnswer {
  /** Yields the answer, in pieces when it streams. */
  text: AsyncIterable<string>
  /** The last frame of rtr; complete after the last piece. */
  facts(): AnswerFacts
}

export interface AnswerFacts {
  /** Whether the answer was cut at the token limit. */
  truncated: boolean
  tokens: RecordedInference['tokens'] | undefined
  model: string | undefined
  provider: string | undefined
}

/** One script for exc. */
export interface Execution {
  /** Number of the call within its turn. */
  call: number
  executor: string
  code: string
  /** The skill that wrote the code. */
  skill?: string | undefined
  allows: readonly Allow[]
}

export interface Backends {
  infer(
    messages: readonly object[],
    stream: boolean,
    purpose: RecordedInference['purpose'],
  ): ModelAnswer
  /**
   * Resolves to the answer of exc; throws when exc cannot be reached, with `interruptedCode` when it may have
   * begun a call of a turn.
   */
  execute(execution: Execution): Promise<Message>
}

export interface BackendOptions {
  sampling: Sampling
  turn: string | undefined
  allows: readonly Allow[]
  /** Calls wait for the approval of the user. */
  approve: 'ask' | undefined
  /** The caller wants to know the tokens of the run. */
  hasUsage: boolean
  /** Tokens that the turn has used so far. */
  tokensUsed(): number
  /** Told that a call waits for approval. */
  onApproval(frame: Message): Promise<void>
}

/** Attempts to get the result of one execution from an exc that keeps dying. */
const maxExecuteAttempts = 10
const lossCodes: ReadonlySet<string> = new Set([lostCode, unreachableCode])

export function connectBackends(
  { config }: ServiceContext,
  exchange: Exchange,
  options: BackendOptions,
): Backends {
  const { signal } = exchange
  const { temperature, topP: top_p } = options.sampling
  const { turn, approve, onApproval } = options
  return {
    infer: (messages, stream) => {
      const limits = limitFields(options.allows, options.tokensUsed())
      const sampling = { temperature, top_p }
      const needsUsage = options.hasUsage || turn !== undefined || options.allows.length > 0
      const usage = needsUsage ? { usage: true } : {}
      const request = { type: 'infer', messages, ...sampling, stream, ...usage, ...limits }
      const connection = exchange.takeConnection()
      const calling = { signal, connection, waitMs: restartWaitMs }
      return modelAnswer(callService(config.rtr.socket, request, calling))
    },
    execute: async ({ executor, code, call, skill, allows }) => {
      const journalled = turn === undefined ? {} : { turn, call }
      const limits = limitFields(allows, options.tokensUsed())
      const asks = approve === 'ask' || config.exc.approve === 'ask'
      const request = {
        ...{ type: 'execute', executor, code, ...journalled, ...limits },
        ...(asks ? { approve: 'ask', events: true } : {}),
        ...(skill !== undefined && (asks || allows.length > 0) ? { skill } : {}),
      }
      let isSent = false
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await executed(config.exc.socket, request, signal, onApproval)
        } catch (error) {
          // Without a turn exc would run the code again.
          if (turn === undefined || !(error instanceof ZeeError)) throw error
          const isLost = error.code === lostCode
          isSent ||= isLost
          if (isLost && attempt < maxExecuteAttempts) continue
          // The script may run or have ended: a later exc knows its result.
          if (isSent && lossCodes.has(error.code)) throw interrupted(error)
          throw error
        }
      }
    },
  }
}

function interrupted(error: ZeeError): ZeeError {
  return new ZeeError(interruptedCode, error.message, { cause: error })
}

function limitFields(allows: readonly Allow[], used: number): object {
  return allows.length === 0 ? {} : { allow: allows, tokens_used: used }
}

async function executed(
  socket: string,
  request: object,
  signal: AbortSignal,
  onApproval: BackendOptions['onApproval'],
): Promise<Message> {
  for await (const frame of callService(socket, request, { signal, waitMs: restartWaitMs })) {
    if (frame.type !== 'approval') return frame
    await onApproval(frame)
  }
  throw new ZeeError(lostCode, `no answer from ${socket}`)
}

function modelAnswer(frames: AsyncIterable<Message>): ModelAnswer {
  let last: Message = {}
  const onLast = (frame: Message) => {
    last = frame
  }
  return { text: answerText(frames, onLast), facts: () => answerFacts(last) }
}

function answerFacts({ truncated, usage, model, provider }: Message): AnswerFacts {
  return {
    truncated: truncated === true,
    tokens: isMessage(usage)
      ? {
          input: Number(usage.input_tokens),
          output: Number(usage.output_tokens),
          estimated: usage.estimated === true ? true : undefined,
        }
      : undefined,
    model: typeof model === 'string' ? model : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
  }
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
    else if (frame.type !== 'done') throw inferenceError(frame)
    onLast(frame)
  }
}

function errorText(frame: Message): string {
  if (frame.type === 'error' && typeof frame.message === 'string') return frame.message
  return `unexpected packet from rtr: ${reasonOf(JSON.stringify(frame).slice(0, 200))}`
}

function inferenceError(frame: Message): ZeeError {
  const text = errorText(frame)
  if (frame.code === notAllowedCode) return new ZeeError(notAllowedCode, text)
  return new ZeeError('model_failed', text)
}

/** Without counts of rtr, four characters count as one token. */
export function inferenceOf(
  purpose: RecordedInference['purpose'],
  added: string,
  text: string,
  answer: ModelAnswer,
): RecordedInference {
  const { tokens, model, provider, truncated } = answer.facts()
  const estimated = { input: 0, output: Math.ceil(text.length / 4), estimated: true }
  const cut = truncated ? { truncated } : {}
  return { purpose, added, text, tokens: tokens ?? estimated, model, provider, ...cut }
}
