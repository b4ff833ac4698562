// Reads the events of a trace one by one, in constant memory. Lines that are not JSON objects are
// skipped.
import path from 'node:path'
import { readJournal } from '@zee/core/journal'
import { asObject, asText, withoutDeepMembers } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { maxLineBytes } from '../schema/limits.ts'
import { requireRegularStream } from '../trace/trace.ts'

/** An event whose fields have the documented types; a mistyped field is absent, empty or 0. */
export interface StoredEvent {
  /** 0-based, among the events. */
  index: number
  ts: string
  tool: string
  op: string
  input: Readonly<Record<string, unknown>>
  ok: boolean
  code: string | undefined
  exitCode: number | undefined
  durationMs: number
  outBytes: number
  errBytes: number
  outPreview: string
  errPreview: string
  /** Whether some part of the event was cut. */
  isTruncated: boolean
  isOutTruncated: boolean
  enrichment: Readonly<Record<string, unknown>>
  redactionsApplied: readonly string[]
  /** The complete event. */
  record: Readonly<Record<string, unknown>>
}

/** The events of a trace, none if it is missing; throws if the trace is not a regular file. */
export async function* traceEvents(folder: string): AsyncGenerator<StoredEvent> {
  requireRegularStream(folder, artifactName.trace)
  let index = 0
  try {
    const file = path.join(folder, artifactName.trace)
    for await (const { record } of readJournal(file, { maxLineBytes: maxLineBytes })) {
      yield storedEvent(withoutDeepMembers(record), index++)
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'enoent') throw error
  }
}

/**
 * The events of a trace by the start of their calls; equal starts keep the order of their lines. A funnel
 * writes its line after its answer, so two funnels may write the lines of sequential calls in the other
 * order. Reads the trace twice and holds only the events that wait for an earlier one.
 */
export async function* eventsByStart(folder: string): AsyncGenerator<StoredEvent> {
  const order = await lineOrder(folder)
  const waiting = new Map<number, StoredEvent>()
  let next = 0
  for await (const event of traceEvents(folder)) {
    waiting.set(event.index, event)
    for (let ready = take(waiting, order[next]); ready !== undefined;) {
      yield ready
      ready = take(waiting, order[++next])
    }
  }
}

/** The indexes of the events by their starts. An event without a readable start follows its line. */
async function lineOrder(folder: string): Promise<number[]> {
  const starts: { ms: number; ts: string }[] = []
  let previous = { ms: 0, ts: '' }
  for await (const { ts } of traceEvents(folder)) {
    const ms = Date.parse(ts)
    if (!Number.isNaN(ms)) previous = { ms, ts }
    starts.push(previous)
  }
  const compare = (a: number, b: number): number => {
    const [one, other] = [starts[a] ?? previous, starts[b] ?? previous]
    return one.ms - other.ms || (one.ts < other.ts ? -1 : one.ts > other.ts ? 1 : a - b)
  }
  return starts.map((_, index) => index).sort(compare)
}

function take(
  waiting: Map<number, StoredEvent>,
  index: number | undefined,
): StoredEvent | undefined {
  if (index === undefined) return undefined
  const event = waiting.get(index)
  waiting.delete(index)
  return event
}

export function storedEvent(record: Record<string, unknown>, index: number): StoredEvent {
  const result = asObject(record.result)
  const io = asObject(record.io)
  const isTruncated = asObject(record.integrity).truncated === true
  return {
    index,
    ts: asText(record.ts),
    tool: asText(record.tool),
    op: asText(record.op),
    input: asObject(record.input),
    ok: result.ok === true,
    code: typeof result.code === 'string' ? result.code : undefined,
    exitCode: typeof result.exitCode === 'number' ? result.exitCode : undefined,
    durationMs: count(result.durationMs),
    outBytes: count(io.outBytes),
    errBytes: count(io.errBytes),
    outPreview: asText(io.outPreview),
    errPreview: asText(io.errPreview),
    isTruncated,
    isOutTruncated: typeof io.outTruncated === 'boolean' ? io.outTruncated : isTruncated,
    enrichment: asObject(record.enrichment),
    redactionsApplied: Array.isArray(record.redactionsApplied)
      ? record.redactionsApplied.filter((name) => typeof name === 'string')
      : [],
    record,
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : 0
}
