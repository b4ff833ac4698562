// Streams one answer of the model as events and collects it for the session and the history.
import type {
  ModelEvent,
  Part,
  StopReason,
  ThinkingPart,
  ToolCallEndEvent,
  ToolCallPart,
  Usage,
} from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Receipt } from '../session/session.ts'
import { joinNeighbours } from '../session/session.ts'
import type { AgentEvent } from './events.ts'
import type { Turn } from './turn.ts'

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

/** Limits of one answer, so that a misbehaving provider cannot exhaust memory. */
const maxTextLength = 16 * 1024 * 1024
const maxCallLength = 8 * 1024 * 1024
const maxCalls = 128

export interface RequestedCall extends ToolCallPart {
  /** Why the input is unusable, if the model sent invalid JSON. */
  invalid?: string
}

/** Sends the history; yields deltas and returns the complete answer. */
export async function* streamAnswer(turn: Turn): AsyncGenerator<AgentEvent, Answer, undefined> {
  const { provider } = turn.model
  const { model } = turn.request
  const answer: Answer = {
    text: '',
    thinking: [],
    calls: [],
    cutCalls: 0,
    stop: 'other',
    receipt: { provider, model },
  }
  const started = new Set<string>()
  const startedMs = turn.clock.monotonicMs()
  let usage: Usage | undefined
  const request = {
    ...turn.request,
    messages: joinNeighbours(turn.history),
    tools: toolSpecs(turn),
  }
  await turn.beforeRequest?.(request)
  try {
    const checkLimits = answerLimits()
    for await (const event of turn.model.stream(request, turn.signal)) {
      checkLimits(event)
      switch (event.type) {
        case 'text':
          answer.text += event.text
          yield { type: 'assistant_delta', text: event.text }
          break
        case 'thinking':
          yield { type: 'thinking_delta', text: event.text }
          break
        case 'thinking_end':
          if (shouldSendBack(event.part)) answer.thinking.push(event.part)
          break
        case 'tool_call_start':
          started.add(event.id)
          break
        case 'tool_call_end':
          started.delete(event.id)
          answer.calls.push(requestedCall(event))
          break
        case 'usage':
          usage = event.usage
          break
        case 'stop':
          answer.stop = event.reason
          if (event.detail !== undefined) answer.stopWord = event.detail
          break
        case 'tool_call_args':
          break
      }
    }
  } catch (error) {
    recordPartialText(turn, answer)
    throw error
  }
  answer.cutCalls = started.size
  if (usage !== undefined) yield await recordUsage(turn, answer, usage, startedMs)
  return answer
}

/** Returns a function that throws once the events exceed a limit of an answer. */
function answerLimits(): (event: ModelEvent) => void {
  let textLength = 0
  let calls = 0
  const callLengths = new Map<string, number>()
  return (event) => {
    if (event.type === 'text' || event.type === 'thinking') {
      textLength += event.text.length
      if (textLength > maxTextLength) throw limitError('more than 16 MiB of text')
    } else if (event.type === 'tool_call_args') {
      const length = (callLengths.get(event.id) ?? 0) + event.json.length
      callLengths.set(event.id, length)
      if (length > maxCallLength) throw limitError('a tool call of more than 8 MiB')
    } else if (event.type === 'tool_call_start' && ++calls > maxCalls) {
      throw limitError(`more than ${maxCalls} tool calls`)
    }
  }
}

function limitError(what: string): ModelError {
  return new ModelError('api_error', `the answer was stopped: it has ${what}`)
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

async function recordUsage(
  turn: Turn,
  answer: Answer,
  usage: Usage,
  startedMs: number,
): Promise<AgentEvent> {
  const durationMs = Math.round(turn.clock.monotonicMs() - startedMs)
  const costUsd = await turn.cost?.(usage)
  answer.receipt = { ...answer.receipt, usage, durationMs, costUsd }
  return { type: 'usage', usage, durationMs, costUsd }
}

/** After an interrupt, stores the text received so far as the answer. */
function recordPartialText(turn: Turn, answer: Answer): void {
  if (!turn.signal.aborted || answer.text.trim() === '') return
  turn.session?.append({ type: 'message', role: 'assistant', text: answer.text }, answer.receipt)
  turn.history.push({ role: 'assistant', parts: [{ type: 'text', text: answer.text }] })
}

/** Thinking and text of the answer as message parts. */
export function answerParts({ text, thinking }: Answer): Part[] {
  return [...thinking, ...(text.trim() === '' ? [] : [{ type: 'text', text } as const])]
}
