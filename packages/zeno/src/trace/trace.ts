// The trace (the zeno contract, trace log): what was asked and how it was answered, one ASCII JSON
// object per line, on disk before the next request is looked at.
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
import type { Request } from '../protocol/protocol.ts'

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
  /** `effective`: the arguments as they were run, where a budget or --hash changed them. */
  request(request: Request, effective?: Record<string, unknown>): void
  response(id: unknown, op: unknown, facts: ResponseFacts): void
  error(id: unknown, message: string): void
  /** An agent's own event; its fields are the agent's. */
  agent(event: string, fields: Record<string, unknown>): void
  close(): void
}

export interface TraceOptions {
  clock: Clock
  redactor: Redactor
  /** Told once when the file takes no more; the server goes on answering. */
  onFailure: (message: string) => void
}

/** Makes the folder and tries the file, so that a wrong path is told at the start. */
export function openTrace(file: string, options: TraceOptions): Trace {
  checkWritable(file)
  const journal = openJournal(file, { durability: 'fast' })
  const { clock, redactor, onFailure } = options
  let failing = false
  const put = (event: string, fields: object): void => {
    try {
      journal.appendLine(asciiJson({ ts: rfc3339(clock.now(), 0), event, ...fields }))
      failing = false
    } catch (error) {
      if (!failing) onFailure(`the trace is incomplete: ${reasonOf(error)}`)
      failing = true
    }
  }
  return {
    request: ({ id, op, args }, effective) => {
      const changed = effective === undefined ? {} : { effective_args: effective }
      const { value, applied } = redactor.value({ op, args, ...changed })
      const marks = applied.length === 0 ? {} : { redacted: applied }
      put('request', { id, ...(value as object), ...marks })
    },
    response: (id, op, { summary, body }) =>
      put('response', { id, op, summary, result_sha256: resultSha256(body) }),
    error: (id, message) => put('error', { id, error: { message: redactor.text(message).text } }),
    agent: (event, fields) =>
      put(event, redactor.value(withoutReservedKeys(fields)).value as object),
    close: () => journal.close(),
  }
}

/** Of everything but metrics, which reads within one answer have too: those differ each time. */
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
    // As the journal opens it: a named pipe without a reader must not block the start.
    const { O_RDWR, O_APPEND, O_CREAT } = constants
    closeSync(openSync(file, O_RDWR | O_APPEND | O_CREAT, 0o600))
  } catch (error) {
    const { code, message } = fileError('write the trace', file, error)
    throw new ZeeError(code, message, { exitCode: 2, cause: error })
  }
}

function withoutReservedKeys(fields: Record<string, unknown>): Record<string, unknown> {
  const { ts: _ts, event: _event, ...rest } = fields
  return rest
}
