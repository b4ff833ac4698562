// Exports a log of Inspect (inspect-ai): an .eval file, which is a zip of JSON files. An attempt is a
// sample, and further attempts of a mission are its epochs.
import { createHash } from 'node:crypto'
import { asObject, asText } from '../json/json.ts'
import { callName, type StoredEvent } from '../events/events.ts'
import type { AgentMessage } from '../messages/messages.ts'
import { MessageQueue } from './message-queue.ts'
import { verdictOf } from './source.ts'
import type { ExportAttempt, ExportedVerdict, ExportSource } from './source.ts'
import { ZipWriter } from './zip-writer.ts'

type Loose = Readonly<Record<string, unknown>>

export async function* inspectLog(
  source: ExportSource,
  { version }: { version: string },
): AsyncGenerator<Uint8Array> {
  const attempts = source.attempts.filter(({ isSuperseded }) => !isSuperseded)
  const zip = new ZipWriter()
  const epochs = new Map<string, number>()
  const summaries: object[] = []
  const spec = evalSpec(source, attempts, version)
  yield zip.entry('_journal/start.json', json({ version: 2, eval: spec, plan }))
  const usage = new Map<string, Record<string, number>>()
  for (const attempt of attempts) {
    const id = asText(attempt.attempt.missionId)
    const epoch = (epochs.get(id) ?? 0) + 1
    epochs.set(id, epoch)
    const sample = await sampleOf(attempt, id, epoch)
    for (const [model, used] of Object.entries(sample.model_usage)) {
      usage.set(model, added(usage.get(model), used))
    }
    yield zip.entry(`samples/${id}_epoch_${epoch}.json`, json(sample))
    const { messages: _messages, output: _output, events: _events, store: _store, ...rest } = sample
    summaries.push({ ...rest, error: sample.error?.message, completed: true })
  }
  yield zip.entry('summaries.json', json(summaries))
  const times = { started_at: spec.created, completed_at: spec.created }
  const stats = { ...times, model_usage: Object.fromEntries(usage) }
  const results = resultsOf(attempts)
  const header = { version: 2, status: 'success', eval: spec, plan, results, stats }
  yield zip.entry('header.json', json(header))
  yield zip.end()
}

const plan = { name: 'zcl', steps: [], config: {} }
const scorer = 'zcl'

function evalSpec(source: ExportSource, attempts: readonly ExportAttempt[], version: string) {
  const missions = [...new Set(attempts.map(({ attempt }) => asText(attempt.missionId)))]
  const most = missions.map((id) => attempts.filter((each) => each.attempt.missionId === id).length)
  const model = attempts.map(({ runnerMetrics }) => asText(runnerMetrics?.model)).find(Boolean)
  return {
    eval_id: shortId(source.runId),
    run_id: source.runId,
    created: asText(attempts[0]?.attempt.startedAt) || '1970-01-01T00:00:00Z',
    task: source.suiteId,
    task_id: shortId(source.suiteId),
    task_version: 0,
    task_attribs: {},
    task_args: {},
    dataset: { name: source.suiteId, samples: missions.length, sample_ids: missions },
    model: model ?? 'none/unknown',
    model_args: {},
    config: { epochs: Math.max(1, ...most) },
    packages: { zcl: version },
    scorers: [{ name: scorer }],
  }
}

