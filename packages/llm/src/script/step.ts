// Parses and checks one step of a screenplay; an unknown key is an error with file and line.
import type { ZeeError } from '@zee/core/errors'
import { asRecord, asString, type JsonObject } from '../json/json.ts'
import type { StopReason, Usage } from '../request/request.ts'

export type Step = TextStep | ToolStep | UsageStep

interface TextStep {
  type: 'text' | 'thinking'
  text: string
  delayMs: number
}

export interface ToolStep {
  type: 'tool'
  name: string
  input: JsonObject
  /** Raw JSON text of the input, for inputs that are deliberately invalid. */
  args?: string | undefined
  delayMs: number
}

interface UsageStep {
  type: 'usage'
  usage: Usage
}

interface EndStep {
  type: 'end'
  stop?: StopReason | undefined
}

export interface ErrorStep {
  type: 'error'
  message: string
  /** Status of an HTTP error response; undefined for an error inside a stream. */
  status?: number | undefined
  retryAfterMs?: number | undefined
  /** Type of the error object. */
  errorType: string
  delayMs: number
}

interface CutStep {
  type: 'cut'
  delayMs: number
}

type Fail = (reason: string) => ZeeError

/** For each kind of step, the keys that are allowed beside the one that names the kind. */
const allowedKeys: Record<string, readonly string[]> = {
  text: ['delay_ms'],
  thinking: ['delay_ms'],
  tool: ['input', 'args', 'delay_ms'],
  usage: [],
  end: ['stop'],
  error: ['delay_ms'],
  cut: ['delay_ms'],
}

const stopReasons: readonly StopReason[] = ['end', 'tool_use', 'max_tokens', 'refusal', 'other']

const errorKeys = new Set(['status', 'message', 'type', 'retry_after'])

const usageKeys = new Map<string, keyof Usage>([
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cached_input_tokens', 'cachedInputTokens'],
  ['cache_write_tokens', 'cacheWriteTokens'],
  ['thinking_tokens', 'thinkingTokens'],
])

export function readStep(source: JsonObject, fail: Fail): Step | EndStep | ErrorStep | CutStep {
  const kind = stepKind(source, fail)
  const delayMs = readDelay(source.delay_ms, fail)
  switch (kind) {
    case 'text':
    case 'thinking':
      return { type: kind, text: requireString(source[kind], kind, fail), delayMs }
    case 'tool':
      return readTool(source, delayMs, fail)
    case 'usage':
      return { type: 'usage', usage: readUsage(source.usage, fail) }
    case 'end':
      requireTrue(source.end, 'end', fail)
      return readEnd(source.stop, fail)
    case 'error':
      return readError(source.error, delayMs, fail)
    default:
      requireTrue(source.cut, 'cut', fail)
      return { type: 'cut', delayMs }
  }
}

function stepKind(source: JsonObject, fail: Fail): string {
  const kinds = Object.keys(allowedKeys)
  const named = kinds.filter((kind) => kind in source)
  const [kind] = named
  if (kind === undefined) throw fail(`a step needs one of ${kinds.join(', ')}, when`)
  if (named.length > 1) throw fail(`a step is one thing, not both ${named.join(' and ')}`)
  const isAllowed = (key: string): boolean => key === kind || !!allowedKeys[kind]?.includes(key)
  const unknown = Object.keys(source).find((key) => !isAllowed(key))
  if (unknown !== undefined) throw fail(`unknown key '${unknown}' beside '${kind}'`)
  return kind
}

function readDelay(value: unknown, fail: Fail): number {
  if (value === undefined) return 0
  if (typeof value === 'number' && value >= 0 && value <= 3_600_000) return value
  throw fail(`'delay_ms' must be a number of milliseconds from 0 to 3600000`)
}

function requireString(value: unknown, key: string, fail: Fail): string {
  const text = asString(value)
  if (text === undefined) throw fail(`'${key}' must be a string`)
  return text
}

function requireTrue(value: unknown, key: string, fail: Fail): void {
  if (value !== true) throw fail(`'${key}' must be true`)
}

function readTool(source: JsonObject, delayMs: number, fail: Fail): ToolStep {
  const name = requireString(source.tool, 'tool', fail)
  const input = asRecord(source.input ?? {})
  if (input === undefined) throw fail(`'input' must be an object`)
  const args = source.args === undefined ? undefined : requireString(source.args, 'args', fail)
  return { type: 'tool', name, input, args, delayMs }
}

function readUsage(value: unknown, fail: Fail): Usage {
  const source = asRecord(value)
  if (source === undefined) throw fail(`'usage' must be an object`)
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  for (const [key, count] of Object.entries(source)) {
    const field = usageKeys.get(key)
    if (field === undefined) throw fail(`unknown key '${key}' in 'usage'`)
    if (!Number.isInteger(count) || Number(count) < 0) throw fail(`'${key}' must be a whole number`)
    usage[field] = Number(count)
  }
  return usage
}

function readEnd(stop: unknown, fail: Fail): EndStep {
  if (stop === undefined) return { type: 'end' }
  const reason = stopReasons.find((word) => word === stop)
  if (reason === undefined) throw fail(`'stop' must be one of ${stopReasons.join(', ')}`)
  return { type: 'end', stop: reason }
}

function readError(value: unknown, delayMs: number, fail: Fail): ErrorStep {
  const source = asRecord(value)
  if (source === undefined) throw fail(`'error' must be an object`)
  const unknown = Object.keys(source).find((key) => !errorKeys.has(key))
  if (unknown !== undefined) throw fail(`unknown key '${unknown}' in 'error'`)
  const { status, retry_after: seconds } = source
  const isStatus = Number.isInteger(status) && Number(status) >= 300 && Number(status) <= 599
  if (status !== undefined && !isStatus) throw fail(`'status' must be from 300 to 599`)
  const isWait = typeof seconds === 'number' && seconds >= 0
  if (seconds !== undefined && !isWait) throw fail(`'retry_after' must be a number of seconds`)
  return {
    type: 'error',
    message: requireString(source.message ?? '', 'message', fail),
    errorType: requireString(source.type ?? 'api_error', 'type', fail),
    status: isStatus ? Number(status) : undefined,
    retryAfterMs: isWait ? seconds * 1000 : undefined,
    delayMs,
  }
}
