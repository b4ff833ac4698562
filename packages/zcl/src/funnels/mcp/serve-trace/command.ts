// `zcl mcp serve-trace`: an MCP server that answers from a recorded trace, so that an agent can run against
// recorded tools. Requests are matched by method and parameters.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import { streamWriter } from '@zee/core/lossless'
import type { Redactor } from '@zee/core/redact'
import { attemptFromEnvironment, type AttemptIdentity } from '@zee/evidence/attempt'
import { traceEvents, type StoredEvent } from '@zee/evidence/events'
import { resolveAttempt } from '../../../attempts/attempts.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { zclError } from '../../../errors/errors.ts'
import { mcpQuestion, openServed, readServePlan, servedFileName } from '../../../served/served.ts'
import type { Patch, ServedTrace, ServePlan } from '../../../served/served.ts'
import { LiveServer } from './live-server.ts'

type Loose = Readonly<Record<string, unknown>>
/** A recorded response without its id. */
type Answer = { result: unknown } | { error: unknown }

const notRecorded = -32_001
/** Longer lines match no recorded request. */
const maxLineBytes = 16 * 1024 * 1024

/** Serves the trace of an attempt until the client ends. */
export async function runMcpServeTrace(argument: string | undefined, host: Host): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  const plan: ServePlan = { schemaVersion: 1, source: folder, others: [], live: false }
  const redactor = redactorFor(host)
  if (!(await holdsRequest(folder))) {
    throw zclError('ZCL_E_MISSING_EVIDENCE', `${folder}: its trace holds no MCP request`)
  }
  const served = await openServed(plan, redactor)
  const responder = new Responder(served, redactor, undefined, undefined)
  await serve(host, (message) => responder.respond(message))
  return 0
}

async function holdsRequest(folder: string): Promise<boolean> {
  for await (const { tool, input } of traceEvents(folder)) {
    if (tool === 'mcp' && typeof input.method === 'string') return true
  }
  return false
}

/** Serves the plan of a fork in place of the server `argv`, which only live requests start. */
export async function serveMcpPlan(
  { plan: name, attempt }: { plan: string; attempt: string | undefined },
  argv: readonly string[],
  host: Host,
): Promise<number> {
  const { folder, identity } = attemptFromEnvironment(host.env, host.cwd, attempt)
  const redactor = redactorFor(host)
  const plan = await readServePlan(name, host.cwd)
  const served = await openServed(plan, redactor, path.join(folder, servedFileName))
  const live = new LiveServer(argv, { ...host.env })
  const responder = new Responder(served, redactor, identity, live)
  await serve(host, (message) => responder.respond(message))
  await live.close()
  return 0
}

/** Answers each input line until the client ends; the last line needs no line ending. */
async function serve(
  host: Host,
  respond: (message: Loose) => Promise<string | undefined>,
): Promise<void> {
  const write = streamWriter(host.stdout)
  let waiting: Loose[] = []
  const lines = new LineSplitter(maxLineBytes, {
    line(bytes, start, end) {
      waiting.push(...parsed(bytes.toString('utf8', start, end)))
      return true
    },
    tooLong: () => true,
  })
  const send = async (): Promise<void> => {
    const messages = waiting
    waiting = []
    for (const message of messages) {
      const response = await respond(message)
      if (response !== undefined) await write(`${response}\n`)
    }
  }
  for await (const chunk of host.stdin) {
    lines.push(chunk as Buffer)
    await send()
  }
  lines.end()
  await send()
}

class Responder {
  readonly #served: ServedTrace
  readonly #redactor: Redactor
  readonly #identity: AttemptIdentity | undefined
  readonly #live: LiveServer | undefined

  constructor(
    served: ServedTrace,
    redactor: Redactor,
    identity: AttemptIdentity | undefined,
    live: LiveServer | undefined,
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
    const message = `not in the recorded trace: ${method}`
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: notRecorded, message } })
  }
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

/** An error of JSON-RPC has a code and a message. */
function rpcError(error: unknown): unknown {
  const isError = typeof error === 'object' && error !== null && 'code' in error
  return isError ? error : { code: notRecorded, message: String(error) }
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

function parsed(line: string): Loose[] {
  try {
    const value: unknown = JSON.parse(line)
    const list = Array.isArray(value) ? value : [value]
    return list.filter((each): each is Loose => typeof each === 'object' && each !== null)
  } catch {
    return []
  }
}
