// Runs a job's message as an ordinary turn: sends it to daemon under an id that is derived from the job and
// its time. A repetition with the same id continues the turn or gets its answer; it never runs twice.
import { setTimeout as pause } from 'node:timers/promises'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import {
  askService,
  callService,
  interruptedCode,
  lostCode,
  restartWaitMs,
  unreachableCode,
} from '../../client/client.ts'
import type { Allow } from '../../allow/allow.ts'
import type { ZinoConfig } from '../../config/config.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'

export interface TurnCall {
  turn: string
  channel: string
  message: string
  allow: readonly Allow[] | undefined
  /** An earlier process may have sent it already. */
  isRepeated: boolean
}

export interface TurnContext {
  config: ZinoConfig
  log: Logger
  signal: AbortSignal
}

export type TurnResult =
  | { text: string; isTruncated: boolean; error?: undefined }
  | { text?: undefined; error: string }

/** Attempts after the daemon or another service was lost in mid-turn. */
const maxInterruptions = 8
const maxPauseMs = 30_000
/** The newest messages of the channel that may hold the turn. */
const searchedMessages = 500

/** Resolves to the answer or to the reason of a failure; rejects when the signal fires. */
export async function runTurn(context: TurnContext, call: TurnCall): Promise<TurnResult> {
  const { log, signal } = context
  let isRepeated = call.isRepeated
  let interruptions = 0
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const stored = isRepeated ? await storedAnswer(context, call) : undefined
      if (stored !== undefined) return { text: stored, isTruncated: false }
      return await askDaemon(context, call)
    } catch (error) {
      signal.throwIfAborted()
      const code = error instanceof ZeeError ? error.code : ''
      const isInterrupted = code === lostCode || code === interruptedCode
      if (isInterrupted) interruptions += 1
      const mayRepeat = isInterrupted ? interruptions < maxInterruptions : code === unreachableCode
      if (!mayRepeat) return { error: reasonOf(error) }
      isRepeated ||= isInterrupted
      log.warn(`turn ${call.turn} is tried again: ${reasonOf(error)}`)
    }
    await pause(Math.min(1000 * 2 ** Math.min(attempt, 5), maxPauseMs), undefined, { signal })
  }
}

async function askDaemon({ config, signal }: TurnContext, call: TurnCall): Promise<TurnResult> {
  const { turn, channel, message, allow } = call
  // A streamed turn is not cancelled when its client dies.
  const request = { message, channel_id: channel, turn, stream: true, allow }
  const options = { signal, waitMs: restartWaitMs }
  for await (const frame of callService(config.daemon.socket, request, options)) {
    if (frame.type === 'chunk') continue
    if (frame.type === 'done') {
      return { text: String(frame.full_text), isTruncated: frame.truncated === true }
    }
    const code = frame.code === interruptedCode ? interruptedCode : 'answer'
    throw new ZeeError(code, String(frame.message ?? `unexpected packet ${String(frame.type)}`))
  }
  throw new ZeeError(lostCode, 'no answer from daemon')
}

/** The answer of the turn in the history of its channel, after a crash of this process and of daemon. */
async function storedAnswer(
  { config, log, signal }: TurnContext,
  { turn, channel }: TurnCall,
): Promise<string | undefined> {
  const request = { type: 'get_history', channel_id: channel, limit: searchedMessages, turn }
  let reply: Message
  try {
    const options = { deadlineMs: 10_000, waitMs: restartWaitMs, signal }
    reply = await askService(config.mem.socket, request, options)
  } catch (error) {
    signal.throwIfAborted()
    log.warn(`the history of turn ${turn} cannot be read: ${reasonOf(error)}`)
    return undefined
  }
  const messages = Array.isArray(reply.messages) ? reply.messages.filter(isMessage) : []
  const answer = messages.find(({ role }) => role === 'assistant')
  return typeof answer?.content === 'string' ? answer.content : undefined
}
