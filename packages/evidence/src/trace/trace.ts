// One line of evidence: an observed call, redacted, bounded and chained to the previous line. Loads
// Node built-ins only, because `zcl run` wraps every action of an agent.
import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs'
import path from 'node:path'
import { canonicalJson } from '@zee/core/canonical-json'
import { cutToBytes } from '@zee/core/bounded'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { AppendError, lockedAppend, readLastLine } from '@zee/core/journal'
import { prepareLocks } from '@zee/core/lock'
import { redactionMargin, type Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '../attempt/attempt.ts'
import { chainStart, lineHash } from '@zee/core/chain'
import type { ErrorCode, WarningCode } from '../errors/errors.ts'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'
import { limits, maxLockWaitMs } from '../schema/limits.ts'
import { idFields, newCallId } from './ids.ts'
import { storedText, type ObservedStream, type StoredText } from './stored-text.ts'
import { isTornLine } from './torn-line.ts'
import { announceWrite } from './witness.ts'

export { appendBegin } from './begin.ts'
export { newCallId, parentVariable } from './ids.ts'
export { findParentId } from './parent.ts'
export type { ObservedStream } from './stored-text.ts'
export { appendTraceEvents } from './batch.ts'
export { announceWrite, witnessLinkName } from './witness.ts'
export { storedText } from './stored-text.ts'
export { isTornLine } from './torn-line.ts'

/** Bytes of a stream to capture for a preview: its cap plus the redaction margin. */
export const previewCaptureBytes = limits.previewBytes + redactionMargin

export interface TraceWarning {
  code: WarningCode | (string & {})
  message: string
}

export interface ObservedCall {
  tool: string
  op: string
  /** Start of the action. */
  startedAt: Date
  input: PreparedInput
  result: {
    ok: boolean
    code?: ErrorCode | (string & {})
    exitCode?: number
    durationMs: number
  }
  out: ObservedStream
  err: ObservedStream
  enrichment?: unknown
  /** The id of a call that has begun; every other event gets a new one. */
  id?: string | undefined
  /** The traced call that this call is a part of. */
  parentId?: string | undefined
  /** A call of the agent's own machinery: stored, but counted apart. */
  isIgnored?: boolean | undefined
}

/** The stored form of an input: canonical, redacted and within its cap. */
export interface PreparedInput {
  json: string
  truncated: boolean
  applied: readonly string[]
  warnings: readonly TraceWarning[]
}

export interface TraceEvent {
  runId: string
  out: StoredText
  err: StoredText
  redactionsApplied: string[]
  /** The line without its newline, chained to the line with this hash. */
  line(previousHash: string): string
}

export const noOutput: ObservedStream = { bytes: 0, head: new Uint8Array(0) }

/** Redacts the input of a call, sorts its keys and bounds its size. */
export function prepareInput(input: unknown, redactor: Redactor): PreparedInput {
  const { value, applied } = redactor.value(input)
  const json = canonicalOrUndefined(value)
  if (json === undefined) return textInput(value, redactor)
  if (Buffer.byteLength(json) <= limits.inputBytes) {
    return { json, truncated: false, applied, warnings: [] }
  }
  const shortened = shortenedArgv(value) ?? canonicalJson(droppedInput)
  return { json: shortened, truncated: true, applied, warnings: [inputTruncated] }
}

/** Builds the event without writing it. */
export function traceEvent(
  identity: AttemptIdentity,
  call: ObservedCall,
  redactor: Redactor,
): TraceEvent {
  const out = previewOf(call.out, redactor)
  const err = previewOf(call.err, redactor)
  const enrichment = prepareEnrichment(call.enrichment, redactor)
  const redactionsApplied = redactionNames(
    call.input.applied,
    out.applied,
    err.applied,
    enrichment.applied,
  )
  const truncated = out.truncated || err.truncated || call.input.truncated
  const warnings = [...call.input.warnings, ...enrichment.warnings]
  const fields = [
    ['v', '1'],
    ['ts', JSON.stringify(rfc3339(call.startedAt))],
    ...idFields(identity),
    ['tool', JSON.stringify(call.tool)],
    ['op', JSON.stringify(call.op)],
    ['input', call.input.json],
    ['result', resultJson(call.result)],
    ['io', ioJson(call, out, err, truncated)],
    ['redactionsApplied', JSON.stringify(redactionsApplied)],
    ...(enrichment.json === undefined ? [] : [['enrichment', enrichment.json]]),
    ...(warnings.length === 0 ? [] : [['warnings', JSON.stringify(warnings)]]),
    ['integrity', `{"truncated":${truncated}}`],
    ['id', JSON.stringify(call.id ?? newCallId())],
    ...(call.parentId === undefined ? [] : [['parentId', JSON.stringify(call.parentId)]]),
    ...(call.isIgnored === true ? [['ignored', 'true']] : []),
  ]
  const body = fields.map(([key, json]) => `"${key}":${json}`).join(',')
  return {
    runId: identity.runId,
    out,
    err,
    redactionsApplied,
    line: (previousHash) => `{${body},"chain":"${previousHash}"}`,
  }
}

/** Appends the event under the stream's lock; it is on disk when the promise resolves. */
export async function appendTraceEvent(folder: string, event: TraceEvent): Promise<void> {
  const witnessed = await announceWrite(folder, 'event', [event.line('')])
  await lockedAppend(
    path.join(folder, artifactName.trace),
    (lastLine, torn) => {
      const previous = torn ?? lastLine
      return event.line(previous === undefined ? chainStart : previousLineHash(previous))
    },
    {
      durability: 'durable',
      waitMs: maxLockWaitMs,
      isOwnTail: (tail) => isTornLine(tail, event.runId),
    },
  )
  await witnessed.confirm()
}

/** Why an action is not in the trace, or may not be. */
export function recordingFailure(error: unknown): string {
  const isUncertain = error instanceof AppendError && error.isUncertain
  const state = isUncertain ? 'may not be recorded' : 'was not recorded'
  return `the action ${state}: ${reasonOf(error)}`
}

/** The last line of the trace with its hash, computed while the action ran. */
let preparedLine: { line: Buffer; hash: string } | undefined

/** Prepares the next append while the action runs: loads the locks and hashes the last line. */
export function prepareTraceAppend(folder: string): void {
  try {
    prepareLocks()
    const line = readLastLine(path.join(folder, artifactName.trace))
    if (line !== undefined) preparedLine = { line, hash: lineHash(line) }
  } catch {
    // The append fails for the same reason and reports it.
  }
}

function previousLineHash(line: Buffer): string {
  return preparedLine?.line.equals(line) === true ? preparedLine.hash : lineHash(line)
}

/** Throws unless the stream is missing or a regular file: a link would redirect the evidence. */
export function requireRegularStream(folder: string, name: string): void {
  const file = path.join(folder, name)
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined || stats.isFile()) return
  if (stats.isSymbolicLink()) throw evidenceError('ZCL_E_CONTAINMENT', `${file} is a link`)
  throw evidenceError('ZCL_E_IO', `${file} is not a regular file`)
}

