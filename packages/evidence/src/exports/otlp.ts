// Exports OpenTelemetry traces as OTLP JSON: an attempt is a trace, each call a span. Names follow
// the semantic conventions below; those for generative AI and MCP are in development.
import { createHash } from 'node:crypto'
import { asText } from '../json/json.ts'
import type { StoredEvent } from '../events/events.ts'
import type { AgentMessage } from '../messages/messages.ts'
import { epochMs, promptTokens, verdictOf } from './source.ts'
import type { ExportAttempt, ExportSource } from './source.ts'

/** Every export states the version, because the names may change. */
const semanticConventions = '1.40.0'

type Value = string | number | boolean | undefined
type Attributes = Readonly<Record<string, Value>>

const kind = { internal: 1, client: 3 }
const status = { ok: 1, error: 2 }

export async function* otlpText(
  source: ExportSource,
  { version }: { version: string },
): AsyncGenerator<string> {
  const resource = {
    attributes: attributeList({ 'service.name': 'zcl', 'service.version': version }),
  }
  const scope = {
    name: 'zcl',
    version,
    attributes: attributeList({
      'zcl.semantic_conventions': `${semanticConventions}, gen_ai and mcp in development`,
    }),
  }
  const schemaUrl = `https://opentelemetry.io/schemas/${semanticConventions}`
  yield `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{`
  yield `"scope":${JSON.stringify(scope)},"spans":[`
  let separator = ''
  for (const attempt of source.attempts) {
    for await (const span of spansOf(attempt)) {
      yield `${separator}${JSON.stringify(span)}`
      separator = ','
    }
  }
  yield `],"schemaUrl":"${schemaUrl}"}],"schemaUrl":"${schemaUrl}"}]}\n`
}

async function* spansOf(attempt: ExportAttempt): AsyncGenerator<object> {
  const name = `${asText(attempt.attempt.runId)}/${attempt.attemptId}`
  const traceId = hashId(name, 16)
  const rootId = hashId(`${name} root`, 8)
  const startedMs = epochMs(attempt.attempt.startedAt)
  let firstMs = startedMs ?? Infinity
  let lastMs = epochMs(attempt.feedback?.createdAt) ?? 0
  for await (const event of attempt.events()) {
    const beginMs = epochMs(event.ts) ?? startedMs ?? 0
    const endMs = beginMs + event.durationMs
    firstMs = Math.min(firstMs, beginMs)
    lastMs = Math.max(lastMs, endMs)
    yield {
      traceId,
      spanId: hashId(`${name} ${event.index}`, 8),
      parentSpanId: rootId,
      name: spanName(event),
      kind: event.tool === 'cli' ? kind.internal : kind.client,
      startTimeUnixNano: nanoseconds(beginMs),
      endTimeUnixNano: nanoseconds(endMs),
      attributes: attributeList(callAttributes(event)),
      status: event.ok ? { code: status.ok } : { code: status.error, message: event.code ?? '' },
    }
  }
  if (firstMs === Infinity) firstMs = lastMs
  yield rootSpan(attempt, { traceId, rootId, firstMs, lastMs: Math.max(firstMs, lastMs) })
}

