// The file or folder that is imported.
import { readFileSync, statSync } from 'node:fs'
import { fileError, ZeeError } from '@zee/core/errors'
import { evidenceError } from '../errors/errors.ts'
import { asObject } from '../json/json.ts'
import { zipEntries, type ZipEntry } from './zip.ts'
import { zstdDecoder } from '../transcripts/transcripts.ts'

/** Larger files are not read, because an attempt is built in memory. */
const maxBytes = 1024 ** 3

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
      return JSON.parse(this.bytes(file).toString('utf8'))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw evidenceError('ZCL_E_INVALID_JSON', `${file} is not JSON`)
    }
  }

  /** The JSON object in the file; undefined if the file is damaged. */
  object(file: string): Readonly<Record<string, unknown>> | undefined {
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