/** Throws if the trace cannot be appended to; callers check before the action. */
export function checkTraceWritable(folder: string): void {
  const file = path.join(folder, artifactName.trace)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, W_OK } = constants
  let isFile: boolean
  try {
    // The lock file of the stream is created in the same folder.
    accessSync(folder, W_OK)
    const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK
    const descriptor = openSync(file, flags, 0o600)
    isFile = fstatSync(descriptor).isFile()
    closeSync(descriptor)
  } catch (error) {
    requireRegularStream(folder, artifactName.trace)
    throw evidenceError('ZCL_E_IO', `cannot append to ${file}: ${reasonOf(error)}`, error)
  }
  if (!isFile) requireRegularStream(folder, artifactName.trace)
}

/** The preview of a stream whose head holds at least `previewCaptureBytes`, or all of it. */
export function previewOf(stream: ObservedStream, redactor: Redactor): StoredText {
  return storedText(stream, limits.previewBytes, redactor)
}

/** The names sorted, without duplicates, within their caps. */
export function redactionNames(...lists: (readonly string[])[]): string[] {
  const names = new Set(
    lists.flat().map((name) => cutToBytes(name, limits.redactionNameBytes).text),
  )
  return [...names].sort().slice(0, limits.redactionNames)
}

const inputTruncated: TraceWarning = {
  code: 'ZCL_W_INPUT_TRUNCATED',
  message: `the input was over ${limits.inputBytes} bytes`,
}

