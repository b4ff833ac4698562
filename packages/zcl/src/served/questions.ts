// The keys that match a call with a recorded one. They are redacted like the trace, so that a different
// secret still matches, and independent of the ids of the attempt.
import { canonicalJson } from '@zee/core/canonical-json'
import type { Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'

/** `inputJson` is the stored input: canonical and redacted. */
export function cliQuestion(inputJson: string): string {
  return `cli ${inputJson}`
}

/** The parameters of `initialize` and `_meta` do not count. */
export function mcpQuestion(method: string, params: unknown, redactor: Redactor): string {
  if (method === 'initialize') return `mcp ${method}`
  const { _meta, ...matched } = (params ?? {}) as Record<string, unknown>
  try {
    return `mcp ${method} ${canonicalJson(redactor.value(matched).value)}`
  } catch {
    return `mcp ${method}`
  }
}

export interface HttpRequest {
  method: string
  /** Path and query. */
  target: string
  /** Redacted and cut as in the trace; undefined if the trace has not kept it. */
  body: string | undefined
  /** Of the upstream; undefined if the trace does not name it. */
  basePath?: string | undefined
}

/**
 * The keys of a request: with its body first, then for traces without bodies. A request may have the path
 * of the upstream or the path that the proxy was asked for.
 */
export function httpQuestions(
  { method, target, body, basePath = '' }: HttpRequest,
  redactor: Redactor,
): string[] {
  const path = redactor.text(target).text
  const isBelowBase = basePath !== '' && path.startsWith(basePath)
  const paths = isBelowBase ? [path.slice(basePath.length) || '/', path] : [path]
  return [
    ...(body === undefined
      ? []
      : paths.map((each) => `http ${method} ${each}\n${comparable(body)}`)),
    ...paths.map((each) => `http ${method} ${each}`),
  ]
}

/** Bodies that are the same JSON compare as equal. */
function comparable(body: string): string {
  try {
    return canonicalJson(JSON.parse(body))
  } catch {
    return body
  }
}

/** The question without the ids of its attempt, which paths of scratch files contain. */
export function neutralText(question: string, identity: AttemptIdentity | undefined): string {
  if (identity === undefined) return question
  const { runId, attemptId } = identity
  return question.replaceAll(runId, '{run}').replaceAll(attemptId, '{attempt}')
}
