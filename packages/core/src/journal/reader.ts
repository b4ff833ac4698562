// Reads a journal in constant memory. Skips and counts lines that are not records: blank lines, text
// that is not UTF-8, not JSON or not an object, and lines over the maximum length.
import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, promises, readSync } from 'node:fs'
import { fileError, ZeeError } from '../errors/errors.ts'
import { assertRegularFile } from '../files/files.ts'
import { isObject } from '../json/json.ts'
import { LineSplitter, type LineSink } from '../text/line-splitter.ts'
import { maxLineBytes } from './line.ts'

export interface JournalEntry {
  readonly record: Record<string, unknown>
  /** Line number from 1; skipped lines count. */
  readonly line: number
  /** Byte offset of the line in the file. */
  readonly offset: number
  /** The line's bytes without its newline. A view into the read buffer: copy it to retain it. */
  readonly raw: Buffer
}

export interface SkippedLine {
  readonly line: number
  readonly offset: number
  readonly bytes: number
  readonly why: 'not_utf8' | 'not_json' | 'not_an_object' | 'too_long'
}

export interface JournalSummary {
  records: number
  /** All lines, including blank ones and a last one without a newline. */
  lines: number
  blankLines: number
  /** Lines that are neither blank nor a record, and their bytes. */
  skippedLines: number
  skippedBytes: number
  /**
   * The file does not end with a newline: a crash tore its last line, or a writer is active.
   * A complete object there is a record; otherwise the line counts as skipped.
   */
  tornTail: boolean
}

export interface ReadJournalOptions {
  maxLineBytes?: number
  onSkipped?: (skipped: SkippedLine) => void
}

export interface JournalReading extends AsyncIterable<JournalEntry> {
  /** Complete after the iteration. */
  readonly summary: JournalSummary
}

// Small, so that a retained `raw` pins little memory; large enough to amortize the read.
const chunkBytes = 64 * 1024
const asyncChunkBytes = 256 * 1024
// A named pipe must not block the open.
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK

/** Calls `onRecord` for each record in order; stops when it returns false. Faster than `readJournal`. */
export function readJournalSync(
  path: string,
  onRecord: (entry: JournalEntry) => boolean | void,
  options: ReadJournalOptions = {},
): JournalSummary {
  const parser = new RecordParser(options, (entry) => onRecord(entry) !== false)
  const splitter = new LineSplitter(options.maxLineBytes ?? maxLineBytes, parser)
  // Errors thrown by the callback propagate unchanged, so only file operations are wrapped.
  const descriptor = withFileError(path, () => openSync(path, openFlags))
  try {
    withFileError(path, () => assertRegularFile('read', path, fstatSync(descriptor)))
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes)
      const length = withFileError(path, () => readSync(descriptor, chunk, 0, chunkBytes, null))
      if (length === 0) break
      if (!splitter.push(chunk.subarray(0, length))) return parser.summary
    }
    splitter.end()
    return parser.summary
  } finally {
    closeSync(descriptor)
  }
}

/** Iterates over the records with `for await`; leaving the loop early closes the file. */
export function readJournal(path: string, options: ReadJournalOptions = {}): JournalReading {
  const pending: JournalEntry[] = []
  const parser = new RecordParser(options, (entry) => pending.push(entry) > 0)
  return {
    summary: parser.summary,
    [Symbol.asyncIterator]: () => iterate(path, options, parser, pending),
  }
}

async function* iterate(
  path: string,
  options: ReadJournalOptions,
  parser: RecordParser,
  pending: JournalEntry[],
): AsyncGenerator<JournalEntry, void> {
  parser.restart()
  pending.length = 0
  const splitter = new LineSplitter(options.maxLineBytes ?? maxLineBytes, parser)
  const handle = await promises.open(path, openFlags).catch((error: unknown) => {
    throw fileError('read', path, error)
  })
  try {
    withFileError(path, () => assertRegularFile('read', path, fstatSync(handle.fd)))
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(asyncChunkBytes)
      const { bytesRead } = await handle.read(chunk, 0, asyncChunkBytes).catch((error: unknown) => {
        throw fileError('read', path, error)
      })
      if (bytesRead === 0) break
      splitter.push(chunk.subarray(0, bytesRead))
      for (const entry of pending.splice(0)) yield entry
    }
    splitter.end()
    for (const entry of pending.splice(0)) yield entry
  } finally {
    await handle.close()
  }
}

class Entry implements JournalEntry {
  readonly record: Record<string, unknown>
  readonly line: number
  readonly offset: number
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number

  constructor(
    record: Record<string, unknown>,
    position: { line: number; offset: number },
    bytes: Buffer,
    start: number,
    end: number,
  ) {
    this.record = record
    this.line = position.line
    this.offset = position.offset
    this.#bytes = bytes
    this.#start = start
    this.#end = end
  }

  // Lazy: most readers never use it, and one view per record would cost a fifth of the reading time.
  get raw(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end)
  }
}

class RecordParser implements LineSink {
  readonly summary: JournalSummary = emptySummary()
  readonly #options: ReadJournalOptions
  readonly #onRecord: (entry: JournalEntry) => boolean

  constructor(options: ReadJournalOptions, onRecord: (entry: JournalEntry) => boolean) {
    this.#options = options
    this.#onRecord = onRecord
  }

  restart(): void {
    Object.assign(this.summary, emptySummary())
  }

  line(bytes: Buffer, start: number, end: number, offset: number, ended: boolean): boolean {
    const line = ++this.summary.lines
    if (!ended) this.summary.tornTail = true
    const text = bytes.toString('utf8', start, end)
    // U+FFFD may come from the decoder or from the record itself; check the bytes.
    if (text.includes('\uFFFD') && !isUtf8(bytes.subarray(start, end))) {
      return this.#skip(offset, end - start, 'not_utf8')
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      if (text.trim() !== '') return this.#skip(offset, end - start, 'not_json')
      this.summary.blankLines++
      return true
    }
    if (!isObject(value)) return this.#skip(offset, end - start, 'not_an_object')
    this.summary.records++
    return this.#onRecord(new Entry(value, { line, offset }, bytes, start, end))
  }

  tooLong(length: number, offset: number, ended: boolean): boolean {
    this.summary.lines++
    if (!ended) this.summary.tornTail = true
    return this.#skip(offset, length, 'too_long')
  }

  #skip(offset: number, bytes: number, why: SkippedLine['why']): true {
    this.summary.skippedLines++
    this.summary.skippedBytes += bytes
    this.#options.onSkipped?.({ line: this.summary.lines, offset, bytes, why })
    return true
  }
}

function emptySummary(): JournalSummary {
  return {
    records: 0,
    lines: 0,
    blankLines: 0,
    skippedLines: 0,
    skippedBytes: 0,
    tornTail: false,
  }
}

function withFileError<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof ZeeError ? error : fileError('read', path, error)
  }
}
