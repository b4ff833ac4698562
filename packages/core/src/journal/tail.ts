// Reads the end of a journal backwards in blocks: its last line and a torn tail after it.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { errnoOf, fileError, oneLine, ZeeError } from '../errors/errors.ts'
import { isObject } from '../json/json.ts'
import { maxLineBytes } from './line.ts'

export interface JournalTail {
  /** The last line that is not blank, without its newline. */
  lastLine: Buffer | undefined
  /** Text after the last newline that is not a complete record. */
  torn: Buffer | undefined
}

const newline = 0x0a
const firstBlockBytes = 4 * 1024
const maxBlockBytes = 64 * 1024

/**
 * The last line that is not blank, without its newline; undefined when the file is missing or has none.
 * Text without a newline counts only when it is a complete record.
 */
export function readLastLine(path: string): Buffer | undefined {
  return readTail(path).lastLine
}

export function readTail(path: string): JournalTail {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { lastLine: undefined, torn: undefined }
    throw fileError('read', path, error)
  }
  try {
    return parseTail(new BackwardLines(descriptor, path))
  } catch (error) {
    throw error instanceof ZeeError ? error : fileError('read', path, error)
  } finally {
    closeSync(descriptor)
  }
}

function parseTail(lines: BackwardLines): JournalTail {
  const open = lines.previous()
  const torn = open === undefined || open.length === 0 ? undefined : open
  if (torn !== undefined && isRecordText(torn)) return { lastLine: torn, torn: undefined }
  for (;;) {
    const line = lines.previous()
    if (line === undefined || !isBlank(line)) return { lastLine: line, torn }
  }
}

function isRecordText(bytes: Buffer): boolean {
  try {
    return isObject(JSON.parse(bytes.toString('utf8')))
  } catch {
    return false
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

/** Iterates over lines from the end. The first is the text after the last newline, maybe empty. */
class BackwardLines {
  readonly #descriptor: number
  readonly #path: string
  /** Unread part of the current block, and the block's offset in the file. */
  #block: Buffer = Buffer.alloc(0)
  #blockStart: number
  /** Most last lines are short, so blocks start small and grow. */
  #blockBytes = firstBlockBytes
  #done = false

  constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor
    this.#path = path
    this.#blockStart = fstatSync(descriptor).size
  }

  previous(): Buffer | undefined {
    if (this.#done) return undefined
    const pieces: Buffer[] = []
    let length = 0
    for (;;) {
      const cut = this.#block.lastIndexOf(newline)
      pieces.push(this.#block.subarray(cut + 1))
      length += this.#block.length - cut - 1
      if (length > maxLineBytes) throw this.#tooLong()
      this.#block = this.#block.subarray(0, Math.max(cut, 0))
      if (cut === -1 && this.#blockStart > 0) {
        this.#load()
        continue
      }
      this.#done = cut === -1
      const [only] = pieces
      // The usual case; avoids the first-call cost of concat in a fresh process.
      return pieces.length === 1 && only !== undefined
        ? only
        : Buffer.concat(pieces.reverse(), length)
    }
  }

  #load(): void {
    const start = Math.max(0, this.#blockStart - this.#blockBytes)
    this.#blockBytes = Math.min(this.#blockBytes * 4, maxBlockBytes)
    const block = Buffer.allocUnsafe(this.#blockStart - start)
    const length = readSync(this.#descriptor, block, 0, block.length, start)
    this.#block = block.subarray(0, length)
    this.#blockStart = start
  }

  #tooLong(): ZeeError {
    const where = oneLine(this.#path)
    return new ZeeError('line_too_long', `${where}: its last line is longer than 256 MiB`)
  }
}
