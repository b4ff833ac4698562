// Reads a trace as steps: requests with their answers, agent events and sub-calls by depth.
import { cutToBytes } from '@zee/core/bounded'
import type { StepFacts } from '@zee/web/data'
import { readRows } from '../evidence/evidence.ts'
import type { LedgerRow } from '../evidence/evidence.ts'
import { stepTitle } from './step-title.ts'
import { isObject } from '@zee/core/json'

type Row = Readonly<Record<string, unknown>>
type Spent = Record<'ops' | 'lines' | 'hits', number>

/** A request of the trace with the recorded facts of its answer. */
export interface TracedRequest {
  line: number
  id: unknown
  op: string
  /** The arguments that ran: `effective_args` if the trace has them. */
  args: Row
  ok: boolean | undefined
  isRedacted: boolean
  resultSha256?: string
  spent: Spent
  budgetLeft?: Partial<Spent>
}

export interface TraceReading {
  steps: StepFacts[]
  requests: TracedRequest[]
  /** Cost and remaining budget of every answer, including `event` requests. */
  costs: Pick<TracedRequest, 'spent' | 'budgetLeft'>[]
  /** Rows of agent events. */
  events: LedgerRow[]
  badLines: number
}

interface OpenRequest {
  step: StepFacts
  request: TracedRequest
}

const maxDetailsBytes = 16 * 1024

export function readTrace(log: string): TraceReading {
  const reading: TraceReading = { steps: [], requests: [], costs: [], events: [], badLines: 0 }
  const open = new Map<string, OpenRequest[]>()
  const calls = new OpenCalls()
  readRows(
    log,
    (row) => addRow(row, reading, open, calls),
    () => reading.badLines++,
  )
  // An agent event is written by an `event` request; showing both would duplicate the step.
  const isEcho = ({ kind, name, ok }: StepFacts) =>
    kind === 'request' && name === 'event' && ok !== false
  reading.steps = reading.steps.filter((step) => !isEcho(step))
  reading.requests = reading.requests.filter(({ op }) => op !== 'event')
  return reading
}

function addRow(
  { line, row }: LedgerRow,
  reading: TraceReading,
  open: Map<string, OpenRequest[]>,
  calls: OpenCalls,
): void {
  const key = JSON.stringify([row.conn ?? null, row.id ?? null])
  if (row.event === 'request') {
    const opened = openRequest(row, line, calls)
    reading.steps.push(opened.step)
    reading.requests.push(opened.request)
    reading.costs.push(opened.request)
    open.set(key, [...(open.get(key) ?? []), opened])
  } else if (row.event === 'response' || row.event === 'error') {
    const opened = open.get(key)?.shift()
    if (opened !== undefined) closeRequest(opened, row)
    else if (row.event === 'error') reading.steps.push(strayError(row, line, calls.depth))
  } else {
    reading.events.push({ line, row })
    reading.steps.push(eventStep(row, line, calls))
  }
}

function openRequest(row: Row, line: number, calls: OpenCalls): OpenRequest {
  const op = typeof row.op === 'string' ? row.op : JSON.stringify(row.op ?? null)
  const args = isObject(row.effective_args)
    ? row.effective_args
    : isObject(row.args)
      ? row.args
      : {}
  const redacted = Array.isArray(row.redacted) ? row.redacted.map(String) : undefined
  const step: StepFacts = {
    line,
    kind: 'request',
    depth: calls.depthOf(row.call_id),
    ...(typeof row.call_id === 'string' ? { call: row.call_id } : {}),
    name: op,
    id: formatId(row.id),
    title: stepTitle(op, args),
    details: details(isObject(row.args) ? row.args : args),
    at: timestampOf(row),
    redacted,
  }
  const spent = { ops: 0, lines: 0, hits: 0 }
  const request = {
    line,
    id: row.id,
    op,
    args,
    ok: undefined,
    isRedacted: redacted !== undefined,
    spent,
  }
  return { step, request }
}

