// Rules that a schema cannot say: fields that depend on each other, sizes of whole values, ids that
// have to agree with attempt.json.
import { asObject } from '../json/json.ts'
import { contractFault } from './schema.ts'
import type { Scope } from './findings.ts'
import { limits } from '../schema/limits.ts'

export interface FindingLocation {
  name: string
  /** `line 3: ` inside a stream, nothing in a file. */
  prefix: string
}

/** The ids that everything in an attempt's folder has to carry. */
export interface ExpectedIds {
  runId?: string
  suiteId?: string
  missionId?: string
  attemptId?: string
  agentId?: string
}

const fileIds = ['runId', 'suiteId', 'missionId', 'attemptId'] as const
const streamIds = [...fileIds, 'agentId'] as const

/** Ids that differ are errors; suite and agent of an event are as strict as the scope. */
export function checkIds(
  value: Record<string, unknown>,
  expected: ExpectedIds,
  scope: Scope,
  place: FindingLocation,
  isStream: boolean,
): void {
  for (const key of isStream ? streamIds : fileIds) {
    const given = value[key]
    if (typeof given !== 'string' || given === expected[key]) continue
    // What attempt.json does not say cannot differ, except that it names no agent.
    if (expected[key] === undefined && key !== 'agentId') continue
    const shown = JSON.stringify(given.slice(0, 80))
    const message = `${place.prefix}${key} ${shown} is not that of the attempt`
    const isSoft = isStream && (key === 'suiteId' || key === 'agentId')
    if (isSoft) scope.either('ZCL_E_ID_MISMATCH', 'ZCL_W_ID_MISMATCH', message, place.name)
    else scope.error('ZCL_E_ID_MISMATCH', message, place.name)
  }
}

export function checkTraceEvent(
  event: Record<string, unknown>,
  lineBytes: number,
  scope: Scope,
  place: FindingLocation,
): void {
  if (lineBytes > minOversizeLineBytes) {
    checkSize(event.input, limits.inputBytes, 'input', scope, place)
    checkSize(event.enrichment, limits.enrichmentBytes, 'enrichment', scope, place)
  }
  const fault = inputFault(event)
  if (fault !== undefined) contractFault(scope, 'input', `${place.prefix}${fault}`, place.name)
}

export function checkFeedback(
  value: Record<string, unknown>,
  scope: Scope,
  place: FindingLocation,
): void {
  checkSize(value.resultJson, limits.resultBytes, 'resultJson', scope, place)
  const kinds = ['result', 'resultJson'].filter((key) => value[key] !== undefined)
  if (kinds.length === 1) return
  const message = kinds.length === 0 ? 'there is no result' : 'result and resultJson are both there'
  contractFault(scope, 'result', `${place.prefix}${message}`, place.name)
}

export function checkNote(
  value: Record<string, unknown>,
  scope: Scope,
  place: FindingLocation,
): void {
  checkSize(value.data, limits.noteDataBytes, 'data', scope, place)
  const kinds = ['message', 'data'].filter((key) => value[key] !== undefined)
  if (kinds.length === 1) return
  const message =
    kinds.length === 0 ? 'there is no message or data' : 'message and data are both there'
  contractFault(scope, 'message', `${place.prefix}${message}`, place.name)
}

/** A line shorter than this cannot hold a value over 64 KiB, however its numbers are written. */
const minOversizeLineBytes = 8192

function checkSize(
  value: unknown,
  most: number,
  field: string,
  scope: Scope,
  place: FindingLocation,
): void {
  if (value === undefined) return
  const bytes = Buffer.byteLength(JSON.stringify(value))
  if (bytes <= most) return
  const message = `${place.prefix}${field} has ${bytes} bytes, at most ${most} are allowed`
  scope.error('ZCL_E_BOUNDS', message, place.name)
}

const mcpWithoutMethod: ReadonlySet<unknown> = new Set([
  'spawn',
  'stderr',
  'timeout',
  'idle-timeout',
  'limit',
])

/** What the input of a call lacks, by the boundary where it was seen. */
function inputFault(event: Record<string, unknown>): string | undefined {
  const { tool, op } = event
  const input = asObject(event.input)
  // A writer that had to give an input up says so in its place.
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
