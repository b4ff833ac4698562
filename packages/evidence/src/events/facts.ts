// The fields of a traced call that a report needs, however the line was read.
import { parseRfc3339 } from '@zee/core/clock'
import { asObject, asText, canonicalInput } from '../json/json.ts'

/** One object is reused for all calls; a consumer copies what it stores. */
export interface CallFacts {
  /** 1-based line of the trace. */
  line: number
  /** Milliseconds since the epoch; NaN if the line has no valid time. */
  ts: number
  /** The time as written; undefined if it equals `ts` with three fraction digits. */
  tsText: string | undefined
  tool: string
  op: string
  /** The input as canonical JSON. */
  input: string
  inputBytes: number
  ok: boolean
  code: string
  durationMs: number
  outBytes: number
  errBytes: number
  outCut: boolean
  errCut: boolean
  /** The id of the call; empty if its writer gave it none, or without `needsIds` and a parent. */
  id: string
  /** The id of the call that this call is a part of; empty for a call of the agent itself. */
  parentId: string
  /** A call of the agent's own machinery, by `zcl run --ignore-argv`. */
  isIgnored: boolean
  /** The complete event, parsed on demand. */
  record: () => Record<string, unknown>
  /** Whether the event may contain one of these lower-case texts; undefined if there is no fast check. */
  mayContain?: ((words: readonly string[]) => boolean) | undefined
  /** Whether the consumer reads `id`: decoding it is a sixth of the allocations of a report. */
  needsIds: boolean
}

export function emptyFacts(): CallFacts {
  return {
    line: 0,
    ts: Number.NaN,
    tsText: undefined,
    tool: '',
    op: '',
    input: '',
    inputBytes: 0,
    ok: true,
    code: '',
    durationMs: 0,
    outBytes: 0,
    errBytes: 0,
    outCut: false,
    errCut: false,
    id: '',
    parentId: '',
    isIgnored: false,
    record: () => ({}),
    needsIds: true,
  }
}

/** Best effort: a missing or mistyped field becomes empty or 0. */
export function factsFromRecord(record: Record<string, unknown>, into: CallFacts): void {
  const result = asObject(record.result)
  const io = asObject(record.io)
  const ts = typeof record.ts === 'string' ? record.ts : ''
  into.ts = parseRfc3339(ts)?.getTime() ?? Number.NaN
  into.tsText = ts
  into.tool = asText(record.tool)
  into.op = asText(record.op)
  into.input = canonicalInput(record.input)
  into.inputBytes = Buffer.byteLength(into.input)
  into.ok = result.ok !== false
  into.code = asText(result.code)
  into.durationMs = asCount(result.durationMs)
  into.outBytes = asCount(io.outBytes)
  into.errBytes = asCount(io.errBytes)
  const truncated = asObject(record.integrity).truncated === true
  const flagged = typeof io.outTruncated === 'boolean' || typeof io.errTruncated === 'boolean'
  into.outCut = flagged
    ? io.outTruncated === true
    : truncated && isCut(io.outPreview, into.outBytes)
  into.errCut = flagged
    ? io.errTruncated === true
    : truncated && isCut(io.errPreview, into.errBytes)
  into.id = asText(record.id)
  into.parentId = asText(record.parentId)
  into.isIgnored = record.ignored === true
  into.record = () => record
  into.mayContain = undefined
}

function asCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return 0
  return Math.floor(value)
}

/** For events without flags per stream: a preview shorter than its stream was cut. */
function isCut(preview: unknown, bytes: number): boolean {
  return typeof preview === 'string' && preview !== '' && Buffer.byteLength(preview) < bytes
}
