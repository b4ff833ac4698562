// Rules that a schema cannot express: fields that depend on each other, sizes of nested values, ids
// that must match attempt.json.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isContained, type EvidenceFolder } from '../artifact/artifact.ts'
import { asObject, maxJsonDepth } from '../json/json.ts'
import { contractFault } from './schema.ts'
import type { Scope } from './findings.ts'
import { limits } from '../schema/limits.ts'

export interface FindingLocation {
  name: string
  /** `line 3: ` in a stream, empty for a file. */
  prefix: string
}

/** The ids that every artifact of an attempt must have. */
export interface ExpectedIds {
  runId?: string
  suiteId?: string | undefined
  missionId?: string
  attemptId?: string
  agentId?: string
}

const fileIds = ['runId', 'suiteId', 'missionId', 'attemptId'] as const
const streamIds = [...fileIds, 'agentId'] as const

/** Reports ids that differ; `suiteId` and `agentId` of an event are errors only in strict mode. */
export function checkIds(
  value: Record<string, unknown>,
  expected: ExpectedIds,
  scope: Scope,
  location: FindingLocation,
  isStream: boolean,
): void {
  for (const key of isStream ? streamIds : fileIds) {
    const id = value[key]
    if (typeof id !== 'string' || id === expected[key]) continue
    // Without an expected id there is no mismatch, except for an agent that attempt.json does not
    // name.
    if (expected[key] === undefined && key !== 'agentId') continue
    const shown = JSON.stringify(id.slice(0, 80))
    const message = `${location.prefix}${key} ${shown} is not that of the attempt`
    const isSoft = isStream && (key === 'suiteId' || key === 'agentId')
    if (isSoft) scope.either('ZCL_E_ID_MISMATCH', 'ZCL_W_ID_MISMATCH', message, location.name)
    else scope.error('ZCL_E_ID_MISMATCH', message, location.name)
  }
}

export function checkTraceEvent(
  from: EvidenceFolder,
  event: Record<string, unknown>,
  lineBytes: number,
  scope: Scope,
  location: FindingLocation,
): void {
  if (lineBytes > minOversizeLineBytes) {
    checkSize(event.input, limits.inputBytes, 'input', scope, location)
    checkSize(event.enrichment, limits.enrichmentBytes, 'enrichment', scope, location)
  }
  for (const [pointer, value] of capturePointers(event.enrichment)) {
    if (staysInside(value) && !isEscapingLink(from, value)) continue
    const message = `${location.prefix}${pointer} leaves the attempt`
    scope.error('ZCL_E_CONTAINMENT', message, location.name)
  }
  const fault = inputFault(event)
  if (fault !== undefined)
    contractFault(scope, 'input', `${location.prefix}${fault}`, location.name)
}

export function checkFeedback(
  value: Record<string, unknown>,
  scope: Scope,
  location: FindingLocation,
): void {
  checkSize(value.resultJson, limits.resultBytes, 'resultJson', scope, location)
  const kinds = ['result', 'resultJson'].filter((key) => value[key] !== undefined)
  if (kinds.length === 1) return
  const message = kinds.length === 0 ? 'there is no result' : 'result and resultJson are both there'
  contractFault(scope, 'result', `${location.prefix}${message}`, location.name)
}

export function checkNote(
  value: Record<string, unknown>,
  scope: Scope,
  location: FindingLocation,
): void {
  checkSize(value.data, limits.noteDataBytes, 'data', scope, location)
  const kinds = ['message', 'data'].filter((key) => value[key] !== undefined)
  if (kinds.length === 1) return
  const message =
    kinds.length === 0 ? 'there is no message or data' : 'message and data are both there'
  contractFault(scope, 'message', `${location.prefix}${message}`, location.name)
}

/** The paths of captured output in the enrichment of an event, at any depth. */
function* capturePointers(
  value: unknown,
  path = 'enrichment',
  depth = 0,
): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null || depth > maxJsonDepth) return
  for (const [key, item] of Object.entries(value)) {
    const isPointer = /^std(?:out|err)Path$/.test(key) || (inCapture(path) && /path$/i.test(key))
    if (isPointer && typeof item === 'string') yield [`${path}.${key}`, item]
    else yield* capturePointers(item, `${path}.${key}`, depth + 1)
  }
}

function inCapture(path: string): boolean {
  return /\.captures?(?:\.|$)/.test(path)
}

function staysInside(pointer: string): boolean {
  return pointer !== '' && !/^(?:[\\/]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(pointer)
}

/** Whether a file that exists is a link, or is reached over a link, that leaves the run or leads nowhere. */
function isEscapingLink(from: EvidenceFolder, pointer: string): boolean {
  const file = path.join(from.path, pointer)
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined
  return isThere && !isContained(from.within, file)
}

/** A shorter line cannot contain a value over 64 KiB in any notation of its numbers. */
const minOversizeLineBytes = 8192

function checkSize(
  value: unknown,
  max: number,
  field: string,
  scope: Scope,
  location: FindingLocation,
): void {
  if (value === undefined) return
  const bytes = Buffer.byteLength(JSON.stringify(value))
  if (bytes <= max) return
  const message = `${location.prefix}${field} has ${bytes} bytes, at most ${max} are allowed`
  scope.error('ZCL_E_BOUNDS', message, location.name)
}

const mcpWithoutMethod: ReadonlySet<unknown> = new Set([
  'spawn',
  'stderr',
  'timeout',
  'idle-timeout',
  'limit',
])

/** The field that the input of a call lacks, depending on its tool. */
function inputFault(event: Record<string, unknown>): string | undefined {
  const { tool, op } = event
  const input = asObject(event.input)
  // Writers mark an input that they had to drop or to store as text.
  if (input.truncated === true || typeof input.raw === 'string') return undefined
  if (tool === 'cli' && op === 'exec') return argvFault(input)
  if (tool === 'mcp' && !mcpWithoutMethod.has(op)) {
    return isText(input.method) ? undefined : 'input.method is missing'
  }
  if (tool === 'http') {
    const absent = ['method', 'url'].find((key) => !isText(input[key]))
    return absent === undefined ? undefined : `input.${absent} is missing`
  }
  return undefined
}

function argvFault(input: Record<string, unknown>): string | undefined {
  const { argv } = input
  if (!Array.isArray(argv) || argv.length === 0) return 'input.argv is missing or empty'
  if (!argv.every((word) => typeof word === 'string')) return 'input.argv is not a list of strings'
  return undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