function rootSpan(
  source: ExportAttempt,
  span: { traceId: string; rootId: string; firstMs: number; lastMs: number },
): object {
  const { attempt, attemptId, runnerMetrics: metrics = {}, messages } = source
  const mission = asText(attempt.missionId)
  const verdict = verdictOf(source)
  const code = verdict.outcome === 'passed' ? status.ok : status.error
  return {
    traceId: span.traceId,
    spanId: span.rootId,
    name: `invoke_agent ${mission}`,
    kind: kind.internal,
    startTimeUnixNano: nanoseconds(span.firstMs),
    endTimeUnixNano: nanoseconds(span.lastMs),
    attributes: attributeList({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': asText(attempt.agentId) || undefined,
      'gen_ai.request.model': asText(metrics.model) || undefined,
      'gen_ai.provider.name': asText(metrics.modelProvider) || undefined,
      'gen_ai.usage.input_tokens': integerOrUndefined(promptTokens(metrics)),
      'gen_ai.usage.output_tokens': integerOrUndefined(metrics.outputTokens),
      'gen_ai.usage.cache_read.input_tokens': integerOrUndefined(metrics.cachedInputTokens),
      'gen_ai.usage.cache_creation.input_tokens': integerOrUndefined(metrics.cacheWriteTokens),
      'gen_ai.usage.reasoning.output_tokens': integerOrUndefined(metrics.reasoningOutputTokens),
      'gen_ai.input.messages': messagesText(messages.filter(({ role }) => role !== 'assistant')),
      'gen_ai.output.messages': messagesText(messages.filter(({ role }) => role === 'assistant')),
      'zcl.run.id': asText(attempt.runId),
      'zcl.suite.id': asText(attempt.suiteId),
      'zcl.mission.id': mission,
      'zcl.attempt.id': attemptId,
      'zcl.attempt.mode': asText(attempt.mode),
      'zcl.attempt.ok': verdict.ok,
      'zcl.attempt.outcome': verdict.outcome,
      'zcl.attempt.code': verdict.code,
      'zcl.attempt.error': verdict.message,
    }),
    status: verdict.outcome === 'missing' ? {} : { code },
  }
}

/** Messages in the form of the conventions; undefined if there is none. */
function messagesText(messages: readonly AgentMessage[]): string | undefined {
  if (messages.length === 0) return undefined
  const parts = messages.map(({ role, kind, text }) => ({
    role,
    parts: [{ type: kind === 'thinking' ? 'reasoning' : 'text', content: text }],
  }))
  return JSON.stringify(parts)
}

function spanName({ tool, op, input }: StoredEvent): string {
  if (tool === 'cli') return `execute_tool ${commandName(input) ?? op}`
  if (tool === 'mcp') return [asText(input.method) || op, toolName(input)].filter(Boolean).join(' ')
  if (tool === 'http') return asText(input.method) || op
  return `execute_tool ${tool} ${op}`
}

function callAttributes(event: StoredEvent): Attributes {
  const { tool, op, input } = event
  return {
    ...protocolAttributes(event),
    'error.type': event.ok ? undefined : (event.code ?? '_OTHER'),
    'zcl.tool': tool,
    'zcl.op': op,
    'zcl.event.index': event.index,
    'zcl.io.out_bytes': event.outBytes,
    'zcl.io.err_bytes': event.errBytes,
    'zcl.input': JSON.stringify(input),
  }
}

function protocolAttributes({ tool, op, input, exitCode, enrichment }: StoredEvent): Attributes {
  if (tool === 'mcp') {
    const name = toolName(input)
    return {
      'gen_ai.operation.name': op === 'tools/call' ? 'execute_tool' : undefined,
      'gen_ai.tool.name': name,
      'mcp.method.name': asText(input.method) || undefined,
      'jsonrpc.request.id': input.id === undefined ? undefined : String(input.id),
      'network.transport': 'pipe',
    }
  }
  if (tool === 'http') {
    const { status: code } = (enrichment.http ?? {}) as { status?: unknown }
    return {
      'http.request.method': asText(input.method),
      'url.full': asText(input.url),
      'http.response.status_code': integerOrUndefined(code),
    }
  }
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool === 'cli' ? commandName(input) : op,
    'process.exit.code': exitCode,
  }
}

function commandName({ argv }: StoredEvent['input']): string | undefined {
  const first: unknown = Array.isArray(argv) ? argv[0] : undefined
  return typeof first === 'string' ? first.slice(first.lastIndexOf('/') + 1) : undefined
}

function toolName({ params }: StoredEvent['input']): string | undefined {
  const { name } = (params ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}

function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === undefined) return []
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    // OTLP JSON writes 64-bit integers as strings.
    return [{ key, value: { intValue: String(value) } }]
  })
}

function integerOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`
}

/** An id derived from `text`, so that every export of the same evidence has the same ids. */
function hashId(text: string, bytes: number): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2)
}
