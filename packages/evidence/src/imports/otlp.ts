// OpenTelemetry: traces as OTLP JSON, one document or one per line, with the conventions for generative
// AI. A trace is an attempt.
import { asObject, asText } from '../json/json.ts'
import { rfc3339 } from '@zee/core/clock'
import { evidenceError } from '../errors/errors.ts'
import { countUnmapped, newAttempt, objectsIn, say } from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'

type Loose = Readonly<Record<string, unknown>>

interface Span {
  name: string
  traceId: string
  parentId: string
  startMs: number
  endMs: number
  isError: boolean
  attributes: Readonly<Record<string, unknown>>
}

export async function readOtlp(source: ImportSource): Promise<ImportedRun> {
  const spans = documentsIn(source).flatMap(spansIn)
  const traces = new Map<string, Span[]>()
  for (const span of spans.sort((a, b) => a.startMs - b.startMs)) {
    traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span])
  }
  const attempts = [...traces.values()].map(attemptOf)
  const suite = spans.map(({ attributes }) => attributes['zcl.suite.id']).find(isText) ?? 'otlp'
  return { suite, createdAt: attempts[0]?.startedAt, attempts, unmapped: {} }
}

function documentsIn(source: ImportSource): Loose[] {
  const text = source.bytes().toString('utf8')
  try {
    return [asObject(JSON.parse(text))]
  } catch {
    // The file exporter of the collector writes one document per line.
    try {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      return lines.map((line) => asObject(JSON.parse(line)))
    } catch {
      throw evidenceError('ZCL_E_INVALID_JSON', `${source.path} is not OTLP JSON`)
    }
  }
}

function spansIn(document: Loose): Span[] {
  return objectsIn(document.resourceSpans)
    .flatMap((resource) => objectsIn(resource.scopeSpans))
    .flatMap((scope) => objectsIn(scope.spans))
    .map((span) => ({
      name: asText(span.name),
      traceId: asText(span.traceId),
      parentId: asText(span.parentSpanId),
      startMs: milliseconds(span.startTimeUnixNano),
      endMs: milliseconds(span.endTimeUnixNano),
      isError:
        asObject(span.status).code === 2 || asObject(span.status).code === 'STATUS_CODE_ERROR',
      attributes: attributesOf(span.attributes),
    }))
}

function attemptOf(spans: readonly Span[]): ImportedAttempt {
  const root = spans.find(({ parentId }) => parentId === '') ?? spans[0]
  const { attributes = {}, name = 'trace', startMs = 0, endMs = 0, traceId } = root ?? {}
  const text = (key: string) => asText(attributes[key]) || undefined
  const attempt = newAttempt(text('zcl.mission.id') ?? name.replace(/^invoke_agent /, ''))
  attempt.sourceId = traceId
  attempt.agent = text('gen_ai.agent.name') ?? text('gen_ai.agent.id')
  attempt.startedAt = rfc3339(new Date(startMs))
  attempt.endedAt = rfc3339(new Date(Math.max(endMs, ...spans.map((span) => span.endMs))))
  for (const span of spans) addSpan(attempt, span, span === root)
  const ok = attributes['zcl.attempt.ok']
  if (typeof ok === 'boolean') attempt.outcome = { ok, result: '' }
  attempt.numbers = { ...attempt.numbers, toolCalls: attempt.calls.length }
  return attempt
}

function addSpan(attempt: ImportedAttempt, span: Span, isRoot: boolean): void {
  const { attributes, startMs, endMs, name } = span
  const operation = asText(attributes['gen_ai.operation.name'])
  const isCall = operation === 'execute_tool' || attributes['zcl.op'] !== undefined
  if (operation === 'chat' || operation === 'text_completion' || operation === 'generate_content') {
    addAnswer(attempt, span)
  } else if (isCall) {
    attempt.calls.push({
      ts: rfc3339(new Date(startMs)),
      tool: asText(attributes['zcl.tool']) || 'otlp',
      op: asText(attributes['zcl.op']) || asText(attributes['gen_ai.tool.name']) || name,
      input: parsed(attributes['zcl.input'] ?? attributes['gen_ai.tool.call.arguments']),
      output: asText(attributes['gen_ai.tool.call.result']),
      isError: span.isError,
      durationMs: Math.max(0, endMs - startMs),
    })
  } else if (operation === 'invoke_agent' || isRoot) addUsage(attempt, span)
  else countUnmapped(attempt, `span ${operation || name}`)
}

function addAnswer(attempt: ImportedAttempt, span: Span): void {
  const ts = rfc3339(new Date(span.startMs))
  const { attributes } = span
  if (attempt.messages.length === 0) {
    for (const message of objectsIn(parsed(attributes['gen_ai.input.messages']))) {
      addMessage(attempt, message, ts)
    }
  }
  for (const message of objectsIn(parsed(attributes['gen_ai.output.messages']))) {
    addMessage(attempt, { role: 'assistant', ...message }, ts)
  }
  addUsage(attempt, span)
  attempt.numbers = { ...attempt.numbers, modelCalls: (attempt.numbers.modelCalls ?? 0) + 1 }
}

function addMessage(attempt: ImportedAttempt, message: Loose, ts: string): void {
  const { role } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return
  for (const part of objectsIn(message.parts)) {
    const text = asText(part.content)
    if (part.type === 'reasoning') say(attempt, 'assistant', text, { ts, kind: 'thinking' })
    else if (part.type === 'text') say(attempt, role, text, { ts })
  }
  const first = attempt.messages.find((each) => each.role === 'user')
  attempt.prompt ??= first?.text
}

/** Usage of answers adds up; that of the root stands for all of them. */
function addUsage(attempt: ImportedAttempt, { attributes }: Span): void {
  const { numbers } = attempt
  const input = attributes['gen_ai.usage.input_tokens']
  const output = attributes['gen_ai.usage.output_tokens']
  const model =
    asText(attributes['gen_ai.response.model']) || asText(attributes['gen_ai.request.model'])
  const provider = asText(attributes['gen_ai.provider.name'])
  const isRoot = attributes['gen_ai.operation.name'] === 'invoke_agent'
  const add = (old: number | undefined, value: unknown) =>
    typeof value === 'number' ? (isRoot ? value : (old ?? 0) + value) : old
  const inputTokens = add(numbers.inputTokens, input)
  const outputTokens = add(numbers.outputTokens, output)
  attempt.numbers = {
    ...numbers,
    ...(model === '' ? {} : { model }),
    ...(provider === '' ? {} : { modelProvider: provider }),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(inputTokens === undefined || outputTokens === undefined
      ? {}
      : { totalTokens: inputTokens + outputTokens }),
  }
}

function attributesOf(list: unknown): Record<string, unknown> {
  return Object.fromEntries(objectsIn(list).map(({ key, value }) => [asText(key), valueOf(value)]))
}

function valueOf(value: unknown): unknown {
  const { stringValue, boolValue, intValue, doubleValue } = asObject(value)
  if (intValue !== undefined) return Number(intValue)
  return stringValue ?? boolValue ?? doubleValue
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value)
  } catch {
    return { text: value }
  }
}

function milliseconds(nanoseconds: unknown): number {
  const text = String(nanoseconds ?? '0')
  return /^\d+$/.test(text) ? Number(BigInt(text) / 1_000_000n) : 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
