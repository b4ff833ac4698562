// The records of a session file, schema version 1. Parsing is lenient: unknown types and fields are
// ignored, and invalid fields count as absent.
import { isObject } from '@zee/core/json'
import type { StopReason, Usage } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import type { PrefixDelta } from '../prefix/prefix.ts'
import { parseReceipt } from './receipt.ts'

export type SessionRecord =
  | MetaRecord
  | MessageRecord
  | ThinkingRecord
  | ToolUseRecord
  | ToolResultRecord
  | InterruptedRecord
  | ReceiptRecord
  | ElidedRecord
  | UndoRecord
  | RedoRecord

export interface MetaRecord {
  type: 'meta'
  /** This version writes 1. */
  schema_version: number
  ts: string
  /** The canonical path of the project; a session without it belongs to every project. */
  root?: string | undefined
  /** The working folder, if it is not the root. */
  cwd?: string | undefined
}

export interface MessageRecord {
  type: 'message'
  role: 'user' | 'assistant'
  text: string
  /** Typed during a turn and sent with one of its later requests; it starts no turn. */
  steered?: true | undefined
  /** Images of a prompt. */
  images?: readonly StoredImage[] | undefined
  ts: string
  receipt?: Receipt | undefined
}

/** Origin and cost of a request, stored with the first record of its answer. */
export interface Receipt {
  provider: string
  model: string
  usage?: Usage | undefined
  /** The provider did not report all counts of `usage`. */
  isUsageEstimated?: boolean | undefined
  /** Why the answer ended. */
  stop?: StopReason | 'interrupted' | 'error' | undefined
  durationMs?: number | undefined
  costUsd?: number | undefined
  /** The segments of the request; absent if they equal those of the request before. */
  prefix?: PrefixDelta | undefined
}

/** Thinking to send back, stored before the assistant record it belongs to. */
export interface ThinkingRecord {
  type: 'thinking'
  text: string
  signature?: string | undefined
  provider: string
  data?: unknown
  ts: string
}

export interface ToolUseRecord {
  type: 'tool_use'
  id: string
  name: string
  input: Record<string, unknown>
  ts: string
  receipt?: Receipt | undefined
}

export interface ToolResultRecord {
  type: 'tool_result'
  tool_use_id: string
  output: Envelope
  ok: boolean
  /** Images of the result, stored beside it. */
  images?: readonly StoredImage[] | undefined
  ts: string
}

export interface StoredImage {
  media_type: string
  data: string
}

export interface InterruptedRecord {
  type: 'interrupted'
  role: 'system'
  text: 'Interrupted'
  ts: string
}

/** The receipt of a request whose answer left no other record. */
export interface ReceiptRecord {
  type: 'receipt'
  ts: string
  receipt: Receipt
}

/** From here on, requests contain one line instead of each of these results. */
export interface ElidedRecord {
  type: 'elided'
  /** Line numbers of `tool_result` records. */
  events: number[]
  ts: string
}

/** The user undid changes; `undone` holds their numbers in the session's change log. */
export interface UndoRecord {
  type: 'undo'
  files: string[]
  undone: number[]
  ts: string
}

/** The user took an undo back; `redone` holds the numbers of the changes. */
export interface RedoRecord {
  type: 'redo'
  files: string[]
  redone: number[]
  ts: string
}

type RawRecord = Readonly<Record<string, unknown>>

/** The record of a line, or undefined if the line has an unknown type or lacks required fields. */
export function parseRecord(line: RawRecord): SessionRecord | undefined {
  const ts = stringOr(line.ts, '')
  switch (line.type) {
    case 'meta':
      return parseMeta(line, ts)
    case 'message':
      return parseMessage(line, ts)
    case 'thinking':
      return parseThinking(line, ts)
    case 'tool_use':
      if (typeof line.id !== 'string' || typeof line.name !== 'string') return undefined
      return {
        type: 'tool_use',
        id: line.id,
        name: line.name,
        input: objectOr(line.input),
        ts,
        receipt: parseReceipt(line),
      }
    case 'tool_result':
      return parseToolResult(line, ts)
    case 'interrupted':
      return { type: 'interrupted', role: 'system', text: 'Interrupted', ts }
    case 'receipt': {
      const receipt = parseReceipt(line)
      return receipt && { type: 'receipt', ts, receipt }
    }
    case 'elided':
      return { type: 'elided', events: filterList(line.events, isInteger), ts }
    case 'undo':
      return {
        type: 'undo',
        files: filterList(line.files, (file) => typeof file === 'string'),
        undone: filterList(line.undone, isInteger),
        ts,
      }
    case 'redo':
      return {
        type: 'redo',
        files: filterList(line.files, (file) => typeof file === 'string'),
        redone: filterList(line.redone, (number): number is number => Number.isSafeInteger(number)),
        ts,
      }
    default:
      return undefined
  }
}

function parseMeta({ schema_version: version, root, cwd }: RawRecord, ts: string): MetaRecord {
  return {
    type: 'meta',
    schema_version: typeof version === 'number' ? version : 1,
    ts,
    ...(typeof root === 'string' ? { root } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
  }
}

function parseMessage(line: RawRecord, ts: string): MessageRecord | undefined {
  const { role, text } = line
  if ((role !== 'user' && role !== 'assistant') || typeof text !== 'string') return undefined
  const steered = line.steered === true ? { steered: true as const } : {}
  const receipt = parseReceipt(line)
  return { type: 'message', role, text, ...steered, ...imagesOf(line), ts, receipt }
}

function parseThinking(line: RawRecord, ts: string): ThinkingRecord | undefined {
  if (typeof line.provider !== 'string') return undefined
  return {
    type: 'thinking',
    text: stringOr(line.text, ''),
    signature: typeof line.signature === 'string' ? line.signature : undefined,
    provider: line.provider,
    data: line.data,
    ts,
  }
}

function parseToolResult(line: RawRecord, ts: string): ToolResultRecord | undefined {
  if (typeof line.tool_use_id !== 'string') return undefined
  const output = parseEnvelope(line.output, line.ok === true)
  return {
    type: 'tool_result',
    tool_use_id: line.tool_use_id,
    output,
    ok: output.ok,
    ...imagesOf(line),
    ts,
  }
}

function imagesOf(line: RawRecord): { images?: StoredImage[] } {
  const images = filterList(line.images, isStoredImage)
  return images.length === 0 ? {} : { images }
}

function isStoredImage(value: unknown): value is StoredImage {
  const { media_type: mediaType, data } = objectOr(value)
  return typeof mediaType === 'string' && typeof data === 'string'
}

/** Wraps an output that is not an envelope, so that the model still receives it. */
function parseEnvelope(output: unknown, ok: boolean): Envelope {
  const loose = objectOr(output)
  if (loose.ok === true && typeof loose.data === 'object' && loose.data !== null) {
    return { ok: true, data: loose.data as Record<string, unknown> }
  }
  const error = objectOr(loose.error)
  if (loose.ok === false && typeof error.code === 'string') {
    return { ok: false, error: { code: error.code, message: stringOr(error.message, '') } }
  }
  if (ok) return { ok: true, data: { output } }
  return { ok: false, error: { code: 'unknown', message: JSON.stringify(output ?? null) } }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function filterList<Item>(value: unknown, isFine: (item: unknown) => item is Item): Item[] {
  return Array.isArray(value) ? value.filter(isFine) : []
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}

function objectOr(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}
