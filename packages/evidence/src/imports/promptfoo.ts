// promptfoo: the JSON that `promptfoo eval --output` writes. A result is an attempt.
import { asObject, asText } from '../json/json.ts'
import {
  countUnmapped,
  failedOutcome,
  newAttempt,
  numberTries,
  objectsIn,
  say,
} from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'

type Loose = Readonly<Record<string, unknown>>

export async function readPromptfoo(source: ImportSource): Promise<ImportedRun> {
  const run: ImportedRun = { suite: 'promptfoo', attempts: [], unmapped: {} }
  const documents = [...source.objects(run)]
  const document = documents[0] ?? {}
  // Version 3 has the list below `results`; older files have it at the top, JSON lines are results.
  const inner = Array.isArray(document.results) ? document : asObject(document.results)
  const isList = documents.length > 1 || document.testCase !== undefined
  const results = isList ? documents : objectsIn(inner.results)
  run.suite = asText(asObject(document.config).description) || run.suite
  run.createdAt = asText(inner.timestamp) || undefined
  const missions = new Missions()
  for (const [index, result] of results.entries()) {
    const attempt = attemptOf(result, missions.nameOf(result, index))
    attempt.startedAt ??= run.createdAt
    attempt.endedAt = endOf(attempt.startedAt, result.latencyMs)
    run.attempts.push(attempt)
  }
  numberTries(run.attempts)
  return run
}

/** Names the tests. A repetition has a number of its own, but the same variables and assertions. */
class Missions {
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  nameOf(result: Loose, index: number): string {
    const test = asObject(result.testCase)
    const { description, vars, assert } = test
    const number = typeof result.testIdx === 'number' ? result.testIdx + 1 : index + 1
    const hasIdentity = [description, vars, assert].some((each) => each !== undefined)
    const key = JSON.stringify(hasIdentity ? [description, vars, assert] : number)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const stated = asText(description)
    const name = stated === '' ? `test ${number}` : stated
    const free = this.#taken.has(name) ? `${name} ${number}` : name
    this.#names.set(key, free)
    this.#taken.add(free)
    return free
  }
}

function endOf(startedAt: string | undefined, latencyMs: unknown): string | undefined {
  const start = Date.parse(startedAt ?? '')
  if (Number.isNaN(start) || typeof latencyMs !== 'number' || !(latencyMs >= 0)) return undefined
  return new Date(Math.min(start + latencyMs, maxTime)).toISOString()
}

/** The latest time of a Date. */
const maxTime = 8.64e15

function attemptOf(result: Loose, mission: string): ImportedAttempt {
  const attempt = newAttempt(mission)
  attempt.variant = asText(result.promptId) || asText(asObject(result.prompt).label) || undefined
  const provider = result.provider
  attempt.agent =
    asText(provider) ||
    asText(asObject(provider).label) ||
    asText(asObject(provider).id) ||
    undefined
  attempt.sourceId = asText(result.id) || undefined
  const prompt = asText(asObject(result.prompt).raw) || asText(result.prompt)
  attempt.prompt = prompt === '' ? undefined : prompt
  say(attempt, 'user', prompt)
  const response = asObject(result.response)
  const output = textOf(response.output)
  say(attempt, 'assistant', output)
  addToolCalls(attempt, response)
  attempt.outcome = outcomeOf(result, output)
  attempt.numbers = numbersOf(response, attempt.agent)
  return attempt
}

/** `failureReason` of a result whose provider, prompt or grader failed; 1 is a failed assertion. */
const errorReason = 2

function outcomeOf(result: Loose, output: string): ImportedAttempt['outcome'] {
  const grading = asObject(result.gradingResult)
  const error = asText(result.error) || asText(asObject(result.response).error)
  // Files of older versions have no reason; nothing was graded after an error.
  const isUngraded = result.failureReason === undefined && result.gradingResult === null
  if (error !== '' && (result.failureReason === errorReason || isUngraded)) {
    return failedOutcome('PROMPTFOO', error)
  }
  const ok = typeof result.success === 'boolean' ? result.success : grading.pass
  if (typeof ok !== 'boolean') return undefined
  const { score } = result
  const graded = { output, score, reason: grading.reason, error: error || undefined }
  return { ok, resultJson: JSON.parse(JSON.stringify(graded)) as unknown }
}

/** Calls that a provider with an agent ran, and calls in an answer in the form of OpenAI, which promptfoo does not run. */
function addToolCalls(attempt: ImportedAttempt, response: Loose): void {
  for (const call of objectsIn(asObject(response.metadata).toolCalls)) {
    attempt.calls.push({
      ts: '',
      tool: 'promptfoo',
      op: asText(call.name) || 'tool',
      input: call.input ?? {},
      output: textOf(call.output),
      isError: call.is_error === true,
    })
  }
  for (const call of objectsIn(response.output)) {
    const called = asObject(call.function)
    if (asText(called.name) === '') countUnmapped(attempt, 'part of an output')
    else {
      attempt.calls.push({
        ts: '',
        tool: 'promptfoo',
        op: asText(called.name),
        input: called.arguments ?? {},
        output: '',
        isError: false,
      })
    }
  }
}

function numbersOf(response: Loose, agent: string | undefined) {
  const usage = asObject(response.tokenUsage)
  const { prompt, completion, total, cached } = usage
  const model =
    agent === undefined ? '' : agent.replace(/^[^:]*:(?:chat:|responses:|messages:)?/, '')
  const { cacheReadInputTokens, cacheCreationInputTokens } = asObject(usage.completionDetails)
  const read = tokenCount(cacheReadInputTokens)
  const written = tokenCount(cacheCreationInputTokens)
  // Anthropic counts cached input apart, the other providers as a part of the prompt.
  const isApart = /^(?:anthropic|bedrock)\b/.test(agent ?? '')
  const included = isApart ? 0 : read + written
  return {
    ...(model === '' ? {} : { model }),
    ...(typeof prompt === 'number' ? { inputTokens: Math.max(0, prompt - included) } : {}),
    ...(typeof completion === 'number' ? { outputTokens: completion } : {}),
    ...(typeof total === 'number' && total > 0
      ? { totalTokens: total + (isApart ? read + written : 0) }
      : {}),
    ...(read > 0 ? { cachedInputTokens: read } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    // A cached answer used no tokens; promptfoo counts those it would have used.
    ...(typeof cached === 'number' && cached > 0 && prompt === undefined
      ? { cachedInputTokens: cached }
      : {}),
  }
}

function tokenCount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