function closeRequest({ step, request }: OpenRequest, end: Row): void {
  request.ok = end.event === 'response'
  step.ok = request.ok
  if (isObject(end.error)) step.error = String(end.error.message)
  const summary = isObject(end.summary) ? end.summary : {}
  const metrics = isObject(summary.metrics) ? summary.metrics : {}
  if (typeof summary.count === 'number') step.count = summary.count
  if (summary.truncated === true) step.truncated = true
  if (typeof metrics.time_ms === 'number') step.ms = metrics.time_ms
  if (typeof metrics.bytes_read === 'number') step.bytes = metrics.bytes_read
  if (typeof end.result_sha256 === 'string') request.resultSha256 = end.result_sha256
  if (request.op !== 'event' && request.ok) request.spent = spentOn(request, metrics)
  else if (request.op !== 'event' && !isRefusal(step.error ?? '')) request.spent.ops = 1
  if (isObject(metrics.budget_left)) request.budgetLeft = metrics.budget_left as Partial<Spent>
}

function spentOn({ op, args }: TracedRequest, metrics: Row): Spent {
  const lines = op === 'peek' ? peekedLines(args) : positiveOrZero(metrics.lines_returned)
  return { ops: 1, lines, hits: positiveOrZero(metrics.hits) }
}

/** Requests refused before they ran cost nothing. */
function isRefusal(error: string): boolean {
  return error.startsWith('budget spent: ') || error.startsWith('unknown op: ')
}

/** `peek` has no `lines_returned` metric, so its cost is the requested number of lines. */
function peekedLines({ head_lines: head, tail_lines: tail }: Row): number {
  const lines = (value: unknown) => (typeof value === 'number' ? value : 60)
  return lines(head) + lines(tail)
}

function strayError(row: Row, line: number, depth: number): StepFacts {
  const error = isObject(row.error) ? String(row.error.message) : 'an error'
  return {
    line,
    kind: 'bad',
    depth,
    name: 'error',
    title: error,
    details: '',
    ok: false,
    error,
    at: timestampOf(row),
  }
}

/** The sub-calls that have started and not ended. Siblings may run in parallel. */
class OpenCalls {
  readonly #open: { id: string; depth: number }[] = []

  /** The depth of a step that names no sub-call: inside the one that started last. */
  get depth(): number {
    const last = this.#open.at(-1)
    return last === undefined ? 0 : last.depth + 1
  }

  /** The depth of a step of a sub-call. */
  depthOf(call: unknown): number {
    const open = this.#open.find(({ id }) => id === call)
    return open === undefined ? this.depth : open.depth + 1
  }

  /** Starts a sub-call below its parent, or at the top if the parent is not a sub-call. Returns its depth. */
  start(id: string, parent: unknown): number {
    const isKnown = this.#open.some((call) => call.id === parent)
    const depth = typeof parent === 'string' && !isKnown ? 0 : this.depthOf(parent)
    this.#open.push({ id, depth })
    return depth
  }

  /** Ends a sub-call and returns its depth. */
  end(id: string): number {
    const index = this.#open.findLastIndex((call) => call.id === id)
    return index < 0 ? this.depth : (this.#open.splice(index, 1)[0]?.depth ?? 0)
  }
}

/** Steps of a sub-call are one level deeper than its start. */
function eventStep(row: Row, line: number, calls: OpenCalls): StepFacts {
  const { ts: _ts, event, ...fields } = row
  const name = String(event)
  const call = String(row.call_id ?? '')
  const depth =
    name === 'subcall_end'
      ? calls.end(call)
      : name === 'subcall_start'
        ? calls.start(call, row.parent_id)
        : calls.depthOf(row.call_id)
  const isSubcall = name === 'subcall_start' || name === 'subcall_end'
  return {
    line,
    kind: isSubcall ? 'subcall' : name === 'claim' ? 'claim' : 'event',
    depth,
    name,
    id: formatId(row.call_id ?? row.claim_id ?? row.evidence_id),
    title: stepTitle(name, fields),
    details: details(fields),
    ok: name === 'subcall_end' && typeof row.ok === 'boolean' ? row.ok : undefined,
    ms: typeof row.ms === 'number' ? row.ms : undefined,
    at: timestampOf(row),
  }
}

function details(value: Row): string {
  const { text, truncated } = cutToBytes(JSON.stringify(value, null, 2), maxDetailsBytes)
  return truncated ? `${text}…` : text
}

function formatId(id: unknown): string | undefined {
  if (id === undefined || id === null) return undefined
  return typeof id === 'string' ? id : JSON.stringify(id)
}

function timestampOf({ ts }: Row): string | undefined {
  return typeof ts === 'string' ? ts : undefined
}

function positiveOrZero(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}
