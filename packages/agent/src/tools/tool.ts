// The interface of a tool, and the check of its input against its schema.
import type { Envelope } from '../envelope/envelope.ts'
import { failure } from '../envelope/envelope.ts'
import { isObject } from '@zee/core/json'

export interface ToolContext {
  /** The canonical working folder; relative paths are resolved against it. */
  root: string
  /** Fires on an interrupt or when the time limit expires. */
  signal: AbortSignal
  /** Undefined for no limit. */
  timeoutMs: number | undefined
  /** The environment of commands that the tool starts. */
  env: Readonly<Record<string, string | undefined>>
  /** Id of the tool call. */
  callId: string
  /** Files as the user's editor has them, with unsaved changes. */
  editorFiles?: EditorFiles | undefined
  /** Called before a file changes, for example to log the old contents; may refuse the change. */
  beforeChange?: BeforeChange
  /** Receives the output of a running command. */
  onOutput?: ((callId: string, chunk: Uint8Array) => void) | undefined
  /** Called before a shell command runs; may refuse it. */
  beforeCommand?: BeforeCommand
  /** Called for every started command, so that an exit can kill it. */
  onCommand?: (command: { kill(signal: NodeJS.Signals): boolean }) => void
}

export interface EditorFiles {
  /** Undefined if the editor cannot read the file; then it is read from the disk. */
  read?: ((path: string) => Promise<string | undefined>) | undefined
  /** Throws if the editor cannot write the file. */
  write?: ((path: string, text: string) => Promise<void>) | undefined
}

export type BeforeChange = (change: FileChange) => Promise<ChangeDecision>

export type BeforeCommand = (command: {
  callId: string
  command: string
  signal: AbortSignal
}) => Promise<ChangeDecision>

/** `reason` completes the tool's error message: `Cannot write <path>: <reason>`. */
export type ChangeDecision = { ok: true } | { ok: false; reason: string }

export interface FileChange {
  callId: string
  tool: string
  /** Absolute; canonical if the file exists. */
  path: string
  /** Whether the change replaces an existing file. */
  exists: boolean
  after: Uint8Array
  /** Folders that the tool created for the file, innermost first. */
  folders?: readonly string[]
}

export type Tool = BuiltInTool | ExternalTool

interface ToolBase {
  name: string
  /** One line, because it is part of every request. */
  description: string
  /** The tool changes nothing, so that the user need not be asked. */
  isReadOnly?: boolean
}

/** A tool of this package; `runTool` checks its input. */
export interface BuiltInTool extends ToolBase {
  external?: false
  /** JSON Schema of the input. */
  schema: ToolSchema
  run(input: ToolInput, context: ToolContext): Promise<Envelope>
}

/** A tool of another system, for example an MCP server, which checks the input itself. */
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
  type: keyof typeof inputTypes
  default?: number
  enum?: readonly string[]
}

/** Input that satisfies the tool's schema. */
export type ToolInput = Readonly<Record<string, InputValue | undefined>>

type InputValue = string | number | boolean

const inputTypes = {
  string: { label: 'a string', accepts: (value: unknown) => typeof value === 'string' },
  integer: { label: 'an integer', accepts: (value: unknown) => Number.isSafeInteger(value) },
  boolean: { label: 'true or false', accepts: (value: unknown) => typeof value === 'boolean' },
} as const

/** The input with defaults and without unknown fields, or a failure if the schema rejects it. */
export function checkInput(tool: BuiltInTool, input: unknown): ToolInput | Envelope {
  if (!isObject(input)) return invalidInput(tool, 'expected an object')
  const checked: Record<string, InputValue | undefined> = {}
  for (const [key, property] of Object.entries(tool.schema.properties)) {
    const { type, default: fallback } = property
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined
    if (value === undefined || (value === null && !tool.schema.required.includes(key))) {
      if (tool.schema.required.includes(key)) return invalidInput(tool, `missing field '${key}'`)
      checked[key] = fallback
    } else if (property.enum?.includes(value as string) === false) {
      return invalidInput(tool, `'${key}' must be one of: ${property.enum.join(', ')}`)
    } else if (inputTypes[type].accepts(value)) {
      checked[key] = value as InputValue
    } else {
      return invalidInput(tool, `'${key}' must be ${inputTypes[type].label}`)
    }
  }
  return checked
}

export function invalidInput(tool: { name: string }, reason: string): Envelope {
  return failure('invalid_input', `Invalid input for ${tool.name} tool: ${reason}`)
}

export function isEnvelope(value: ToolInput | Envelope): value is Envelope {
  return 'ok' in value && typeof value.ok === 'boolean'
}
