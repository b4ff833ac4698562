// Streams one answer of the model as events and collects it for the session and the history.
import type {
  AbandonedAttempt,
  Message,
  Part,
  StopReason,
  ThinkingPart,
  ToolCallEndEvent,
  ToolCallPart,
  Usage,
} from '@zee/llm'
import { requestBytes } from '../elision/elision.ts'
import type { Receipt } from '../session/session.ts'
import { callIdsOf, joinNeighbours, takeCallId } from '../session/session.ts'
import { answerLimits, startAnswerDeadline } from './answer-limits.ts'
import type { AgentEvent } from './events.ts'
import { abandonedReceipt, answerReceipt, usageEvents } from './receipts.ts'
import type { Turn } from './options.ts'
import { withoutSecrets } from './notices.ts'

export interface Answer {
  text: string
  thinking: ThinkingPart[]
  calls: RequestedCall[]
  /** Number of calls that the token limit cut off. */
  cutCalls: number
  stop: StopReason
  /** The vendor's term for the stop reason. */
  stopWord?: string
  receipt: Receipt
}

export interface RequestedCall extends ToolCallPart {
  /** Why the input is unusable, if the model sent invalid JSON. */
  invalid?: string
}

/** Sends the history; yields deltas and returns the complete answer. */
export async function* streamAnswer(turn: Turn): AsyncGenerator<AgentEvent, Answer, undefined> {
  const answer = emptyAnswer(turn)
  const started = new Set<string>()
  const ids = callIdsOf(turn.history)
  const startedMs = turn.clock.monotonicMs()
  const abandoned: AbandonedAttempt[] = []
  const request = {
    ...turn.request,
    messages: sentMessages(turn),
    tools: toolSpecs(turn),
    onAbandoned: (attempt: AbandonedAttempt) => void abandoned.push(attempt),
  }
  await turn.beforeRequest?.(request)
  const deadline = startAnswerDeadline(turn)
  let usage: Usage | undefined
  let receivedBytes = 0
  let isComplete = false
  try {
    const checkLimits = answerLimits()
    for await (const event of turn.model.stream(request, deadline.signal)) {
      checkLimits(event)
      switch (event.type) {
        case 'text':
          answer.text += event.text
          yield { type: 'assistant_delta', text: event.text }
          break
        case 'thinking':
          receivedBytes += event.text.length
          yield { type: 'thinking_delta', text: event.text }
          break
        case 'thinking_end':
          if (shouldSendBack(event.part)) answer.thinking.push(event.part)
          break
        case 'tool_call_start':
          started.add(event.id)
          break
        case 'tool_call_args':
          receivedBytes += event.json.length
          break
        case 'tool_call_end':
          started.delete(event.id)
          answer.calls.push({ ...requestedCall(event), id: takeCallId(event.id, ids) })
          break
        case 'usage':
          usage = event.usage
          break
        case 'stop':
          answer.stop = event.reason
          if (event.detail !== undefined) answer.stopWord = event.detail
          break
      }
    }
    isComplete = true
  } catch (error) {
    for (const attempt of abandoned) yield* usageEvents(await abandonedReceipt(turn, attempt))
    throw error
  } finally {
    deadline.clear()
    // Also when the caller stops reading events.
    if (!isComplete) await recordIncomplete(turn, answer, abandoned)
  }
  for (const attempt of abandoned) yield* recordRetried(turn, attempt)
  answer.cutCalls = started.size
  const sentBytes = usage === undefined ? Buffer.byteLength(JSON.stringify(request)) : 0
  const received = receivedBytes + Buffer.byteLength(answer.text)
  const durationMs = Math.round(turn.clock.monotonicMs() - startedMs)
  const attempt = { usage, sentBytes, receivedBytes: received, durationMs }
  answer.receipt = await answerReceipt(turn, attempt, answer.stop)
  if (usage !== undefined) turn.context?.meter.record(usage, turnBytes(turn))
  yield* usageEvents(answer.receipt)
  return answer
}

/** Size of the request that the turn would send now. */
export function turnBytes(turn: Turn): number {
  const base = (turn.request.system?.length ?? 0) + JSON.stringify(toolSpecs(turn)).length
  return requestBytes(turn.history, base)
}

function emptyAnswer({ model, request }: Turn): Answer {
  const receipt = { provider: model.provider, model: request.model }
  return { text: '', thinking: [], calls: [], cutCalls: 0, stop: 'other', receipt }
}

/** The history for a request; without images if the model accepts none. */
function sentMessages({ history, acceptsImages }: Turn): Message[] {
  const messages = joinNeighbours(history)
  return acceptsImages === true ? messages : messages.map(withoutImages)
}

function withoutImages(message: Message): Message {
  const hasImages = message.parts.some((part) => part.type === 'image' || 'images' in part)
  if (!hasImages) return message
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type === 'image') return [{ type: 'text', text: `[${part.mediaType} left out]` }]
    return part.type === 'tool_result' ? [{ ...part, images: undefined }] : [part]
  })
  return { ...message, parts }
}

function toolSpecs(
  turn: Turn,
): { name: string; description: string; schema: Record<string, unknown> }[] {
  return turn.tools.map(({ name, description, schema }) => ({
    name,
    description,
    schema: { ...schema },
  }))
}

/** Thinking without data for its provider is only for display. */
function shouldSendBack({ signature, data }: ThinkingPart): boolean {
  return signature !== undefined || data !== undefined
}

function requestedCall(event: ToolCallEndEvent): RequestedCall {
  const { id, name } = event
  if ('input' in event) return { type: 'tool_call', id, name, input: event.input }
  return { type: 'tool_call', id, name, input: {}, invalid: event.invalid.message }
}

/** Records an attempt that failed before anything was visible and was then retried. */
async function* recordRetried(turn: Turn, attempt: AbandonedAttempt): AsyncGenerator<AgentEvent> {
  const receipt = await answerReceipt(turn, attempt, 'error')
  turn.session?.append({ type: 'receipt' }, receipt)
  yield* usageEvents(receipt)
}

/** After an interrupt, stores the text received so far as the answer. */
async function recordIncomplete(
  turn: Turn,
  answer: Answer,
  abandoned: readonly AbandonedAttempt[],
): Promise<void> {
  const receipts: Receipt[] = []
  for (const attempt of abandoned) receipts.push(await abandonedReceipt(turn, attempt))
  const last = receipts.pop()
  for (const receipt of receipts) turn.session?.append({ type: 'receipt' }, receipt)
  if (turn.signal.aborted && answer.text.trim() !== '') {
    const { text } = await withoutSecrets(turn, answer)
    turn.session?.append({ type: 'message', role: 'assistant', text }, last ?? answer.receipt)
    turn.history.push({ role: 'assistant', parts: [{ type: 'text', text }] })
  } else if (last !== undefined) {
    turn.session?.append({ type: 'receipt' }, last)
  }
}

/** Thinking and text of the answer as message parts. */
export function answerParts({ text, thinking }: Answer): Part[] {
  return [...thinking, ...(text.trim() === '' ? [] : [{ type: 'text', text } as const])]
}
