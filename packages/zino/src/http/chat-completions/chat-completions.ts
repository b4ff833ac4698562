// POST /v1/chat/completions: one turn of zino in the form of OpenAI's API, whole or streamed. A client
// that leaves cancels its turn, because it has no way to come back.
import { reasonOf, ZeeError } from '@zee/core/errors'
import {
  askService,
  callService,
  interruptedCode,
  lostCode,
  restartWaitMs,
} from '../../client/client.ts'
import { newTurnId } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import { readJson } from '../body.ts'
import { HttpError, sendJson } from '../reply.ts'
import type { Call } from '../routes.ts'
import type { ChatRequest } from './request.ts'
import { readChatRequest } from './request.ts'
import { EventStream } from './event-stream.ts'

const cancelDeadlineMs = 3000
/** Attempts to continue a turn whose service died. */
const maxResumes = 5

export async function completeChat(call: Call): Promise<void> {
  const chat = readChatRequest(await readJson(call), call.request.headers)
  const turn = newTurnId(call.clock.now())
  const answer = { id: `chatcmpl-${turn}`, created: seconds(call), model: chat.model }
  try {
    if (chat.stream) await streamAnswer(call, chat, turn, answer)
    else await sendAnswer(call, chat, turn, answer)
  } catch (error) {
    if (call.signal.aborted) await cancelTurn(call, turn)
    throw error
  }
}

interface AnswerHead {
  id: string
  created: number
  model: string
}

async function sendAnswer(
  call: Call,
  chat: ChatRequest,
  turn: string,
  head: AnswerHead,
): Promise<void> {
  let text = ''
  let last: Message = {}
  for await (const frame of turnFrames(call, chat, turn)) {
    if (frame.type === 'chunk') text += String(frame.delta)
    else last = frame
  }
  const message = { role: 'assistant', content: finalText(last) ?? text, refusal: null }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(last) }
  const usage = usageOf(last)
  sendJson(call.response, { ...head, object: 'chat.completion', choices: [choice], usage })
}

async function streamAnswer(
  call: Call,
  chat: ChatRequest,
  turn: string,
  head: AnswerHead,
): Promise<void> {
  const { counters, response } = call
  counters.streams += 1
  const events = new EventStream(response)
  const send = (fields: object): Promise<void> =>
    events.send({ ...head, object: 'chat.completion.chunk', ...fields })
  const chunk = (delta: object, finish: string | null = null): Promise<void> => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
    return send({ choices, usage: chat.streamsUsage ? null : undefined })
  }
  try {
    for await (const frame of turnFrames(call, chat, turn)) {
      if (!events.isOpen) await chunk({ role: 'assistant', content: '' })
      if (frame.type === 'chunk') await chunk({ content: String(frame.delta) })
      else {
        await chunk({}, finishReason(frame))
        if (chat.streamsUsage) await send({ choices: [], usage: usageOf(frame) })
      }
    }
    await events.end()
  } catch (error) {
    // Before the first text the status can still tell the error.
    if (!events.isOpen || call.signal.aborted) throw error
    await events.fail(error)
  } finally {
    events.close()
    counters.streams -= 1
  }
}

/** The frames of the turn; resumes it when a service dies on the way. */
async function* turnFrames(call: Call, chat: ChatRequest, turn: string): AsyncGenerator<Message> {
  const { message, history, channel: channel_id } = chat
  const packet = { message, history, channel_id, turn, stream: true, usage: true }
  let sent = 0
  for (let attempt = 0; ; attempt += 1) {
    let seen = 0
    try {
      const options = { signal: call.signal, waitMs: restartWaitMs }
      for await (const frame of callService(call.config.daemon.socket, packet, options)) {
        if (frame.type === 'error') throw answerError(frame)
        if (frame.type !== 'chunk') {
          yield frame
          return
        }
        // A resumed turn begins with the text that was sent already.
        const delta = String(frame.delta)
        const rest = delta.slice(Math.max(0, Math.min(delta.length, sent - seen)))
        seen += delta.length
        if (rest === '') continue
        sent = Math.max(sent, seen)
        yield { type: 'chunk', delta: rest }
      }
      return
    } catch (error) {
      const code = error instanceof ZeeError ? error.code : ''
      const canResume = code === lostCode || code === interruptedCode
      if (!canResume || call.signal.aborted || attempt >= maxResumes) throw error
      call.log.warn(`turn ${turn} continues: ${reasonOf(error)}`)
    }
  }
}

function answerError({ message, code }: Message): Error {
  const text = String(message)
  if (code === interruptedCode) return new ZeeError(interruptedCode, text)
  return new HttpError(text === 'Empty message.' ? 400 : 502, 'answer_failed', text)
}

function finalText({ type, full_text: text, content }: Message): string | undefined {
  if (type === 'done' && typeof text === 'string') return text
  return typeof content === 'string' ? content : undefined
}

function finishReason({ truncated }: Message): 'stop' | 'length' {
  return truncated === true ? 'length' : 'stop'
}

/** The tokens of the turn: every request to the model, those of skills included. */
function usageOf({ usage }: Message): object | undefined {
  if (!isMessage(usage)) return undefined
  const prompt = Number(usage.input_tokens)
  const completion = Number(usage.output_tokens)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    estimated: usage.estimated === true ? true : undefined,
  }
}

async function cancelTurn({ config, log }: Call, turn: string): Promise<void> {
  try {
    const request = { type: 'cancel', turn }
    await askService(config.daemon.socket, request, { deadlineMs: cancelDeadlineMs })
  } catch (error) {
    log.warn(`turn ${turn} may still run: ${reasonOf(error)}`)
  }
}

function seconds({ clock }: Call): number {
  return Math.floor(clock.now().getTime() / 1000)
}
