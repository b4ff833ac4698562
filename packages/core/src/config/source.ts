// Reads one config file: at most 1 MiB, strict UTF-8, then TOML or JSON. Failures are values whose reason
// quotes nothing from the file, because it may contain secrets.
import { errnoOf, reasonOf } from '../errors/errors.ts'
import { tryBoundedFile } from '../files/bounded-file.ts'
import type { ConfigDefinition } from './definition.ts'
import { scanJson } from './json-positions.ts'
import { maxNesting, lineCounter, pathKey, type Positions } from './positions.ts'
import { isTable, type KeyPath } from './shape.ts'
import { tomlPositions } from './toml-positions.ts'

/** Larger files are refused. */
const maxConfigBytes = 1024 * 1024

export interface ConfigFile {
  path: string
  /** As read from the disk. */
  bytes: Buffer
  data: Record<string, unknown>
  /** Keys with a value such as `1.0`: an integer in JavaScript, a float in TOML. */
  floats: ReadonlySet<string>
  repeated: readonly { path: KeyPath; line: number }[]
  positions(): Positions
}

export interface FileFailure {
  kind: 'missing' | 'unreadable' | 'invalid'
  reason: string
  line?: number
  column?: number
  cause?: unknown
}

export async function readConfigFile(
  path: string,
  format: ConfigDefinition['format'],
): Promise<ConfigFile | FileFailure> {
  const bytes = readBytes(path)
  if ('kind' in bytes) return bytes
  const text = decode(bytes)
  if (typeof text !== 'string') return text
  const parsed = format === 'toml' ? await parseToml(path, text) : parseJson(path, text)
  return 'kind' in parsed ? parsed : { ...parsed, bytes }
}

type ParsedFile = Omit<ConfigFile, 'bytes'>

export function isFailure(outcome: ConfigFile | FileFailure): outcome is FileFailure {
  return 'kind' in outcome
}

function readBytes(path: string): Buffer | FileFailure {
  try {
    const read = tryBoundedFile(path, { maxBytes: maxConfigBytes })
    return read.reason === undefined ? read.bytes : unreadable(read.reason)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) {
      return { kind: 'missing', reason: reasonOf(error), cause: error }
    }
    return unreadable(reasonOf(error), error)
  }
}

function unreadable(reason: string, cause?: unknown): FileFailure {
  return { kind: 'unreadable', reason, cause }
}

function decode(bytes: Buffer): string | FileFailure {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    return { kind: 'invalid', reason: 'it is not UTF-8 text', cause: error }
  }
}

async function parseToml(path: string, text: string): Promise<ParsedFile | FileFailure> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    const data = parse(text, { integersAsBigInt: true, maxDepth: maxNesting })
    const floats = new Set<string>()
    if (!convertIntegers(data, [], floats)) return { kind: 'invalid', reason: tooDeep }
    let positions: Positions | undefined
    return {
      path,
      data,
      floats,
      repeated: [],
      positions: () => (positions ??= tomlPositions(text)),
    }
  } catch (error) {
    if (!(error instanceof TomlError)) {
      return { kind: 'invalid', reason: 'it is not valid TOML', cause: error }
    }
    // After its first line, the parser's message quotes the file, which may contain a secret.
    const first = error.message.split('\n', 1)[0] ?? ''
    const original = first.replace(/^Invalid TOML document: /, '')
    const reason = tomlReasons.get(original) ?? original
    return { kind: 'invalid', reason, line: error.line, column: error.column }
  }
}

const tooDeep = 'it is nested too deeply'

const tomlReasons: ReadonlyMap<string, string> = new Map([
  ['invalid value', 'this is not a value (text needs quotes)'],
  [
    'trying to redefine an already defined table or value',
    'this key or section is already defined further up',
  ],
  ['trying to redefine an already defined value', 'this key is already defined further up'],
  ['incomplete key-value: cannot find end of key', 'a key without "=" and a value'],
  [
    'each key-value declaration must be followed by an end-of-line',
    'unexpected text after the value',
  ],
  ['unfinished string', 'this text is not closed'],
  ['document contains excessively nested structures. aborting.', tooDeep],
])

/** Converts bigint to number and records floats such as `1.0`; false if the nesting is too deep. */
function convertIntegers(
  container: Record<string, unknown> | unknown[],
  path: KeyPath,
  floats: Set<string>,
): boolean {
  if (path.length > maxNesting) return false
  for (const key of Object.keys(container)) {
    const slot = container as Record<string, unknown>
    const value = slot[key]
    const inner = [...path, Array.isArray(container) ? Number(key) : key]
    if (typeof value === 'bigint') slot[key] = Number(value)
    else if (typeof value === 'number' && Number.isInteger(value)) floats.add(pathKey(inner))
    else if (Array.isArray(value) || isTable(value)) {
      if (!convertIntegers(value, inner, floats)) return false
    }
  }
  return true
}

function parseJson(path: string, text: string): ParsedFile | FileFailure {
  const scan = scanJson(text)
  if (scan.failure !== undefined) {
    const { offset, reason } = scan.failure
    const column = offset - text.lastIndexOf('\n', offset - 1)
    return { kind: 'invalid', reason, line: lineCounter(text)(offset), column }
  }
  const data: unknown = JSON.parse(text)
  if (!isTable(data)) return { kind: 'invalid', reason: 'it must contain an object, such as {}' }
  const { positions, repeated } = scan
  return { path, data, floats: new Set(), repeated, positions: () => positions }
}
