// OpenTelemetry: the traces in a file of OTLP. It holds JSON, JSON lines, a message of protocol buffers, or
// messages that each follow their length, as the file exporter of the collector writes them.
import { asObject, asText, maxJsonDepth } from '../json/json.ts'
import { evidenceError } from '../errors/errors.ts'
import { countUnmapped, objectsIn } from './imported.ts'
import type { ImportedRun } from './imported.ts'
import { decodeTraces } from './otlp-protobuf.ts'
import { attemptOfTrace, type Span } from './trace-attempt.ts'
import type { ImportSource } from './source.ts'

type Loose = Readonly<Record<string, unknown>>

export async function readOtlp(source: ImportSource): Promise<ImportedRun> {
  const run: ImportedRun = { suite: 'otlp', attempts: [], unmapped: {} }
  const traces = new Map<string, Map<string, Span>>()
  let spanCount = 0
  for (const document of documentsIn(source, run)) {
    if (!Array.isArray(document.resourceSpans)) countUnmapped(run, 'document without spans')
    for (const span of spansIn(document)) {
      const trace = traces.get(span.traceId) ?? new Map<string, Span>()
      traces.set(span.traceId, trace)
      // A collector that sends again writes a span twice.
      trace.set(span.spanId || `#${spanCount++}`, span)
    }
  }
  const sorted = [...traces.values()].map((trace) =>
    [...trace.values()].sort((a, b) => a.startMs - b.startMs),
  )
  sorted.sort(([a], [b]) => (a?.startMs ?? 0) - (b?.startMs ?? 0))
  for (const spans of sorted) {
    const suite = spans.map(({ attributes }) => attributes['zcl.suite.id']).find(isText)
    if (run.suite === 'otlp' && suite !== undefined) run.suite = suite
    run.attempts.push(attemptOfTrace(spans))
  }
  run.createdAt = run.attempts[0]?.startedAt
  return run
}

const openBrace = 0x7b
const newline = 0x0a

/** A message starts with the byte of a newline, but JSON may, too. */
function* documentsIn(source: ImportSource, run: ImportedRun): Generator<Loose> {
  const bytes = source.bytes()
  const first = bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  const message = bytes[0] === newline ? messageIn(bytes) : undefined
  if (message !== undefined) yield message
  else if (first === openBrace && bytes[0] !== 0) yield* source.objects(run)
  else yield* framedMessages(bytes, source, run)
}

function* framedMessages(bytes: Buffer, source: ImportSource, run: ImportedRun): Generator<Loose> {
  let hasMessage = false
  for (let at = 0; at < bytes.length;) {
    const start = at + 4
    const end = start > bytes.length ? Infinity : start + bytes.readUInt32BE(at)
    const message = end > bytes.length ? undefined : messageIn(bytes.subarray(start, end))
    if (message === undefined) {
      if (!hasMessage) throw evidenceError('ZCL_E_INVALID_JSON', `${source.path} is not OTLP`)
      countUnmapped(run, 'damaged message')
      if (end > bytes.length) return
    } else {
      hasMessage = true
      yield message
    }
    at = end
  }
}

function messageIn(bytes: Buffer): Loose | undefined {
  try {
    return decodeTraces(bytes)
  } catch {
    return undefined
  }
}

function* spansIn(document: Loose): Generator<Span> {
  for (const resource of objectsIn(document.resourceSpans)) {
    for (const scope of objectsIn(resource.scopeSpans)) {
      for (const span of objectsIn(scope.spans)) yield spanOf(span)
    }
  }
}

/** An event with the messages of an answer, which its span then does not have. */
const detailsEvent = 'gen_ai.client.inference.operation.details'

function spanOf(span: Loose): Span {
  const { code } = asObject(span.status)
  const events = objectsIn(span.events)
  const details = events.filter(({ name }) => name === detailsEvent)
  const attributes = [...details, span].map((each) => attributesOf(each.attributes))
  return {
    name: asText(span.name),
    traceId: asText(span.traceId),
    spanId: asText(span.spanId),
    parentId: asText(span.parentSpanId),
    startMs: milliseconds(span.startTimeUnixNano),
    endMs: milliseconds(span.endTimeUnixNano),
    isError: code === 2 || code === 'STATUS_CODE_ERROR',
    attributes: withCurrentNames(Object.assign({}, ...attributes) as Loose),
    events: events.filter(({ name }) => name !== detailsEvent).map(({ name }) => asText(name)),
  }
}

