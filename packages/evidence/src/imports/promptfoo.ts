// promptfoo: the JSON that `promptfoo eval --output` writes. A result is an attempt.
import { asObject, asText } from '../json/json.ts'
import { countUnmapped, newAttempt, say } from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'

type Loose = Readonly<Record<string, unknown>>

export async function readPromptfoo(source: ImportSource): Promise<ImportedRun> {
  const document = asObject(source.json())
  // Version 3 has the list below `results`; older files have it at the top.
  const inner = Array.isArray(document.results) ? document : asObject(document.results)
  const results = Array.isArray(inner.results) ? (inner.results as unknown[]).map(asObject) : []
  const suite = asText(asObject(document.config).description) || 'promptfoo'
  const createdAt = asText(inner.timestamp) || undefined
  const tries = new Map<string, number>()
  const attempts = results.map((result, index) => {
    const attempt = attemptOf(result, index)
    attempt.startedAt ??= createdAt
    attempt.endedAt = endOf(attempt.startedAt, result.latencyMs)
    const key = `${attempt.mission} ${attempt.agent}`
    attempt.retry = (tries.get(key) ?? 0) + 1
    tries.set(key, attempt.retry)
    return attempt
  })
  return { suite, createdAt, attempts, unmapped: {} }
}

function endOf(startedAt: string | undefined, latencyMs: unknown): string | undefined {
  const start = Date.parse(startedAt ?? '')
  if (Number.isNaN(start) || typeof latencyMs !== 'number' || !(latencyMs >= 0)) return undefined
  return new Date(Math.min(start + latencyMs, maxTime)).toISOString()
}

/** The latest time of a Date. */
const maxTime = 8.64e15

function attemptOf(result: Loose, index: number): ImportedAttempt {
  const test = asObject(result.testCase)
  const number = typeof result.testIdx === 'number' ? result.testIdx + 1 : index + 1
  const attempt = newAttempt(asText(test.description) || `test ${number}`)
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
  const grading = asObject(result.gradingResult)
  const ok = typeof result.success === 'boolean' ? result.success : grading.pass
  const error = asText(result.error)
  if (typeof ok === 'boolean') {
    const graded = {
      output,
      score: result.score,
      reason: grading.reason,
      error: error || undefined,
    }
    attempt.outcome = { ok, resultJson: JSON.parse(JSON.stringify(graded)) as unknown }
  }
  attempt.numbers = numbersOf(response, attempt.agent)
  return attempt
}

/** Tool calls of an answer in the form of OpenAI; promptfoo does not run them. */
function addToolCalls(attempt: ImportedAttempt, response: Loose): void {
  const list = Array.isArray(response.output) ? (response.output as unknown[]).map(asObject) : []
  for (const call of list) {
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