const droppedInput = { truncated: true, reason: 'input_truncated_to_fit_bounds' }

function canonicalOrUndefined(value: unknown): string | undefined {
  try {
    return canonicalJson(value)
  } catch {
    return undefined
  }
}

/** Stores a value without a canonical form as text, with a warning. */
function textInput(value: unknown, redactor: Redactor): PreparedInput {
  const { text, applied } = redactor.text(Buffer.from(jsonOrString(value)).toString())
  const cut = cutToBytes(text, limits.previewBytes)
  return {
    json: canonicalJson({ raw: cut.text }),
    truncated: cut.truncated,
    applied,
    warnings: [
      {
        code: 'ZCL_W_INPUT_NOT_CANONICAL',
        message: 'the input cannot be written as canonical JSON',
      },
    ],
  }
}

function jsonOrString(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

const truncationMark = '[TRUNCATED]'

/** `{"argv":[...]}` cut to the leading words that fit; undefined for any other input. */
function shortenedArgv(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('argv' in input)) return undefined
  const { argv } = input
  if (!Array.isArray(argv)) return undefined
  const kept: unknown[] = []
  let left = limits.inputBytes - Buffer.byteLength(canonicalJson({ argv: [truncationMark] }))
  for (const word of argv) {
    left -= Buffer.byteLength(canonicalJson(word)) + 1
    if (left < 0) break
    kept.push(word)
  }
  return canonicalJson({ argv: [...kept, truncationMark] })
}

interface PreparedEnrichment {
  json: string | undefined
  applied: readonly string[]
  warnings: readonly TraceWarning[]
}

function prepareEnrichment(enrichment: unknown, redactor: Redactor): PreparedEnrichment {
  const defined = withoutUndefined(enrichment, maxOptionalDepth)
  if (defined === undefined) return { json: undefined, applied: [], warnings: [] }
  const { value, applied } = redactor.value(defined)
  const json = canonicalOrUndefined(value)
  if (json !== undefined && Buffer.byteLength(json) <= limits.enrichmentBytes) {
    return { json, applied, warnings: [] }
  }
  const message = `the enrichment was over ${limits.enrichmentBytes} bytes or no JSON`
  const warning: TraceWarning = { code: 'ZCL_W_ENRICHMENT_TRUNCATED', message }
  return { json: undefined, applied: [], warnings: [warning] }
}

/** Depth down to which members of an enrichment may be undefined. */
const maxOptionalDepth = 8

/** Members that are undefined are absent, as in JSON; an object of nothing else is undefined. */
function withoutUndefined(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth === 0) return value
  const entries = Object.entries(value)
  const defined = entries
    .map(([key, member]) => [key, withoutUndefined(member, depth - 1)] as const)
    .filter(([, member]) => member !== undefined)
  if (defined.length === 0 && entries.length > 0) return undefined
  return Object.fromEntries(defined)
}

function resultJson({ ok, code, exitCode, durationMs }: ObservedCall['result']): string {
  const roundedMs = Math.max(0, Math.round(durationMs))
  return JSON.stringify({ ok, code, exitCode, durationMs: roundedMs })
}

/** The flags per stream appear only if some part of the event was cut. */
function ioJson(call: ObservedCall, out: StoredText, err: StoredText, truncated: boolean): string {
  return JSON.stringify({
    outBytes: call.out.bytes,
    errBytes: call.err.bytes,
    outPreview: out.text === '' ? undefined : out.text,
    errPreview: err.text === '' ? undefined : err.text,
    outTruncated: truncated ? out.truncated : undefined,
    errTruncated: truncated ? err.truncated : undefined,
  })
}
