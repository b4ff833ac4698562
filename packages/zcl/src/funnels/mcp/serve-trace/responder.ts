// Answers MCP requests from a recorded trace, on any transport. Requests are matched by method and
// parameters.
import { isObject } from '@zee/core/json'
import type { Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'
import type { StoredEvent } from '@zee/evidence/events'
import { mcpQuestion, type Patch, type ServedTrace } from '../../../served/served.ts'

type Loose = Readonly<Record<string, unknown>>
/** A recorded response without its id. */
type Answer = { result: unknown } | { error: unknown }

/** The real server, for live requests. */
export interface LiveTools {
  /** Keeps the parameters of the client's `initialize`. */
  remember(params: unknown): void
  /** The response as a line; undefined if the server cannot answer. */
  request(id: unknown, method: string, params: unknown): Promise<string | undefined>
  close(): Promise<void>
}

const notRecorded = -32_001

export class Responder {
  readonly #served: ServedTrace
  readonly #redactor: Redactor
  readonly #identity: AttemptIdentity | undefined
  readonly #live: LiveTools | undefined

  constructor(
    served: ServedTrace,
    redactor: Redactor,
    identity: AttemptIdentity | undefined,
    live: LiveTools | undefined,
  ) {
    this.#served = served
    this.#redactor = redactor
    this.#identity = identity
    this.#live = live
  }

  /** The response as a line; undefined for a notification. */
  async respond({ id, method, params }: Loose): Promise<string | undefined> {
    if (id === undefined || typeof method !== 'string') return undefined
    if (method === 'initialize') this.#live?.remember(params)
    const question = mcpQuestion(method, params, this.#redactor)
    const answer = await this.#served.answer([question], this.#identity)
    if (answer.kind === 'recorded') return responseLine(id, answer.event, answer.patch)
    if (answer.kind === 'live' && this.#live !== undefined) {
      const response = await this.#live.request(id, method, params)
      if (response !== undefined) return response
    }
    if (method === 'ping') return JSON.stringify({ jsonrpc: '2.0', id, result: {} })
    const message = `not in the recorded trace: ${[method, toolOf(params)].join(' ').trim()}`
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: notRecorded, message } })
  }
}

/** The name of the tool that a request calls; empty for other requests. */
function toolOf(params: unknown): string {
  return isObject(params) && typeof params.name === 'string' ? params.name : ''
}

/** The answer to a handshake of zcl, as the answer to the `initialize` of the client. */
export function answerWithId(line: string | undefined, id: unknown): string | undefined {
  const [message] = line === undefined ? [] : parsed(line)
  return message === undefined ? undefined : JSON.stringify({ ...message, id })
}

/** The recorded line as it is if its id fits; otherwise its answer with the id of the request. */
function responseLine(id: unknown, event: StoredEvent, patch: Patch | undefined): string {
  if (patch !== undefined && Object.keys(patch).length > 0) {
    const { result, error } = patch
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      ...('error' in patch ? { error: rpcError(error) } : { result }),
    })
  }
  const whole = event.outPreview.replace(/\r?\n$/, '')
  const isWhole = !event.isOutTruncated && !whole.includes('\n')
  if (isWhole && event.input.id === id && parsed(whole).length === 1) return whole
  return JSON.stringify({ jsonrpc: '2.0', id, ...answerOf(event) })
}

/** An error of JSON-RPC has a code and a message; a patch may leave them out. */
function rpcError(error: unknown): object {
  if (!isObject(error)) return { code: notRecorded, message: String(error) }
  return { code: notRecorded, message: JSON.stringify(error), ...error }
}

function answerOf({ input, outPreview, isOutTruncated, code }: StoredEvent): Answer {
  const responses = parsed(outPreview).filter((each) => 'result' in each || 'error' in each)
  const response = responses.find(({ id }) => id === input.id) ?? responses[0]
  if (response !== undefined && !isOutTruncated) {
    return 'error' in response ? { error: response.error } : { result: response.result }
  }
  const why = isOutTruncated ? 'the recorded answer was too large to be kept' : 'it had no answer'
  return {
    error: { code: notRecorded, message: `${why}${code === undefined ? '' : ` (${code})`}` },
  }
}

/** The messages of a line or body. */
export function parsed(line: string): Loose[] {
  try {
    const value: unknown = JSON.parse(line)
    const list = Array.isArray(value) ? value : [value]
    return list.filter((each): each is Loose => typeof each === 'object' && each !== null)
  } catch {
    return []
  }
}