const olderMessage = /^gen_ai\.(prompt|completion)\.(\d{1,4})\.(role|content)$/
const olderCall = /^gen_ai\.completion\.(\d{1,4})\.tool_calls\.(\d{1,4})\.(id|name|arguments)$/

/**
 * Instrumentations of before the conventions, such as OpenLLMetry, write an attribute for each field of a
 * message. Their messages and tokens get the names of the conventions.
 */
function withCurrentNames(attributes: Loose): Loose {
  const said = { prompt: new Fields(), completion: new Fields() }
  const asked = new Fields()
  for (const [key, value] of Object.entries(attributes)) {
    const [, list, index = '', field = ''] = olderMessage.exec(key) ?? []
    if (list === 'prompt' || list === 'completion') said[list].set(index, field, value)
    const [, answer, call, part = ''] = olderCall.exec(key) ?? []
    if (answer !== undefined) asked.set(String(call), part, value)
  }
  const input = said.prompt.all().map(({ role = 'user', content }) => ({ role, content }))
  const texts = said.completion.all().map(({ content }) => ({ type: 'text', content }))
  const parts = [...texts, ...asked.all().map((call) => ({ ...call, type: 'tool_call' }))]
  const isOlder = input.length > 0 || parts.length > 0
  return {
    ...(isOlder ? { 'gen_ai.operation.name': 'chat' } : {}),
    ...(input.length === 0 ? {} : { 'gen_ai.input.messages': input }),
    ...(parts.length === 0 ? {} : { 'gen_ai.output.messages': [{ role: 'assistant', parts }] }),
    ...renamed(attributes, 'gen_ai.usage.prompt_tokens', 'gen_ai.usage.input_tokens'),
    ...renamed(attributes, 'gen_ai.usage.completion_tokens', 'gen_ai.usage.output_tokens'),
    ...attributes,
  }
}

function renamed(attributes: Loose, older: string, current: string): Loose {
  return attributes[older] === undefined ? {} : { [current]: attributes[older] }
}

/** The fields of numbered objects, in the order of their numbers. */
class Fields {
  readonly #objects = new Map<number, Record<string, unknown>>()

  set(index: string, field: string, value: unknown): void {
    const fields = this.#objects.get(Number(index)) ?? {}
    this.#objects.set(Number(index), { ...fields, [field]: value })
  }

  all(): Record<string, unknown>[] {
    return [...this.#objects].sort(([a], [b]) => a - b).map(([, fields]) => fields)
  }
}

function attributesOf(list: unknown): Record<string, unknown> {
  return Object.fromEntries(objectsIn(list).map(({ key, value }) => [asText(key), valueOf(value)]))
}

function valueOf(value: unknown, depth = 0): unknown {
  const typed = asObject(value)
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = typed
  if (intValue !== undefined) return Number(intValue)
  // Deeper values would exhaust the stack.
  if (depth > maxJsonDepth) return '[TRUNCATED]'
  if (typed.arrayValue !== undefined) {
    const items = objectsIn(asObject(typed.arrayValue).values)
    return items.map((item) => valueOf(item, depth + 1))
  }
  if (typed.kvlistValue !== undefined) {
    const members = objectsIn(asObject(typed.kvlistValue).values)
    return Object.fromEntries(
      members.map((member) => [asText(member.key), valueOf(member.value, depth + 1)]),
    )
  }
  return stringValue ?? boolValue ?? doubleValue ?? bytesValue
}

/** The end of the year 9999, the latest time of an artifact. */
const maxMs = 253_402_300_799_999n

function milliseconds(nanoseconds: unknown): number {
  const text = String(nanoseconds ?? '0')
  const ms = /^\d{1,24}$/.test(text) ? BigInt(text) / 1_000_000n : 0n
  return ms > maxMs ? 0 : Number(ms)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
