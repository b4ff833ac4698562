// ATIF (Agent Trajectory Interchange Format): one trajectory, or a list of them.
import { asObject, asText } from '../json/json.ts'
import { contentText } from '../runners/runners.ts'
import { countUnmapped, newAttempt, say } from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'

type Loose = Readonly<Record<string, unknown>>

export async function readAtif(source: ImportSource): Promise<ImportedRun> {
  const value = source.json()
  const values = (Array.isArray(value) ? (value as unknown[]) : [value]).map(asObject)
  const documents = values.filter((each) => Array.isArray(each.steps))
  const attempts = documents.map((document) => trajectoryAttempt(document))
  const others = values.length - documents.length
  const suite = asText(asObject(documents[0]?.extra).suite_id) || 'atif'
  const unmapped: Record<string, number> = others === 0 ? {} : { 'value without steps': others }
  return { suite, createdAt: attempts[0]?.startedAt, attempts, unmapped }
}

/** The attempt of one trajectory; also used for trials of Harbor. */
export function trajectoryAttempt(document: Loose): ImportedAttempt {
  const extra = asObject(document.extra)
  const agent = asObject(document.agent)
  const attempt = newAttempt(
    asText(extra.mission_id) || asText(document.session_id) || 'trajectory',
  )
  attempt.agent = asText(agent.name) || undefined
  attempt.sourceId = asText(document.session_id) || undefined
  const steps = listOf(document.steps)
  attempt.startedAt = times(steps)[0]
  attempt.endedAt = times(steps).at(-1)
  for (const step of steps) addStep(attempt, step)
  for (const _ of listOf(document.subagent_trajectories))
    countUnmapped(attempt, 'subagent trajectory')
  attempt.prompt = attempt.messages.find(({ role }) => role === 'user')?.text
  attempt.numbers = numbersOf(document, agent, attempt)
  if (typeof extra.ok === 'boolean') {
    const last = steps.at(-1)
    const result = asObject(last?.extra).outcome === true ? contentText(last?.message) : ''
    attempt.outcome = { ok: extra.ok, result }
  }
  return attempt
}

function addStep(attempt: ImportedAttempt, step: Loose): void {
  const ts = asText(step.timestamp)
  const role = step.source === 'agent' ? 'assistant' : step.source
  if (role !== 'assistant' && role !== 'user' && role !== 'system') {
    countUnmapped(attempt, `step ${asText(step.source) || 'without source'}`)
    return
  }
  if (asObject(step.extra).outcome === true) return
  say(attempt, 'assistant', asText(step.reasoning_content), { ts, kind: 'thinking' })
  say(attempt, role, contentText(step.message), { ts })
  for (const part of Array.isArray(step.message) ? listOf(step.message) : []) {
    if (part.type !== 'text') countUnmapped(attempt, `content ${asText(part.type)}`)
  }
  const results = listOf(asObject(step.observation).results)
  for (const [index, call] of listOf(step.tool_calls).entries()) {
    const id = asText(call.tool_call_id)
    const result = results.find(({ source_call_id }) => source_call_id === id) ?? results[index]
    const [tool, op] = toolName(asText(call.function_name))
    const details = asObject(step.extra)
    attempt.calls.push({
      ts,
      tool,
      op,
      input: call.arguments ?? {},
      output: contentText(result?.content),
      isError: details.ok === false,
      exitCode: typeof details.exit_code === 'number' ? details.exit_code : undefined,
      durationMs: typeof details.duration_ms === 'number' ? details.duration_ms : undefined,
    })
  }
}

/** Exports of zcl name a call `tool.operation`. */
function toolName(name: string): [string, string] {
  const found = /^(cli|mcp|http|zdx|native)\.(.+)$/.exec(name)
  return found === null ? ['atif', name || 'tool'] : [found[1] ?? '', found[2] ?? '']
}

function numbersOf(document: Loose, agent: Loose, attempt: ImportedAttempt) {
  const final = asObject(document.final_metrics)
  const metrics = listOf(document.steps).map((step) => asObject(step.metrics))
  const total = (final_: string, each: string): number | undefined => {
    const stated = final[final_]
    if (typeof stated === 'number') return stated
    const values = metrics.flatMap((metric) =>
      typeof metric[each] === 'number' ? [metric[each]] : [],
    )
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
  }
  const prompt = total('total_prompt_tokens', 'prompt_tokens')
  const cached = total('total_cached_tokens', 'cached_tokens')
  const output = total('total_completion_tokens', 'completion_tokens')
  const fresh = prompt === undefined ? undefined : Math.max(0, prompt - (cached ?? 0))
  const model = asText(agent.model_name)
  return {
    ...(model === '' ? {} : { model }),
    inputTokens: fresh,
    cachedInputTokens: cached,
    outputTokens: output,
    ...(prompt === undefined || output === undefined ? {} : { totalTokens: prompt + output }),
    toolCalls: attempt.calls.length,
  }
}

function times(steps: readonly Loose[]): string[] {
  return steps.flatMap(({ timestamp }) => (typeof timestamp === 'string' ? [timestamp] : []))
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? (value as unknown[]).map(asObject) : []
}