async function sampleOf(of: ExportAttempt, id: string, epoch: number) {
  const { attempt } = of
  const verdict = verdictOf(of)
  const messages: object[] = []
  const said = new MessageQueue(of.messages)
  const hasUser = of.messages.some(({ role }) => role === 'user')
  const prompt = of.prompt ?? of.messages.find(({ role }) => role === 'user')?.text ?? ''
  if (!hasUser) messages.push({ id: `${id}-0`, role: 'user', content: prompt })
  for await (const event of of.events()) {
    for (const message of said.before(event.index)) messages.push(chatMessage(message))
    messages.push(...callMessages(event))
  }
  for (const message of said.before(Infinity)) messages.push(chatMessage(message))
  const answer = answerOf(of.feedback)
  const model = asText(of.runnerMetrics?.model) || 'none/unknown'
  const usage = usageOf(of.runnerMetrics ?? {})
  return {
    id,
    epoch,
    input: prompt,
    target: '',
    messages,
    output: {
      model,
      choices: [{ message: { role: 'assistant', content: answer }, stop_reason: 'stop' }],
      completion: answer,
    },
    scores: scoresOf(verdict, answer),
    error: errorOf(verdict),
    metadata: { attempt_id: of.attemptId, run_id: asText(attempt.runId) },
    store: {},
    events: [],
    model_usage: usage === undefined ? {} : { [model]: usage },
    started_at: asText(attempt.startedAt) || undefined,
    completed_at: asText(of.feedback?.createdAt) || undefined,
    uuid: shortId(`${asText(attempt.runId)}/${of.attemptId}`),
  }
}

function chatMessage({ role, kind, text }: AgentMessage): object {
  return kind === 'thinking'
    ? { role, content: [{ type: 'reasoning', reasoning: text }] }
    : { role, content: text }
}

function callMessages(event: StoredEvent): object[] {
  const id = `call_${event.index + 1}`
  const name = `${event.tool}.${callName(event)}`
  const output = [event.outPreview, event.errPreview].filter((text) => text !== '').join('\n')
  const error = event.ok ? undefined : { type: 'unknown', message: event.code ?? 'failed' }
  return [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id, function: name, arguments: asObject(event.input), type: 'function' }],
    },
    { role: 'tool', content: output, tool_call_id: id, function: name, error },
  ]
}

function answerOf(feedback: Loose | undefined): string {
  if (feedback === undefined) return ''
  return typeof feedback.result === 'string'
    ? feedback.result
    : JSON.stringify(feedback.resultJson ?? null)
}

function scoresOf({ ok }: ExportedVerdict, answer: string) {
  if (ok === undefined) return undefined
  return { [scorer]: { value: ok ? 'C' : 'I', answer } }
}

/** A sample with an error counts neither as right nor as wrong. */
function errorOf({ outcome, code = 'infra', message }: ExportedVerdict) {
  if (outcome !== 'infra') return undefined
  const text = message === undefined ? code : `${code}: ${message}`
  return { message: text, traceback: '', traceback_ansi: '' }
}

function resultsOf(attempts: readonly ExportAttempt[]): object {
  const graded = attempts.map((each) => verdictOf(each).ok).filter((ok) => ok !== undefined)
  const share = graded.length === 0 ? 0 : graded.filter(Boolean).length / graded.length
  const metrics = { accuracy: { name: 'accuracy', value: share, params: {} } }
  return {
    total_samples: attempts.length,
    completed_samples: graded.length,
    scores: [{ name: scorer, scorer, params: {}, metrics }],
  }
}

function usageOf(metrics: Loose): Record<string, number> | undefined {
  const { inputTokens, outputTokens, totalTokens } = metrics
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined
  const optional = (key: string, value: unknown) =>
    typeof value === 'number' ? { [key]: value } : {}
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: typeof totalTokens === 'number' ? totalTokens : inputTokens + outputTokens,
    ...optional('input_tokens_cache_read', metrics.cachedInputTokens),
    ...optional('input_tokens_cache_write', metrics.cacheWriteTokens),
    ...optional('reasoning_tokens', metrics.reasoningOutputTokens),
  }
}

function added(sum: Record<string, number> = {}, used: Record<string, number>) {
  const keys = [...new Set([...Object.keys(sum), ...Object.keys(used)])]
  return Object.fromEntries(keys.map((key) => [key, (sum[key] ?? 0) + (used[key] ?? 0)]))
}

function shortId(text: string): string {
  return createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, 'x').slice(0, 22)
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, undefined, 2))
}
