// Log files of a detached zino: one per service, a timestamp before every line. A file above 2 MiB is
// renamed to `.1`, replacing the previous one.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import type { ZinoConfig } from '../config/config.ts'
import { makeFolder } from '../make-folder.ts'

const defaultMaxBytes = 2 * 1024 * 1024
/** A longer line is written in parts. */
const maxLineLength = 64 * 1024

export function logFolder(config: ZinoConfig): string {
  return config.logging.dir || path.join(path.dirname(config.daemon.socket), 'logs')
}

export function logFile(folder: string, name: string): string {
  return path.join(folder, `${name}.log`)
}

/** The path of the rotated file. */
export function olderLogFile(file: string): string {
  return `${file}.1`
}

export class LogFile {
  readonly #file: string
  readonly #clock: Clock
  readonly #maxBytes: number
  readonly #decoder = new StringDecoder('utf8')
  #descriptor: number | undefined
  #bytes = 0
  #partialLine = ''

  constructor(folder: string, name: string, clock: Clock, maxBytes = defaultMaxBytes) {
    makeFolder(folder, 0o750, 'the log folder')
    this.#file = logFile(folder, name)
    this.#clock = clock
    this.#maxBytes = maxBytes
  }

  /** Buffers output and writes complete lines. */
  write(chunk: Buffer): void {
    const lines = (this.#partialLine + this.#decoder.write(chunk)).split('\n')
    const last = lines.pop() ?? ''
    const isLong = last.length > maxLineLength
    if (isLong) lines.push(last)
    this.#partialLine = isLong ? '' : last
    if (lines.length === 0) return
    const time = rfc3339(this.#clock.now())
    this.#append(lines.map((line) => `${time} ${line}\n`).join(''))
  }

  #append(text: string): void {
    // A full disk must not stop the services.
    try {
      if (this.#descriptor === undefined || this.#bytes > this.#maxBytes) this.#open()
      this.#bytes += writeSync(this.#descriptor as number, text)
    } catch {
      this.#bytes += text.length
    }
  }

  #open(): void {
    if (this.#descriptor !== undefined) {
      closeSync(this.#descriptor)
      this.#descriptor = undefined
      renameSync(this.#file, olderLogFile(this.#file))
    }
    this.#descriptor = openSync(this.#file, 'a', 0o640)
    this.#bytes = fstatSync(this.#descriptor).size
  }
}
