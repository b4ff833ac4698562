// Sends the requests of a trace again and compares each answer with the recorded one.
import { readJournal } from '@zee/core/journal'
import { ZeeError } from '@zee/core/errors'
import type { Request } from '../../protocol/protocol.ts'
import type { Answer, Service } from '../../service/service.ts'
import { resultSha256 } from '../trace.ts'
import { isObject } from '@zee/core/json'

type Row = Record<string, unknown>

export interface RecordedRequest {
  line: number
  request: Request
  redacted: boolean
}

export interface Difference {
  what: string
  was: unknown
  is: unknown
}

/** These write the trace or report server state; they do not read the corpus. */
const skippedOps = new Set<unknown>(['event', 'index_stats'])

/** Metrics that differ between runs or depend on earlier requests. */
const volatileMetrics = new Set(['time_ms', 'budget_left', 'fresh'])

export interface Replayed {
  recorded: RecordedRequest
  /** Undefined if the request was skipped. */
  differences: Difference[] | undefined
}

export async function* replayTrace(log: string, service: Service): AsyncGenerator<Replayed> {
  for await (const { recorded, end } of pairWithEnds(log)) {
    const differences = isSkipped(recorded, end)
      ? undefined
      : compare(end, await service.answer(recorded.request))
    yield { recorded, differences }
  }
}

/** Yields each request with its `response` or `error` event; unanswered requests come last. */
async function* pairWithEnds(
  log: string,
): AsyncGenerator<{ recorded: RecordedRequest; end: Row | undefined }> {
  const open = new Map<string, RecordedRequest[]>()
  for await (const { record, line } of readEvents(log)) {
    const key = JSON.stringify([record.conn ?? null, record.id ?? null])
    if (record.event === 'request') {
      const waiting = open.get(key) ?? []
      waiting.push({ line, request: toRequest(record), redacted: record.redacted !== undefined })
      open.set(key, waiting)
    } else if (record.event === 'response' || record.event === 'error') {
      const recorded = open.get(key)?.shift()
      if (open.get(key)?.length === 0) open.delete(key)
      if (recorded !== undefined) yield { recorded, end: record }
    }
  }
  for (const recorded of [...open.values()].flat()) yield { recorded, end: undefined }
}

async function* readEvents(log: string): AsyncGenerator<{ record: Row; line: number }> {
  try {
    yield* readJournal(log)
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    throw new ZeeError(error.code, error.message, { exitCode: 2, cause: error })
  }
}

function toRequest({ id, op, args, effective_args: effective }: Row): Request {
  return { id: id ?? null, op: op ?? null, args: effective ?? args ?? {} }
}

/** Skips requests without a recorded answer, with redacted arguments, or that do not read the corpus. */
function isSkipped({ request, redacted }: RecordedRequest, end: Row | undefined): boolean {
  return end === undefined || redacted || skippedOps.has(request.op) || isBudgetRefusal(end)
}

function isBudgetRefusal({ error }: Row): boolean {
  return isObject(error) && String(error.message).startsWith('budget spent: ')
}

function compare(end: Row | undefined, { outcome, facts }: Answer): Difference[] {
  const was = isObject(end?.error) ? end.error.message : undefined
  const is = outcome.ok ? undefined : outcome.error.message
  if (was !== undefined || is !== undefined) {
    return was === is ? [] : [{ what: 'error', was: was ?? null, is: is ?? null }]
  }
  const old = isObject(end?.summary) ? end.summary : {}
  const hash = resultSha256(facts?.body ?? '')
  return [
    difference('count', old.count, facts?.summary.count),
    difference('truncated', old.truncated, facts?.summary.truncated),
    ...metricDifferences(old.metrics, facts?.summary.metrics),
    // Traces of other servers have no hash.
    difference('result_sha256', end?.result_sha256 ?? hash, hash),
  ].filter((each) => each !== undefined)
}

function metricDifferences(was: unknown, is: Row | undefined): (Difference | undefined)[] {
  if (!isObject(was)) return []
  const names = Object.keys(was).filter((name) => !volatileMetrics.has(name))
  return names.map((name) => difference(`metrics.${name}`, was[name], is?.[name]))
}

function difference(what: string, was: unknown, is: unknown): Difference | undefined {
  const same = JSON.stringify(was ?? null) === JSON.stringify(is ?? null)
  return same ? undefined : { what, was: was ?? null, is: is ?? null }
}
