// The file or folder that is imported.
import { constants } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { fileError, ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { evidenceError } from '../errors/errors.ts'
import { asObject } from '../json/json.ts'
import { countUnmapped, type ImportedRun } from './imported.ts'
import { parseLogJson } from './log-json.ts'
import { zipEntries, type ZipEntry } from './zip.ts'
import { zstdDecoder } from '../zstd/zstd.ts'

/** Larger files are not read, because an attempt is built in memory. */
const maxBytes = 1024 ** 3

/** The longest text of Node. */
const maxTextBytes = constants.MAX_STRING_LENGTH

type Loose = Readonly<Record<string, unknown>>

export class ImportSource {
  /** Absolute. */
  readonly path: string
  readonly env: Readonly<Record<string, string | undefined>>

  constructor(path: string, env: Readonly<Record<string, string | undefined>>) {
    this.path = path
    this.env = env
  }

  get isFolder(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.isDirectory() === true
  }

  /** The content of a file; throws a typed error for anything else. */
  bytes(file = this.path): Buffer {
    try {
      const stats = statSync(file)
      if (!stats.isFile()) throw evidenceError('ZCL_E_USAGE', `${file} is not a file`)
      if (stats.size > maxBytes) throw evidenceError('ZCL_E_BOUNDS', `${file} is over 1 GiB`)
      return readFileSync(file)
    } catch (error) {
      if (error instanceof Error && 'exitCode' in error) throw error
      throw fileError('read', file, error)
    }
  }

  /** The JSON document in the file. */
  json(file = this.path): unknown {
    try {
      return parseLogJson(textOf(this.bytes(file), file))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw evidenceError('ZCL_E_INVALID_JSON', `${file} is not JSON`)
    }
  }

  /** The objects of a file with one JSON document, or with one per line; damaged lines are counted. */
  *objects(run: Pick<ImportedRun, 'unmapped'>): Generator<Loose> {
    const bytes = this.bytes()
    if (lineAt(bytes, 0).value === undefined) {
      const whole = parsedValue(textOf(bytes, this.path))
      if (isObject(whole)) return yield whole
      const members: unknown[] = Array.isArray(whole) ? whole : []
      if (members.some(isObject)) {
        yield* members.filter(isObject)
        for (const _ of members.filter((each) => !isObject(each))) countUnmapped(run, 'odd value')
        return
      }
    }
    let hasObject = false
    for (let at = 0; at < bytes.length;) {
      const { value, isBlank, next } = lineAt(bytes, at)
      at = next
      if (value !== undefined) {
        hasObject = true
        yield value
      } else if (!isBlank) countUnmapped(run, 'damaged line')
    }
    if (!hasObject) throw evidenceError('ZCL_E_INVALID_JSON', `${this.path} is not JSON`)
  }

  /** The JSON object in the file; undefined if the file is damaged. */
  object(file: string): Loose | undefined {
    try {
      return asObject(this.json(file))
    } catch (error) {
      if (error instanceof ZeeError && error.code === 'ZCL_E_INVALID_JSON') return undefined
      throw error
    }
  }

  async zip(): Promise<ZipEntry[]> {
    return zipEntries(this.bytes(), this.path, await zstdDecoder())
  }
}

/** The text of a file; throws a typed error if it is too long. */
function textOf(bytes: Buffer, file: string): string {
  if (bytes.length > maxTextBytes) {
    throw evidenceError('ZCL_E_BOUNDS', `${file} is one JSON document over 512 MiB`)
  }
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

/** The line from an offset on, as an object if it is one. */
function lineAt(bytes: Buffer, start: number) {
  const newline = bytes.indexOf(0x0a, start)
  const end = newline < 0 ? bytes.length : newline
  const next = end + 1
  if (end - start > maxTextBytes) return { value: undefined, isBlank: false, next }
  const text = bytes.toString('utf8', start, end)
  return { value: parsedObject(text), isBlank: text.trim() === '', next }
}

function parsedObject(text: string): Loose | undefined {
  const value = parsedValue(text)
  return isObject(value) ? value : undefined
}

function parsedValue(text: string): unknown {
  try {
    return parseLogJson(text)
  } catch {
    return undefined
  }
}
