// The operations as MCP tools. Usual arguments are in the schema; rare ones go into one object `options`, because a
// client sends every schema to the model with every request. Arguments are checked here, so that refusals are traced.
import type { Tool } from '@modelcontextprotocol/server'
import { ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { argumentSchema } from '../protocol/protocol.ts'
import type { ArgumentSchema, Operation } from '../protocol/protocol.ts'

type Args = Record<string, unknown>

/** The entry of `tools/list`. */
export interface ToolEntry {
  name: string
  description: string
  inputSchema: Tool['inputSchema']
  annotations: { readOnlyHint: true }
  _meta?: Record<string, unknown>
}

/** Clients that load tools on demand should offer these at once. */
const mainTools: ReadonlySet<string> = new Set(['grep', 'read_file', 'list_files'])

/** Arguments that the server sets itself. */
const ownArguments: ReadonlySet<string> = new Set([
  ...['max_answer', 'max_text_chars', 'max_total_lines'],
])

/** Arguments that the main tools describe; other tools only name them. */
const describedOnce: ReadonlySet<string> = new Set([
  ...['path', 'rev', 'glob', 'max', 'max_symbols', 'head_lines', 'tail_lines'],
])

/** Options that `list_files` describes; other tools take them too, which the instructions say. */
const commonOptions: ReadonlySet<string> = new Set([
  ...['max_files', 'include_hidden', 'exclude_dirs', 'exclude_globs', 'default_excludes'],
  ...['respect_gitignore', 'deadline_ms', 'rev', 'max_chars', 'cursor', 'roots'],
])

export function toolEntry(operation: Operation): ToolEntry {
  const { name, description, required = [] } = operation
  const isMain = mainTools.has(name)
  const { usual, rare } = isMain ? argumentsOf(operation) : shortened(operation)
  const shown = Object.entries(rare)
    .filter(([option]) => name === 'list_files' || !commonOptions.has(option))
    .map(([option, schema]) => describeOption(option, schema))
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...usual,
        ...(shown.length === 0
          ? {}
          : { options: { type: 'object', description: shown.join('; ') } }),
      },
      ...(required.length === 0 ? {} : { required: [...required] }),
    } as Tool['inputSchema'],
    annotations: { readOnlyHint: true },
    // Documented by Claude Code.
    ...(isMain ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  }
}

type Schemas = Operation['properties']

function argumentsOf({ properties, options = {} }: Operation): { usual: Schemas; rare: Schemas } {
  const rare = Object.entries(options).filter(([name]) => !ownArguments.has(name))
  return { usual: properties, rare: Object.fromEntries(rare) }
}

/** Paging moves to the options, and repeated descriptions go. A `max_chars` that limits something else stays. */
function shortened(operation: Operation): { usual: Schemas; rare: Schemas } {
  const { usual, rare } = argumentsOf(operation)
  const isPaging = (name: string): boolean =>
    name === 'cursor' ||
    (name === 'max_chars' && usual.cursor !== undefined && operation.name !== 'chunks')
  const entries = Object.entries(usual).map(([name, schema]): [string, ArgumentSchema] => {
    const { description: _, ...bare } = schema
    return [name, describedOnce.has(name) ? bare : schema]
  })
  return {
    usual: Object.fromEntries(entries.filter(([name]) => !isPaging(name))),
    rare: { ...rare, ...Object.fromEntries(entries.filter(([name]) => isPaging(name))) },
  }
}

function describeOption(
  name: string,
  { type, enum: choices, description }: ArgumentSchema,
): string {
  const kind = choices === undefined ? '' : ` ${choices.join('|')}`
  const isPlain = description === undefined || plainOptions.has(name)
  return isPlain ? `${name}${kind || ` ${shortTypes[type]}`}` : `${name}${kind}: ${description}`
}

const shortTypes = { string: 'text', integer: 'n', boolean: 'true', array: '[text]' } as const

/** Options whose name says enough. */
const plainOptions: ReadonlySet<string> = new Set([
  ...['max_files', 'include_hidden', 'exclude_dirs', 'exclude_globs', 'respect_gitignore'],
  ...['deadline_ms', 'max_bytes', 'max_line_chars', 'hash', 'cursor', 'max_chars', 'format'],
  ...['start_char', 'end_char', 'start_byte', 'end_byte', 'certify', 'detail', 'regex'],
  ...['default_excludes', 'rev', 'glob'],
])

/**
 * The arguments of the operation: options merged, nulls dropped, numeric strings and single strings converted. Throws
 * a ZeeError that names a wrong or unknown argument.
 */
export function toolArguments(operation: Operation, input: unknown): Args {
  const given = isObject(input) ? input : {}
  const { options, ...plain } = given
  if (options !== undefined && options !== null && !isObject(options)) {
    throw new ZeeError('argument', 'options must be an object')
  }
  const merged = operation.isOpen === true ? given : { ...options, ...plain }
  const args: Args = {}
  for (const [name, value] of Object.entries(merged)) {
    if (value === null || value === undefined) continue
    args[name] = operation.isOpen === true ? value : converted(operation, name, value)
  }
  for (const name of operation.required ?? []) {
    if (args[name] === undefined) throw new ZeeError('argument', `missing ${name}`)
  }
  return args
}

function converted(operation: Operation, name: string, value: unknown): unknown {
  const schema = argumentSchema(operation, name)
  if (schema === undefined || ownArguments.has(name)) {
    throw new ZeeError('argument', `unknown argument: ${name}`)
  }
  if (schema.type === 'integer' && typeof value !== 'number') return wholeNumber(name, value)
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (schema.type === 'array' && typeof value === 'string') return listOf(value)
  if (schema.type === 'array' && name === 'reads' && isObject(value)) return [value]
  return name === 'reads' ? convertedReads(value) : value
}

function wholeNumber(name: string, value: unknown): number {
  if (typeof value === 'string' && /^\s*-?\d+\s*$/.test(value)) return Number(value)
  const shown = JSON.stringify(value).slice(0, 60)
  throw new ZeeError('argument', `${name} must be a whole number, got ${shown}`)
}

/** Some clients send a list as its JSON. */
function listOf(value: string): unknown[] {
  if (!value.trimStart().startsWith('[')) return [value]
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list : [value]
  } catch {
    return [value]
  }
}

function convertedReads(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((read: unknown) => {
    if (typeof read === 'string') return { path: read }
    if (!isObject(read)) return read
    const { options, ...plain } = read
    const merged = { ...(isObject(options) ? options : {}), ...plain }
    return Object.fromEntries(Object.entries(merged).filter(([, each]) => each !== null))
  })
}
