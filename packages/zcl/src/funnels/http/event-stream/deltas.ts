// Where the four wire formats put the pieces of a growing text: Anthropic Messages, OpenAI Chat
// Completions, OpenAI Responses and Gemini.
import { isObject } from '@zee/core/json'

type Loose = Record<string, unknown>

export interface DeltaField {
  /** Pieces with the same key belong to one text. */
  key: string
  holder: Loose
  name: string
}

/** The pieces of text in an event. */
export function deltaFields(data: Loose): DeltaField[] {
  if (isObject(data.delta)) return anthropicFields(data, data.delta)
  if (typeof data.delta === 'string') return [responsesField(data)]
  if (Array.isArray(data.choices)) return objectsIn(data.choices).flatMap(chatFields)
  if (Array.isArray(data.candidates)) return objectsIn(data.candidates).flatMap(geminiFields)
  return []
}

/** Whether an event says more than its pieces of text: an end, tokens, or the start of a tool call. */
export function carriesMore(data: Loose): boolean {
  if (data.usage !== undefined && data.usage !== null) return true
  const choices = objectsIn(data.choices)
  if (choices.some(({ finish_reason }) => finish_reason !== undefined && finish_reason !== null)) {
    return true
  }
  const calls = choices.flatMap(({ delta }) => objectsIn(isObject(delta) ? delta.tool_calls : []))
  if (calls.some(({ id }) => typeof id === 'string')) return true
  return objectsIn(data.candidates).some(
    ({ finishReason, content }) =>
      finishReason !== undefined || partsOf(content).some(({ text }) => typeof text !== 'string'),
  )
}

function anthropicFields(data: Loose, delta: Loose): DeltaField[] {
  return textFields(delta, `anthropic ${String(data.index)}`, [
    'stop_reason',
    'stop_sequence',
    'type',
  ])
}

function responsesField(data: Loose): DeltaField {
  const { type, item_id, output_index, content_index, summary_index } = data
  const place = [type, item_id, output_index, content_index, summary_index].map(String).join(' ')
  return { key: `responses ${place}`, holder: data, name: 'delta' }
}

function chatFields({ index, delta }: Loose): DeltaField[] {
  if (!isObject(delta)) return []
  const calls = objectsIn(delta.tool_calls).flatMap((call) =>
    isObject(call.function)
      ? textFields(call.function, `chat ${String(index)} call ${String(call.index)}`, ['name'])
      : [],
  )
  return [...textFields(delta, `chat ${String(index)}`, ['role']), ...calls]
}

function geminiFields({ index, content }: Loose): DeltaField[] {
  return partsOf(content).flatMap((part) =>
    typeof part.text === 'string'
      ? [{ key: `gemini ${String(index)} ${part.thought === true}`, holder: part, name: 'text' }]
      : [],
  )
}

function partsOf(content: unknown): Loose[] {
  return isObject(content) ? objectsIn(content.parts) : []
}

function textFields(holder: Loose, key: string, except: readonly string[]): DeltaField[] {
  return Object.entries(holder)
    .filter(([name, value]) => typeof value === 'string' && !except.includes(name))
    .map(([name]) => ({ key: `${key} ${name}`, holder, name }))
}

function objectsIn(value: unknown): Loose[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : []
}
