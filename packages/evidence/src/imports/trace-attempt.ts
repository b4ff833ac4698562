// The attempt of one trace, by the conventions of OpenTelemetry for generative AI: answers of a model,
// executed tools, and agents. Calls that no span reports are taken from the answers.
import { rfc3339 } from '@zee/core/clock'
import { asText } from '../json/json.ts'
import { usageNumbers } from '../runners/runners.ts'
import { countUnmapped, failedOutcome, newAttempt, objectsIn, say } from './imported.ts'
import type { ImportedAttempt, ImportedCall } from './imported.ts'

type Loose = Readonly<Record<string, unknown>>

export interface Span {
  name: string
  traceId: string
  spanId: string
  parentId: string
  startMs: number
  endMs: number
  isError: boolean
  attributes: Loose
  /** Names of events that have no place in an attempt. */
  events: readonly string[]
}

interface Reading {
  attempt: ImportedAttempt
  /** Ids of the calls that have a span. */
  executed: ReadonlySet<string>
  /** Calls of answers without a span, by id. */
  asked: Map<string, ImportedCall>
  /** Texts of users and systems: a request repeats those of the earlier ones. */
  said: Set<string>
}

const callId = 'gen_ai.tool.call.id'

/** `spans` are sorted by their starts. */
export function attemptOfTrace(spans: readonly Span[]): ImportedAttempt {
  const root = spans.find(({ parentId }) => parentId === '') ?? spans[0]
  const { attributes = {}, name = 'trace', startMs = 0, traceId } = root ?? {}
  const text = (key: string) => asText(attributes[key]) || undefined
  const attempt = newAttempt(text('zcl.mission.id') ?? name.replace(/^invoke_agent /, ''))
  attempt.sourceId = traceId
  attempt.agent = text('gen_ai.agent.name') ?? text('gen_ai.agent.id')
  attempt.startedAt = timeAt(startMs)
  attempt.endedAt = timeAt(spans.reduce((latest, { endMs }) => Math.max(latest, endMs), 0))
  const executed = new Set(spans.filter(isCall).map((span) => asText(span.attributes[callId])))
  const reading = {
    attempt,
    executed,
    asked: new Map<string, ImportedCall>(),
    said: new Set<string>(),
  }
  for (const span of spans) addSpan(reading, span, span === root)
  // Agents may report the messages instead of their answers.
  if (attempt.messages.length === 0 && root !== undefined) addMessages(reading, root)
  attempt.prompt = attempt.messages.find(({ role }) => role === 'user')?.text
  const ok = attributes['zcl.attempt.ok']
  if (typeof ok === 'boolean') attempt.outcome = { ok, result: '' }
  if (text('zcl.attempt.outcome') === 'infra') {
    attempt.outcome = failedOutcome(
      'OTLP',
      text('zcl.attempt.error') ?? '',
      text('zcl.attempt.code'),
    )
  }
  attempt.numbers = numbersOf(spans, root, attempt)
  return attempt
}

const answers: ReadonlySet<unknown> = new Set(['chat', 'text_completion', 'generate_content'])

function isAnswer({ attributes }: Span): boolean {
  return answers.has(attributes['gen_ai.operation.name'])
}

function isCall({ attributes }: Span): boolean {
  const isTool = attributes['gen_ai.operation.name'] === 'execute_tool'
  return isTool || attributes['zcl.op'] !== undefined
}

function isAgent({ attributes }: Span): boolean {
  return attributes['gen_ai.operation.name'] === 'invoke_agent'
}

function addSpan(reading: Reading, span: Span, isRoot: boolean): void {
  const { attempt } = reading
  if (isAnswer(span)) addMessages(reading, span)
  else if (isCall(span)) attempt.calls.push(callOf(span))
  else if (!isRoot && !isAgent(span)) {
    const operation = asText(span.attributes['gen_ai.operation.name'])
    countUnmapped(attempt, `span ${operation || span.name}`)
  }
  for (const name of span.events) countUnmapped(attempt, `event ${name}`)
}

function callOf({ attributes, startMs, endMs, name, isError }: Span): ImportedCall {
  return {
    ts: timeAt(startMs),
    tool: asText(attributes['zcl.tool']) || 'otlp',
    op: asText(attributes['zcl.op']) || asText(attributes['gen_ai.tool.name']) || name,
    input: parsed(attributes['zcl.input'] ?? attributes['gen_ai.tool.call.arguments']),
    output: textOf(attributes['gen_ai.tool.call.result']),
    isError,
    durationMs: Math.max(0, endMs - startMs),
  }
}

function addMessages(reading: Reading, { attributes, startMs }: Span): void {
  const ts = timeAt(startMs)
  const isFirst = reading.attempt.messages.length === 0
  const instructions = parsed(attributes['gen_ai.system_instructions'])
  addInput(reading, { role: 'system', parts: instructions }, ts, isFirst)
  for (const message of objectsIn(parsed(attributes['gen_ai.input.messages']))) {
    addInput(reading, message, ts, isFirst)
  }
  for (const message of objectsIn(parsed(attributes['gen_ai.output.messages']))) {
    addOutput(reading, message, ts)
  }
}

