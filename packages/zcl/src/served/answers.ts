// The recorded calls of attempts by their question. Repeated questions get their answers in recorded
// order; the last answer then repeats.
import type { Redactor } from '@zee/core/redact'
import { identityOf, readAttemptFile, type AttemptIdentity } from '@zee/evidence/attempt'
import { eventsByStart, type StoredEvent } from '@zee/evidence/events'
import { asObject, canonicalInput } from '@zee/evidence/json'
import type { Patch } from './patch.ts'
import { cliQuestion, httpQuestions, mcpQuestion, neutralText } from './questions.ts'

export interface RecordedCall {
  event: StoredEvent
  /** The folder of its attempt. */
  folder: string
  /** 1-based among the calls of funnels; 0 for protocol events. */
  number: number
}

/** `patch` is set for the call at which a fork departs; empty if its answer stays. */
export type ServedAnswer =
  | { kind: 'recorded'; event: StoredEvent; folder: string; patch: Patch | undefined }
  | { kind: 'live' }
  | { kind: 'unrecorded' }

export class RecordedCalls {
  readonly #calls = new Map<string, RecordedCall[]>()

  add(key: string, call: RecordedCall): void {
    const recorded = this.#calls.get(key)
    if (recorded === undefined) this.#calls.set(key, [call])
    else recorded.push(call)
  }

  /** The answer after `earlier` answers to the same question; undefined if it was never asked. */
  at(key: string, earlier: number): RecordedCall | undefined {
    const recorded = this.#calls.get(key)
    return recorded?.[Math.min(earlier, recorded.length - 1)]
  }
}

export async function readAnswers(
  folders: readonly string[],
  redactor: Redactor,
): Promise<RecordedCalls> {
  const calls = new RecordedCalls()
  for (const folder of folders) {
    for await (const { keys, ...call } of readFunnelCalls(folder, redactor)) {
      for (const key of keys) calls.add(key, { ...call, folder })
    }
  }
  return calls
}

export interface FunnelRecord {
  event: StoredEvent
  number: number
  /** Neutral questions; the first one is the most precise. */
  keys: readonly string[]
}

/** The calls and protocol requests of a trace that a funnel can answer again, by their starts. */
export async function* readFunnelCalls(
  folder: string,
  redactor: Redactor,
): AsyncGenerator<FunnelRecord> {
  const identity = identityIn(folder)
  let number = 0
  for await (const event of eventsByStart(folder)) {
    const questions = questionsOf(event, redactor)
    if (questions.length === 0) continue
    if (isFunnelAction(event)) number++
    const keys = questions.map((question) => neutralText(question, identity))
    yield { event, number: isFunnelAction(event) ? number : 0, keys }
  }
}

/** A call of the agent through a funnel, as opposed to the rest of a protocol. */
function isFunnelAction({ tool, op }: Pick<StoredEvent, 'tool' | 'op'>): boolean {
  if (tool === 'mcp') return op === 'tools/call'
  return (tool === 'cli' && op === 'exec') || (tool === 'http' && op === 'request')
}

function questionsOf({ tool, op, input, enrichment }: StoredEvent, redactor: Redactor): string[] {
  const { method, params, url, body } = input
  if (tool === 'cli' && op === 'exec') return [cliQuestion(canonicalInput(input))]
  if (typeof method !== 'string') return []
  if (tool === 'mcp') return [mcpQuestion(method, params, redactor)]
  if (tool !== 'http' || typeof url !== 'string') return []
  const { basePath, reqBytes } = asObject(enrichment.http)
  const request = {
    method,
    target: targetOf(url),
    body: typeof body === 'string' ? body : reqBytes === 0 ? '' : undefined,
    basePath: typeof basePath === 'string' ? basePath : undefined,
  }
  const questions = httpQuestions(request, redactor)
  // A recorded body must match; only a trace without bodies answers any.
  return request.body === undefined
    ? questions
    : questions.filter((question) => question.includes('\n'))
}

/** Path and query of a recorded URL. */
function targetOf(url: string): string {
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return target === '' ? '/' : target
}

function identityIn(folder: string): AttemptIdentity | undefined {
  try {
    return identityOf(readAttemptFile(folder))
  } catch {
    return undefined
  }
}
