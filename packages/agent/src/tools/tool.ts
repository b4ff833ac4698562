// The shape of a tool, and the checks that all of them make on their input.
import type { Envelope } from '../envelope/envelope.ts'
import { failure } from '../envelope/envelope.ts'
import { isObject } from '@zee/core/json'

/** Where and for how long a tool may work. */
export interface ToolContext {
  /** The canonical working folder; relative paths begin here. */
  root: string
  /** Ends the tool: the user interrupted, or its time is up. */
  signal: AbortSignal
  /** Milliseconds, or undefined for no limit. */
  timeoutMs: number | undefined
  /** What a command that the tool starts finds in its environment. */
  env: Readonly<Record<string, string | undefined>>
  /** The call that the tool answers. */
  callId: string
  /** Called before a file changes, for example to log the old contents; may refuse the change. */
  beforeChange?: BeforeChange
  /** Where the program has the worker that searches by patterns which may take long. */
  regexWorker?: string
  /** Told of a command that was started, so that leaving in haste can still end it. */
  onCommand?: (command: { kill(signal: NodeJS.Signals): boolean }) => void
}

export type BeforeChange = (change: FileChange) => Promise<ChangeDecision>

/** `reason` completes the tool's error message: `Cannot write <path>: <reason>`. */
export type ChangeDecision = { ok: true } | { ok: false; reason: string }

export interface FileChange {
  callId: string
  tool: string
  /** Absolute, links resolved where the file exists. */
  path: string
  /** Whether there is a file whose contents the change replaces. */
  exists: boolean
  after: Uint8Array
}

export type Tool = BuiltInTool | ExternalTool

interface ToolBase {
  name: string
  /** One line; the model pays for every word. */
  description: string
}

/** A tool of this package: its input is checked before it runs. */
export interface BuiltInTool extends ToolBase {
  external?: false
  /** JSON Schema of the input. */
  schema: ToolSchema
  run(input: ToolInput, context: ToolContext): Promise<Envelope>
}

/** A tool of somebody else, who also checks its input. */
export interface ExternalTool extends ToolBase {
  external: true
  schema: Readonly<Record<string, unknown>>
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Envelope>
}

export interface ToolSchema {
  type: 'object'
  properties: Readonly<Record<string, PropertySchema>>
  required: readonly string[]
}

interface PropertySchema {
  type: 'string' | 'integer'
  default?: number
  enum?: readonly string[]
}

/** Input that fits the tool's schema. */
export type ToolInput = Readonly<Record<string, string | number | undefined>>

/** The input as the schema wants it, or why it does not fit. Further fields are dropped. */
export function checkInput(tool: BuiltInTool, input: unknown): ToolInput | Envelope {
  if (!isObject(input)) return invalidInput(tool, 'expected an object')
  const checked: Record<string, string | number | undefined> = {}
  for (const [key, property] of Object.entries(tool.schema.properties)) {
    const { type, default: fallback } = property
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined
    if (value === undefined || (value === null && !tool.schema.required.includes(key))) {
      if (tool.schema.required.includes(key)) return invalidInput(tool, `missing field '${key}'`)
      checked[key] = fallback
    } else if (property.enum?.includes(value as string) === false) {
      return invalidInput(tool, `'${key}' must be one of: ${property.enum.join(', ')}`)
    } else if (type === 'string' ? typeof value === 'string' : Number.isSafeInteger(value)) {
      checked[key] = value as string | number
    } else {
      return invalidInput(tool, `'${key}' must be ${type === 'string' ? 'a string' : 'an integer'}`)
    }
  }
  return checked
}

export function invalidInput(tool: { name: string }, why: string): Envelope {
  return failure('invalid_input', `Invalid input for ${tool.name} tool: ${why}`)
}

export function isEnvelope(value: ToolInput | Envelope): value is Envelope {
  return 'ok' in value && typeof value.ok === 'boolean'
}
