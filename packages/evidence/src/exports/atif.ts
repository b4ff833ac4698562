// Exports trajectories in the Agent Trajectory Interchange Format: the prompt, one step per call
// with its output, and the outcome. An attempt is one document; a run is a list of documents.
import { asObject, asText } from '../json/json.ts'
import { callName, type StoredEvent } from '../events/events.ts'
import type { AgentMessage } from '../messages/messages.ts'
import { MessageQueue } from './message-queue.ts'
import { promptTokens, verdictOf, type ExportAttempt, type ExportSource } from './source.ts'

const atifVersion = 'ATIF-v1.8'

export async function* atifText(
  { attempts }: ExportSource,
  { isRun }: { isRun: boolean },
): AsyncGenerator<string> {
  const [only] = attempts
  if (!isRun && only !== undefined) {
    yield `${JSON.stringify(await trajectory(only), undefined, 2)}\n`
    return
  }
  let separator = '[\n'
  for (const attempt of attempts) {
    yield `${separator}${JSON.stringify(await trajectory(attempt))}`
    separator = ',\n'
  }
  yield attempts.length === 0 ? '[]\n' : '\n]\n'
}

async function trajectory(source: ExportAttempt): Promise<object> {
  const { attempt, attemptId, feedback, runnerMetrics, prompt } = source
  const verdict = verdictOf(source)
  const steps: object[] = []
  const add = (step: object) => steps.push({ step_id: steps.length + 1, ...step })
  const said = new MessageQueue(source.messages)
  if (prompt !== undefined && !source.messages.some(({ role }) => role === 'user')) {
    add({ timestamp: attempt.startedAt, source: 'user', message: prompt })
  }
  for await (const event of source.events()) {
    for (const message of said.before(event.index)) add(messageStep(message))
    add(callStep(event))
  }
  for (const message of said.before(Infinity)) add(messageStep(message))
  if (feedback !== undefined) add(outcomeStep(feedback))
  // A trajectory has at least one step.
  if (steps.length === 0) add({ timestamp: attempt.startedAt, source: 'system', message: '' })
  return {
    schema_version: atifVersion,
    session_id: `${asText(attempt.runId)}/${attemptId}`,
    trajectory_id: `${asText(attempt.runId)}/${attemptId}`,
    agent: {
      name: asText(runnerMetrics?.runner) || asText(attempt.agentId) || 'unknown',
      version: 'unknown',
      model_name: typeof runnerMetrics?.model === 'string' ? runnerMetrics.model : undefined,
    },
    steps,
    final_metrics: {
      ...count('total_prompt_tokens', promptTokens(runnerMetrics ?? {})),
      ...count('total_completion_tokens', runnerMetrics?.outputTokens),
      ...count('total_cached_tokens', runnerMetrics?.cachedInputTokens),
      total_steps: steps.length,
    },
    extra: {
      suite_id: attempt.suiteId,
      mission_id: attempt.missionId,
      attempt_id: attemptId,
      ok: verdict.ok ?? null,
      outcome: verdict.outcome,
      code: verdict.code,
      error: verdict.message,
    },
  }
}

function messageStep({ ts, role, kind, text }: AgentMessage): object {
  const isThinking = kind === 'thinking'
  return {
    timestamp: ts === '' ? undefined : ts,
    source: role === 'assistant' ? 'agent' : role,
    message: isThinking ? '' : text,
    ...(isThinking ? { reasoning_content: text } : {}),
  }
}

function callStep(event: StoredEvent): object {
  const id = `call_${event.index + 1}`
  const content = [event.outPreview, event.errPreview].filter((text) => text !== '').join('\n')
  return {
    timestamp: event.ts,
    source: 'agent',
    message: '',
    tool_calls: [
      {
        tool_call_id: id,
        function_name: `${event.tool}.${callName(event)}`,
        arguments: callArguments(event),
      },
    ],
    observation: { results: [{ source_call_id: id, content }] },
    extra: {
      ok: event.ok,
      code: event.code,
      exit_code: event.exitCode,
      duration_ms: event.durationMs,
      out_bytes: event.outBytes,
      err_bytes: event.errBytes,
      truncated: event.isTruncated,
    },
  }
}

/** The arguments of an MCP tool without the JSON-RPC message around them. */
function callArguments(event: StoredEvent): unknown {
  if (callName(event) === event.op) return event.input
  return asObject(asObject(event.input.params).arguments)
}

function outcomeStep(feedback: Readonly<Record<string, unknown>>): object {
  const message =
    typeof feedback.result === 'string'
      ? feedback.result
      : JSON.stringify(feedback.resultJson ?? null)
  return {
    timestamp: feedback.createdAt,
    source: 'agent',
    message,
    extra: { outcome: true, ok: feedback.ok },
  }
}

function count(key: string, value: unknown): Record<string, number> {
  return typeof value === 'number' ? { [key]: value } : {}
}
