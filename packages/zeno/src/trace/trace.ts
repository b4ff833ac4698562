// The trace log: requests, response summaries and errors, one ASCII JSON object per line. Each event is
// written before the next request is read.
import { createHash } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { fileError, reasonOf, ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { openJournal } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import { asciiJson } from '../json/json.ts'
import type { BadRequest, Request } from '../protocol/protocol.ts'

export interface ResponseSummary {
  truncated: boolean | null
  count: number | null
  metrics: Record<string, unknown>
}

export interface ResponseFacts {
  summary: ResponseSummary
  /** The result as JSON, without its metrics. */
  body: string
}

export interface Trace {
  /** `effective`: the arguments that ran, if a limit or --hash changed them. */
  request(request: Request, effective?: Record<string, unknown>): void
  response(request: Request, facts: ResponseFacts): void
  error(request: Request | BadRequest, message: string): void
  /** Writes an event on behalf of an agent, with the agent's fields. */
  agent(event: string, fields: Record<string, unknown>): void
  /** The same trace for one connection of a shared server: its rows carry `conn`. */
  forConnection(conn: number): Trace
  /** Whether an event could not be written. */
  isIncomplete(): boolean
  close(): void
}

export interface TraceOptions {
  clock: Clock
  redactor: Redactor
  /** Called once per series of failed writes. The server keeps answering. */
  onFailure: (message: string) => void
}

/** Creates the folder and test-opens the file, so that a wrong path fails at start. */
export function openTrace(file: string, options: TraceOptions): Trace {
  checkWritable(file)
  const journal = openJournal(file, { durability: 'fast' })
  return traceTo(
    { append: (line) => void journal.appendLine(line), close: () => journal.close() },
    options,
  )
}

/** A trace in memory, of which the last `maxChars` characters remain. */
export function recentTrace(maxChars: number, options: TraceOptions): RecentTrace {
  const lines: string[] = []
  let chars = 0
  const append = (line: string): void => {
    lines.push(line)
    chars += line.length + 1
    while (chars > maxChars) chars -= (lines.shift() as string).length + 1
  }
  return { trace: traceTo({ append, close: () => undefined }, options), lines: () => lines }
}

export interface RecentTrace {
  trace: Trace
  lines(): readonly string[]
}

interface LineSink {
  append(line: string): void
  close(): void
}

function traceTo(sink: LineSink, { clock, redactor, onFailure }: TraceOptions): Trace {
  let [hasFailed, isIncomplete] = [false, false]
  const append = (event: string, fields: object): void => {
    try {
      sink.append(asciiJson({ ts: rfc3339(clock.now(), 0), event, ...fields }))
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onFailure(`the trace is incomplete: ${reasonOf(error)}`)
      hasFailed = true
      isIncomplete = true
    }
  }
  const traceFor = (connection: { conn?: number }): Trace => ({
    request: (request, effective) => {
      const { op, args } = request
      const changed = effective === undefined ? {} : { effective_args: effective }
      const { value, applied } = redactor.value({ op, args, ...changed })
      const marks = applied.length === 0 ? {} : { redacted: applied }
      append('request', { ...keyOf(request), ...connection, ...(value as object), ...marks })
    },
    response: (request, { summary, body }) => {
      const facts = { op: request.op, summary, result_sha256: resultSha256(body) }
      append('response', { ...keyOf(request), ...connection, ...facts })
    },
    error: (request, message) => {
      const error = { message: redactor.text(message).text }
      append('error', { ...keyOf(request), ...connection, error })
    },
    agent: (event, fields) => {
      const { value } = redactor.value(withoutReservedKeys(fields))
      append(event, { ...connection, ...(value as object) })
    },
    forConnection: (conn) => traceFor({ conn }),
    isIncomplete: () => isIncomplete,
    close: () => sink.close(),
  })
  return traceFor({})
}

/** The fields that pair a request with its answer, and with the sub-call that sent it. */
function keyOf(request: Request | BadRequest): Record<string, unknown> {
  const { id } = request
  return 'callId' in request && request.callId !== undefined
    ? { id, call_id: request.callId }
    : { id }
}

/** Hashes a result without metrics, which differ between runs. `read_many` also nests them per read. */
export function resultSha256(body: string): string {
  const stable = body.includes('"metrics":')
    ? JSON.stringify(JSON.parse(body), (key, value: unknown) =>
        key === 'metrics' ? undefined : value,
      )
    : body
  return createHash('sha256').update(stable).digest('hex')
}

function checkWritable(file: string): void {
  try {
    ensureFolder(path.dirname(path.resolve(file)))
    // O_RDWR like the journal: opening a named pipe write-only blocks until it has a reader.
    const { O_RDWR, O_APPEND, O_CREAT } = constants
    closeSync(openSync(file, O_RDWR | O_APPEND | O_CREAT, 0o600))
  } catch (error) {
    const { code, message } = fileError('write the trace', file, error)
    throw new ZeeError(code, message, { exitCode: 2, cause: error })
  }
}

function withoutReservedKeys(fields: Record<string, unknown>): Record<string, unknown> {
  const { ts: _ts, event: _event, conn: _conn, ...rest } = fields
  return rest
}
