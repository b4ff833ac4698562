// One call of a model: sends a request, collects the answer and counts its cost. Answers are recorded, so that a
// question that was interrupted continues without sending its requests again.
import { createHash } from 'node:crypto'
import { isObject } from '@zee/core/json'
import { ModelError } from '@zee/llm'
import type { Message, Model, ModelRequest, ToolCallPart, Usage } from '@zee/llm'
import type { Spending } from '../budget/budget.ts'

export interface ModelChoice {
  model: Model
  /** The vendor's name of the model. */
  name: string
}

export interface ModelAnswer {
  text: string
  calls: ToolCallPart[]
}

/** Answers of an earlier run, by the hash of their request. */
export type RecordedCalls = ReadonlyMap<string, RecordedCall>

export interface RecordedCall {
  answer: ModelAnswer
  tokens: number
}

export interface ModelContext {
  spending: Spending
  recorded: RecordedCalls
  record(event: string, fields: Record<string, unknown>): void
  signal: AbortSignal | undefined
}

/** Limits of one answer, so that a misbehaving provider cannot exhaust memory. */
const maxTextChars = 4 * 1024 * 1024
const maxCalls = 64
const charsPerToken = 4

/** Sends a request, or returns its recorded answer. Both count against the budget. */
export async function callModel(
  { model, name }: ModelChoice,
  request: Omit<ModelRequest, 'model'>,
  context: ModelContext,
): Promise<ModelAnswer> {
  const key = requestKey(model.provider, name, request)
  const known = context.recorded.get(key)
  if (known !== undefined) {
    context.spending.addCall(known.tokens)
    return known.answer
  }
  const answer: ModelAnswer = { text: '', calls: [] }
  let usage: Usage | undefined
  for await (const event of model.stream({ ...request, model: name }, context.signal)) {
    if (event.type === 'text') answer.text += event.text
    if (event.type === 'usage') usage = event.usage
    if (event.type === 'tool_call_end') {
      const input = 'input' in event ? event.input : { invalid: event.invalid.message }
      answer.calls.push({ type: 'tool_call', id: event.id, name: event.name, input })
    }
    if (answer.text.length > maxTextChars || answer.calls.length > maxCalls) {
      throw new ModelError('parse', 'the answer of the model is too long')
    }
  }
  const tokens = tokensOf(usage, request, answer)
  context.spending.addCall(tokens)
  context.record('model_call', { key, model: name, tokens, answer })
  return answer
}

/** Reads the recorded answers of the last question in the rows of a trace; empty if it was answered. */
export function recordedCalls(rows: Iterable<Record<string, unknown>>): RecordedCalls {
  let calls = new Map<string, RecordedCall>()
  for (const row of rows) {
    // The answers of a question that ended are not reused: the same question is asked afresh.
    if (row.event === 'ask_end') calls = new Map()
    if (row.event !== 'model_call' || typeof row.key !== 'string') continue
    const answer = parseAnswer(row.answer)
    if (answer !== undefined) calls.set(row.key, { answer, tokens: Number(row.tokens) || 0 })
  }
  return calls
}

function parseAnswer(value: unknown): ModelAnswer | undefined {
  if (!isObject(value) || typeof value.text !== 'string' || !Array.isArray(value.calls)) {
    return undefined
  }
  return { text: value.text, calls: value.calls as ToolCallPart[] }
}

/** Ids of tool calls differ between runs of one conversation, so they do not count. */
function requestKey(
  provider: string,
  name: string,
  { system, messages, tools }: Omit<ModelRequest, 'model'>,
): string {
  const plain = JSON.stringify([provider, name, system, messages, tools], (field, value: unknown) =>
    field === 'id' ? undefined : value,
  )
  return createHash('sha256').update(plain).digest('hex')
}

function tokensOf(
  usage: Usage | undefined,
  { system = '', messages }: Omit<ModelRequest, 'model'>,
  answer: ModelAnswer,
): number {
  if (usage !== undefined) return usage.inputTokens + usage.outputTokens
  const chars = system.length + messagesChars(messages) + JSON.stringify(answer).length
  return Math.ceil(chars / charsPerToken)
}

export function messagesChars(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + JSON.stringify(message.parts).length, 0)
}