/** A request repeats the conversation, so that only its new texts and results count. */
function addInput(reading: Reading, message: Loose, ts: string, isFirst: boolean): void {
  const { attempt, asked, said } = reading
  const { role } = message
  for (const part of partsOf(message)) {
    const text = asText(part.content)
    if (part.type === 'tool_call_response') {
      const call = asked.get(asText(part.id))
      if (call !== undefined) call.output = textOf(part.response ?? part.result)
    } else if (part.type === 'text' && (role === 'user' || role === 'system')) {
      const key = `${role} ${text}`
      if (!said.has(key)) say(attempt, role, text, { ts })
      said.add(key)
    } else if (isFirst && role === 'assistant') addPart(attempt, part, ts)
    else if (isFirst) countUnmapped(attempt, `part ${asText(part.type) || 'without type'}`)
  }
}

function addOutput(reading: Reading, message: Loose, ts: string): void {
  const { attempt, executed, asked } = reading
  for (const part of partsOf(message)) {
    const id = asText(part.id)
    if (part.type !== 'tool_call') addPart(attempt, part, ts)
    else if (!executed.has(id)) {
      const call = {
        ...{ ts, tool: 'otlp', op: asText(part.name) || 'tool', input: parsed(part.arguments) },
        ...{ output: '', isError: false },
      }
      attempt.calls.push(call)
      if (id !== '') asked.set(id, call)
    }
  }
}

/** A part that the model said. */
function addPart(attempt: ImportedAttempt, part: Loose, ts: string): void {
  const text = asText(part.content)
  if (part.type === 'reasoning') say(attempt, 'assistant', text, { ts, kind: 'thinking' })
  else if (part.type === 'text') say(attempt, 'assistant', text, { ts })
  else countUnmapped(attempt, `part ${asText(part.type) || 'without type'}`)
}

function partsOf({ parts, content }: Loose): Loose[] {
  return typeof content === 'string' ? [{ type: 'text', content }] : objectsIn(parts)
}

const usageFields = {
  input: 'gen_ai.usage.input_tokens',
  output: 'gen_ai.usage.output_tokens',
  cached: 'gen_ai.usage.cache_read.input_tokens',
  written: 'gen_ai.usage.cache_creation.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  inputHasCached: true,
}

/** The usage of an agent stands for that of its answers; without one, that of the answers adds up. */
function numbersOf(
  spans: readonly Span[],
  root: Span | undefined,
  attempt: ImportedAttempt,
): ImportedAttempt['numbers'] {
  const answered = spans.filter(isAnswer)
  const agents = spans.filter((span) => !isAnswer(span) && (isAgent(span) || span === root))
  const byId = new Map(agents.map((span) => [span.spanId, span]))
  const parents = new Map(spans.map(({ spanId, parentId }) => [spanId, parentId]))
  const usage: Record<string, number> = {}
  for (const key of Object.values(usageFields)) {
    if (typeof key !== 'string') continue
    const states = ({ attributes }: Span) => typeof attributes[key] === 'number'
    const stating = agents.filter(states)
    const outermost = stating.filter((span) => !hasAbove(span, parents, byId, states))
    const counted = outermost.length > 0 ? outermost : answered.filter(states)
    if (counted.length === 0) continue
    usage[key] = counted.reduce((sum, { attributes }) => sum + Number(attributes[key]), 0)
  }
  const last = (...keys: string[]) =>
    spans
      .map(({ attributes }) => keys.map((key) => asText(attributes[key])).find(Boolean))
      .findLast(Boolean)
  const model = last('gen_ai.response.model', 'gen_ai.request.model')
  const modelProvider = last('gen_ai.provider.name', 'gen_ai.system')
  return {
    ...(model === undefined ? {} : { model }),
    ...(modelProvider === undefined ? {} : { modelProvider }),
    ...usageNumbers(usage, usageFields),
    ...(answered.length === 0 ? {} : { modelCalls: answered.length }),
    toolCalls: attempt.calls.length,
  }
}

/** Bounds the work for traces that are one long chain. */
const maxLevels = 1000

/** Whether a span above is an agent that states the same. */
function hasAbove(
  { spanId, parentId }: Span,
  parents: ReadonlyMap<string, string>,
  agents: ReadonlyMap<string, Span>,
  states: (span: Span) => boolean,
): boolean {
  const seen = new Set([spanId])
  for (let id = parentId; id !== '' && !seen.has(id); id = parents.get(id) ?? '') {
    if (seen.size > maxLevels) return false
    seen.add(id)
    const agent = agents.get(id)
    if (agent !== undefined && states(agent)) return true
  }
  return false
}

function timeAt(ms: number): string {
  return rfc3339(new Date(ms))
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Attributes hold structures, or their JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value)
  } catch {
    return { text: value }
  }
}
