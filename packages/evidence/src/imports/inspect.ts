// Inspect (inspect-ai): a .eval file is a zip of JSON files, a .json log is one document. A sample and
// epoch is an attempt.
import { asObject, asText } from '../json/json.ts'
import { contentText, usageNumbers } from '../runners/runners.ts'
import { countUnmapped, failedOutcome, newAttempt, objectsIn, passOf, say } from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import { addEventCalls, sampleEvents, timeOf, type SampleEvents } from './inspect-events.ts'
import { parseLogJson } from './log-json.ts'
import type { ImportSource } from './source.ts'

type Loose = Readonly<Record<string, unknown>>

export async function readInspect(source: ImportSource): Promise<ImportedRun> {
  const bytes = source.bytes()
  if (!isZip(bytes)) return documentRun(asObject(source.json()))
  const entries = await source.zip()
  const json = (name: string): Loose => {
    const entry = entries.find((each) => each.name === name)
    return entry === undefined ? {} : asObject(parseLogJson(entry.read().toString('utf8')))
  }
  const header = json('header.json')
  const run = newRun(header.eval === undefined ? json('_journal/start.json') : header)
  // A sample that was written again replaces the earlier one.
  const samples = new Map(entries.map((entry) => [entry.name, entry]))
  for (const { name, read } of samples.values()) {
    if (!/^samples\/.*\.json$/.test(name)) continue
    const sample = parsedSample(read())
    if (sample === undefined) countUnmapped(run, 'damaged sample')
    else run.attempts.push(attemptOf(sample, run.spec))
  }
  const { spec: _spec, ...imported } = run
  return imported
}

function isZip(bytes: Buffer): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b
}

function documentRun(log: Loose): ImportedRun {
  const { spec, ...run } = newRun(log)
  return { ...run, attempts: objectsIn(log.samples).map((sample) => attemptOf(sample, spec)) }
}

function newRun(log: Loose): ImportedRun & { spec: Loose } {
  const spec = asObject(log.eval)
  return {
    suite: asText(spec.task).replace(/^.*\//, '') || 'inspect',
    createdAt: asText(spec.created) || undefined,
    attempts: [],
    unmapped: {},
    spec,
  }
}

function parsedSample(bytes: Buffer): Loose | undefined {
  try {
    return asObject(parseLogJson(bytes.toString('utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function attemptOf(sample: Loose, spec: Loose): ImportedAttempt {
  const attempt = newAttempt(String(sample.id ?? 'sample'))
  attempt.retry = typeof sample.epoch === 'number' ? sample.epoch : 1
  attempt.sourceId = asText(sample.uuid) || undefined
  attempt.agent = asText(spec.solver) || 'inspect'
  attempt.startedAt = asText(sample.started_at) || undefined
  attempt.endedAt = asText(sample.completed_at) || undefined
  attempt.prompt = typeof sample.input === 'string' ? sample.input : lastUser(sample.input)
  const messages = objectsIn(sample.messages)
  const results = new Map<string, Loose>()
  for (const message of messages) {
    if (message.role === 'tool') results.set(asText(message.tool_call_id), message)
  }
  const events = sampleEvents(sample)
  for (const message of messages) addMessage(attempt, message, results, events)
  addEventCalls(attempt, events, { hasAnswer: messages.some(({ role }) => role === 'assistant') })
  for (const event of events.all) {
    const kind = asText(event.event)
    if (!mappedEvents.has(kind)) countUnmapped(attempt, `event ${kind}`)
  }
  for (const _ of objectsIn(sample.error_retries)) countUnmapped(attempt, 'error before a retry')
  attempt.outcome = outcomeOf(sample)
  attempt.numbers = numbersOf(sample, spec, attempt)
  return attempt
}

/** Events whose content the messages, calls, usage and scores of a sample have too. */
const mappedEvents: ReadonlySet<string> = new Set([
  ...['model', 'tool', 'state', 'score', 'sample_init', 'span_begin', 'span_end', 'step', 'error'],
])

function addMessage(
  attempt: ImportedAttempt,
  message: Loose,
  results: ReadonlyMap<string, Loose>,
  events: SampleEvents,
): void {
  const role = message.role
  if (role === 'tool') return
  if (role !== 'system' && role !== 'user' && role !== 'assistant') {
    countUnmapped(attempt, `message ${asText(role) || 'without role'}`)
    return
  }
  const parts = Array.isArray(message.content) ? objectsIn(message.content) : []
  for (const part of parts) {
    if (part.type === 'reasoning') {
      const text = asText(part.reasoning) || asText(part.summary)
      say(attempt, 'assistant', text, { kind: 'thinking' })
    } else if (part.type !== 'text') countUnmapped(attempt, `content ${asText(part.type)}`)
  }
  say(attempt, role, events.text(contentText(message.content)))
  for (const call of objectsIn(message.tool_calls)) {
    const result = results.get(asText(call.id)) ?? {}
    const id = asText(call.id)
    const time = timeOf(events.tools.get(id))
    if (id !== '') events.told.add(id)
    attempt.calls.push({
      ts: time.ts,
      tool: 'inspect',
      op: asText(call.function) || 'tool',
      input: call.arguments ?? {},
      output: events.text(asText(asObject(result.error).message) || contentText(result.content)),
      isError: result.error !== undefined && result.error !== null,
      durationMs: time.durationMs,
    })
  }
}

/** All scorers must agree on a pass; an error without a score is a failure. */
function outcomeOf(sample: Loose): ImportedAttempt['outcome'] {
  const scores = Object.entries(asObject(sample.scores))
  const values = scores.map(([name, score]) => [name, asObject(score).value] as const)
  const answer = asText(asObject(scores[0]?.[1]).answer)
  const error = asText(asObject(sample.error).message)
  // A scorer that did not score a sample gives NaN.
  const passes = values.filter(([, value]) => value !== null).map(([, value]) => passOf(value))
  if (passes.length === 0 || passes.some((pass) => pass === undefined)) {
    return error === '' ? undefined : failedOutcome('INSPECT', error)
  }
  const graded = { scores: Object.fromEntries(values), ...(answer === '' ? {} : { answer }) }
  return { ok: passes.every(Boolean), resultJson: { ...graded, ...(error ? { error } : {}) } }
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'input_tokens_cache_read',
  written: 'input_tokens_cache_write',
  reasoning: 'reasoning_tokens',
  total: 'total_tokens',
}

function numbersOf(sample: Loose, spec: Loose, attempt: ImportedAttempt) {
  const usages = Object.values(asObject(sample.model_usage)).map(asObject)
  const sum: Record<string, number> = {}
  for (const usage of usages) {
    for (const [key, value] of Object.entries(usage)) {
      if (typeof value === 'number') sum[key] = (sum[key] ?? 0) + value
    }
  }
  // An answer may have calls and no text.
  const answered = objectsIn(sample.messages).filter(({ role }) => role === 'assistant')
  const told = objectsIn(sample.events).filter(({ event }) => event === 'model')
  const answers = answered.length === 0 ? told : answered
  return {
    ...(asText(spec.model) === '' ? {} : { model: asText(spec.model) }),
    ...usageNumbers(sum, usageFields),
    ...(answers.length === 0 ? {} : { modelCalls: answers.length }),
    toolCalls: attempt.calls.length,
  }
}

function lastUser(input: unknown): string | undefined {
  const users = objectsIn(input).filter(({ role }) => role === 'user')
  const last = users.at(-1)
  return last === undefined ? undefined : contentText(last.content)
}
