// A patch replaces one recorded answer: `{stdout, stderr, exitCode}` of a command, `{result}` or `{error}`
// of an MCP or HTTP request. Fields that a patch of a command leaves out stay as recorded.
import { isObject } from '@zee/core/json'
import type { StoredEvent } from '@zee/evidence/events'
import { asObject } from '@zee/evidence/json'
import { zclError } from '../errors/errors.ts'

export interface Patch {
  stdout?: string
  stderr?: string
  exitCode?: number
  result?: unknown
  error?: unknown
}

/** The patch in a JSON text; throws ZCL_E_USAGE for anything else. */
export function parsePatch(text: string, name: string): Patch {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw zclError('ZCL_E_USAGE', `${name} is not JSON`)
  }
  const problem = problemIn(value)
  if (problem === undefined) return value as Patch
  throw zclError('ZCL_E_USAGE', `${name}: ${problem}`)
}

const commandFields = ['stdout', 'stderr', 'exitCode']
const requestFields = ['result', 'error']

function problemIn(value: unknown): string | undefined {
  const shape = 'a patch is {"stdout", "stderr", "exitCode"} or {"result"} or {"error"}'
  if (!isObject(value)) return shape
  const keys = Object.keys(value)
  const unknown = keys.find((key) => ![...commandFields, ...requestFields].includes(key))
  if (unknown !== undefined) return `unknown key '${unknown}'; ${shape}`
  const isMixed = keys.some((key) => commandFields.includes(key)) && keys.some(isRequestField)
  if (keys.length === 0 || isMixed || keys.filter(isRequestField).length > 1) return shape
  const { stdout = '', stderr = '', exitCode = 0 } = value
  if (typeof stdout !== 'string' || typeof stderr !== 'string') {
    return 'stdout and stderr must be text'
  }
  const isCode = Number.isInteger(exitCode) && (exitCode as number) >= 0
  return isCode && (exitCode as number) <= 255 ? undefined : 'exitCode must be from 0 to 255'
}

function isRequestField(key: string): boolean {
  return requestFields.includes(key)
}

/** Whether a patch has the form of an answer to this call. */
export function patchFits(patch: Patch, { tool }: Pick<StoredEvent, 'tool'>): boolean {
  return (tool === 'cli') === !Object.keys(patch).some(isRequestField)
}

export interface HttpAnswer {
  status: number
  body: string
}

/** The recorded answer of an HTTP request, or its patch. A result is a body, or `{status, body}`. */
export function httpAnswer(event: StoredEvent, patch: Patch = {}): HttpAnswer {
  const recorded = recordedAnswer(event)
  if ('result' in patch) {
    return patchedAnswer(patch.result, recorded.status < 400 ? recorded.status : 200)
  }
  if ('error' in patch) return patchedAnswer(patch.error, 500)
  return recorded
}

function recordedAnswer({ enrichment, outPreview, isOutTruncated }: StoredEvent): HttpAnswer {
  const { status } = asObject(enrichment.http)
  if (isOutTruncated) return { status: 501, body: 'the recorded answer was not kept whole\n' }
  return { status: isStatus(status) ? status : 502, body: outPreview }
}

function patchedAnswer(value: unknown, fallback: number): HttpAnswer {
  if (typeof value === 'string') return { status: fallback, body: value }
  if (isStatus(value)) return { status: value, body: '' }
  const { status, body } = asObject(value)
  const hasForm = isStatus(status) || body !== undefined
  const content = hasForm ? (body ?? '') : value
  return {
    status: isStatus(status) ? status : fallback,
    body: typeof content === 'string' ? content : JSON.stringify(content),
  }
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599
}
