// ATIF (Agent Trajectory Interchange Format): one trajectory, or a list of them. A trajectory may go on in
// further files of its folder.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { asObject, asText } from '../json/json.ts'
import { contentText } from '../runners/runners.ts'
import { countUnmapped, failedOutcome, newAttempt, objectsIn, say } from './imported.ts'
import type { ImportedAttempt, ImportedCall, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'
import { addResults, type CallPairing } from './atif-results.ts'

type Loose = Readonly<Record<string, unknown>>

export async function readAtif(source: ImportSource): Promise<ImportedRun> {
  const unmapped: Record<string, number> = {}
  const values = valuesIn(source, unmapped)
  const documents = values.filter((each) => Array.isArray(each.steps))
  const attempts = documents.map((document) =>
    trajectoryAttempt(document, continuationsOf(source, document, source.path)),
  )
  const others = values.length - documents.length
  const suite = asText(asObject(documents[0]?.extra).suite_id) || 'atif'
  if (others > 0) unmapped['value without steps'] = others
  return { suite, createdAt: attempts[0]?.startedAt, attempts, unmapped }
}

/** The values of one JSON document, or of one per line. */
function valuesIn(source: ImportSource, unmapped: Record<string, number>): Loose[] {
  try {
    const value = source.json()
    return (Array.isArray(value) ? (value as unknown[]) : [value]).map(asObject)
  } catch (error) {
    const isOther = error instanceof ZeeError && error.code === 'ZCL_E_INVALID_JSON'
    if (!isOther) throw error
    return [...source.objects({ unmapped })]
  }
}

/** The trajectories that continue the first one of `from` in further files of its folder. */
export function continuationsOf(source: ImportSource, first: Loose, from: string): Loose[] {
  const documents: Loose[] = []
  const seen = new Set([path.basename(from)])
  let name = asText(first.continued_trajectory_ref)
  // A name with a folder could lead anywhere.
  while (name !== '' && name === path.basename(name) && !seen.has(name)) {
    seen.add(name)
    const file = path.join(path.dirname(from), name)
    const next = existsSync(file) ? source.object(file) : undefined
    if (next === undefined || !Array.isArray(next.steps)) break
    documents.push(next)
    name = asText(next.continued_trajectory_ref)
  }
  return documents
}

/** The attempt of a trajectory and those that continue it; also used for trials of Harbor. */
export function trajectoryAttempt(first: Loose, more: readonly Loose[] = []): ImportedAttempt {
  const documents = [first, ...more]
  const last = more.at(-1) ?? first
  const extra = asObject(first.extra)
  const agent = asObject(first.agent)
  const attempt = newAttempt(asText(extra.mission_id) || asText(first.session_id) || 'trajectory')
  attempt.agent = asText(agent.name) || undefined
  attempt.sourceId = asText(first.session_id) || undefined
  const steps = documents.flatMap(({ steps: each }) => objectsIn(each))
  attempt.startedAt = times(steps)[0]
  attempt.endedAt = times(steps).at(-1)
  const subagents = documents.flatMap((document) => objectsIn(document.subagent_trajectories))
  const pairing: CallPairing = { earlier: new Map(), subagents }
  for (const step of steps) addStep(attempt, step, pairing)
  for (const _ of subagents) countUnmapped(attempt, 'subagent trajectory')
  if (asText(last.continued_trajectory_ref) !== '') {
    countUnmapped(attempt, 'continuation without a file')
  }
  attempt.prompt = attempt.messages.find(({ role }) => role === 'user')?.text
  attempt.numbers = numbersOf(last, steps, agent, attempt)
  if (extra.outcome === 'infra') {
    attempt.outcome = failedOutcome('ATIF', asText(extra.error), asText(extra.code) || undefined)
  } else if (typeof extra.ok === 'boolean') {
    const end = steps.at(-1)
    const result = asObject(end?.extra).outcome === true ? contentText(end?.message) : ''
    attempt.outcome = { ok: extra.ok, result }
  }
  return attempt
}

function addStep(attempt: ImportedAttempt, step: Loose, pairing: CallPairing): void {
  const ts = asText(step.timestamp)
  const role = step.source === 'agent' ? 'assistant' : step.source
  if (role !== 'assistant' && role !== 'user' && role !== 'system') {
    countUnmapped(attempt, `step ${asText(step.source) || 'without source'}`)
    return
  }
  // The file that the trajectory continues has the step itself.
  if (step.is_copied_context === true) return countUnmapped(attempt, 'copied step')
  const details = asObject(step.extra)
  if (details.outcome === true) return
  say(attempt, 'assistant', asText(step.reasoning_content), { ts, kind: 'thinking' })
  say(attempt, role, contentText(step.message), { ts })
  for (const part of Array.isArray(step.message) ? objectsIn(step.message) : []) {
    if (part.type !== 'text') countUnmapped(attempt, `content ${asText(part.type)}`)
  }
  const calls = objectsIn(step.tool_calls).map((call) => ({
    id: asText(call.tool_call_id),
    call: callOf(call, details, ts),
  }))
  for (const { call } of calls) attempt.calls.push(call)
  addResults(attempt, calls, objectsIn(asObject(step.observation).results), pairing)
}

function callOf(call: Loose, details: Loose, ts: string): ImportedCall {
  const [tool, op] = toolName(asText(call.function_name))
  return {
    ts,
    tool,
    op,
    input: call.arguments ?? {},
    output: '',
    isError: details.ok === false || details.tool_result_is_error === true,
    exitCode: typeof details.exit_code === 'number' ? details.exit_code : undefined,
    durationMs: typeof details.duration_ms === 'number' ? details.duration_ms : undefined,
  }
}

/** Exports of zcl name a call `tool.operation`. */
function toolName(name: string): [string, string] {
  const found = /^(cli|mcp|http|zdx|native)\.(.+)$/.exec(name)
  return found === null ? ['atif', name || 'tool'] : [found[1] ?? '', found[2] ?? '']
}

function numbersOf(
  document: Loose,
  steps: readonly Loose[],
  agent: Loose,
  attempt: ImportedAttempt,
) {
  const final = asObject(document.final_metrics)
  const metrics = steps
    .filter((step) => step.is_copied_context !== true)
    .map((step) => asObject(step.metrics))
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
