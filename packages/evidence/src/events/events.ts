// The events of an attempt's trace one after another, in constant memory; what is not an event is
// passed over.
import path from 'node:path'
import { readJournal } from '@zee/core/journal'
import { asObject, asText } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { maxLineBytes } from '../schema/limits.ts'
import { requireRegularStream } from '../trace/trace.ts'

export { visitCalls } from './calls.ts'
export { scanEvent } from './event-scanner.ts'
export { emptyFacts, factsFromRecord } from './facts.ts'
export type { CallFacts } from './facts.ts'
export { isBlank, visitLines } from './lines.ts'
export type { LineVisitor } from './lines.ts'
export { readTraceTail } from './tail.ts'

/** An event as far as it can be relied on: every field has its type, or is absent. */
export interface StoredEvent {
  /** 0-based, among the events. */
  index: number
  ts: string
  tool: string
  op: string
  input: Readonly<Record<string, unknown>>
  ok: boolean
  code?: string
  exitCode?: number
  durationMs: number
  outBytes: number
  errBytes: number
  outPreview: string
  errPreview: string
  /** Some part of the event was too large to be kept whole. */
  isTruncated: boolean
  isOutTruncated: boolean
  enrichment: Readonly<Record<string, unknown>>
  redactionsApplied: readonly string[]
  /** The whole line. */
  record: Readonly<Record<string, unknown>>
}

/** Throws when the trace is not a file of the attempt's folder; a missing one has no events. */
export async function* traceEvents(folder: string): AsyncGenerator<StoredEvent> {
  requireRegularStream(folder, artifactName.trace)
  let index = 0
  try {
    const file = path.join(folder, artifactName.trace)
    for await (const { record } of readJournal(file, { maxLineBytes: maxLineBytes })) {
      yield storedEvent(record, index++)
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'enoent') throw error
  }
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
    ...(typeof result.code === 'string' ? { code: result.code } : {}),
    ...(typeof result.exitCode === 'number' ? { exitCode: result.exitCode } : {}),
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
