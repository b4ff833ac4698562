// Reads the events of a trace one by one, in constant memory. Lines that are not JSON objects are
// skipped.
import path from 'node:path'
import { readJournal } from '@zee/core/journal'
import { asObject, asText, withoutDeepMembers } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { maxLineBytes } from '../schema/limits.ts'
import { requireRegularStream } from '../trace/trace.ts'

export { openCallsOf, readBegins } from './begins.ts'
export { visitCalls } from './calls.ts'
export { scanEvent } from './event-scanner.ts'
export { emptyFacts, factsFromRecord } from './facts.ts'
export type { CallFacts } from './facts.ts'
export { isProtocolEvent, kindOf, parentIdsOf } from './kind.ts'
export type { CallKind } from './kind.ts'
export { isBlank, visitLines } from './lines.ts'
export type { LineVisitor } from './lines.ts'
export { readTraceTail } from './tail.ts'

/** How a call is named where it is shown: the tool of an MCP `tools/call`, else its operation. */
export function callName({ tool, op, input }: Pick<StoredEvent, 'tool' | 'op' | 'input'>): string {
  if (tool !== 'mcp' || op !== 'tools/call') return op
  return asText(asObject(input.params).name) || op
}

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
