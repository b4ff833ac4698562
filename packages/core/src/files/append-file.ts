// Appends complete lines to a file that several processes append to, without a lock.
//
// A line is one write(2) on an O_APPEND descriptor, so lines of live writers never mix (on a local
// disk; writers on several machines need `lockedAppend`). A writer that is killed or hits a full disk
// during a write leaves a torn tail, and the next line is glued to it. So each append checks where its
// line landed: directly after our own last line or after a newline is fine. A glued line cannot be
// parsed and is written again. The worst outcome of any race is an empty line.
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { sleepSync } from '../clock/clock.ts'
import { fileError, flushError, lateFileError, oneLine, ZeeError } from '../errors/errors.ts'

const newline = 0x0a
const stablePolls = 3
const maxPolls = 50
const maxTries = 5
const probe = Buffer.alloc(2)
/** Ends a line so that it is not a valid record. */
const invalidEnd = '~\n'

export class AppendFile {
  readonly path: string
  readonly #descriptor: number
  /** False for devices and pipes: they have no tail to check. */
  readonly #isRegular: boolean
  /** Whether the file was empty when it was opened. */
  readonly startedEmpty: boolean
  /** Expected offset of our next line if no other process appends; undefined when unknown. */
  #end: number | undefined
  /** A failed line lacks only its newline: the next newline would make it a valid record. */
  #lacksOnlyNewline = false
  #flushFailure: ZeeError | undefined

  constructor(path: string, mode: number) {
    this.path = path
    try {
      const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT
      this.#descriptor = openSync(path, flags, mode)
    } catch (error) {
      throw fileError('open', path, error)
    }
    const stats = fstatSync(this.#descriptor)
    this.#isRegular = stats.isFile()
    this.startedEmpty = stats.size === 0
  }

  /**
   * Appends `line` and a newline. If it throws, no reader sees the line as a record, except after an
   * UncertainError: the line is written, and the check where it landed has failed.
   */
  append(line: string): void {
    try {
      if (this.#isRegular) this.#appendLine(this.#end === undefined ? this.#linePrefix() : '', line)
      else this.#write(`${line}\n`)
    } catch (error) {
      this.#end = undefined
      throw error instanceof ZeeError ? error : fileError('append to', this.path, error)
    }
  }

  /**
   * Flushes all appended lines to the disk. A failure is final: the kernel may have dropped the lines,
   * and a later flush of the same descriptor would succeed without them.
   */
  sync(): void {
    if (!this.#isRegular) return
    if (this.#flushFailure !== undefined) throw this.#flushFailure
    try {
      fdatasyncSync(this.#descriptor)
    } catch (error) {
      this.#end = undefined
      this.#flushFailure = flushError(this.path, error)
      throw this.#flushFailure
    }
  }

  /** Size of a regular file in bytes; undefined for devices and pipes. */
  size(): number | undefined {
    return this.#isRegular ? fstatSync(this.#descriptor).size : undefined
  }

  /** Removes everything after `size`. Only for a caller whose lock keeps other writers out. */
  cutBackTo(size: number): void {
    ftruncateSync(this.#descriptor, size)
    this.#end = undefined
    this.#lacksOnlyNewline = false
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #appendLine(start: string, line: string): void {
    for (let tries = 1; ; tries++) {
      // After a glued line the tail is clean again, unless another writer has died since.
      const before = tries > maxTries ? '\n' : start
      const length = this.#write(`${before}${line}\n`)
      if (this.#isSeparateLine(length, before !== '')) return
    }
  }

  /** Whether the line just written is not glued to the torn tail of another writer. */
  #isSeparateLine(length: number, hasNewlineBefore: boolean): boolean {
    try {
      if (this.#end !== undefined && this.#isFileEnd((this.#end += length))) return true
      this.#end = writePosition(this.#descriptor)
      return hasNewlineBefore || this.#isLineStart(this.#end - length)
    } catch (error) {
      throw lateFileError('check', this.path, error)
    }
  }

  #write(text: string): number {
    const length = Buffer.byteLength(text)
    const written = writeSync(this.#descriptor, text)
    if (written < length) this.#failShort(written, length)
    this.#lacksOnlyNewline = false
    return length
  }

  /** Terminates a partial write. That second write usually throws the reason (ENOSPC, EFBIG). */
  #failShort(written: number, length: number): never {
    this.#lacksOnlyNewline = written === length - 1
    writeSync(this.#descriptor, this.#lacksOnlyNewline ? invalidEnd : '\n')
    this.#lacksOnlyNewline = false
    const what = `only ${written} of ${length} bytes were written; is the disk full?`
    throw new ZeeError('short_write', `cannot append to ${oneLine(this.path)}: ${what}`)
  }

  /** Whether the file ends at `end`. Reading two bytes costs half as much as a stat. */
  #isFileEnd(end: number): boolean {
    return readSync(this.#descriptor, probe, 0, 2, end - 1) === 1
  }

  #isLineStart(offset: number): boolean {
    return offset === 0 || this.#byteAt(offset - 1) === newline
  }

  #byteAt(offset: number): number | undefined {
    return readSync(this.#descriptor, probe, 0, 1, offset) === 1 ? probe[0] : undefined
  }

  /** Text to write before the first line: empty after a newline, else a newline. */
  #linePrefix(): string {
    if (this.#lacksOnlyNewline) return invalidEnd
    let size = -1
    // A tail without a newline may belong to a live writer: poll until it ends or stops growing.
    for (let polls = 0, stable = 0; polls < maxPolls && stable < stablePolls; polls++) {
      const now = fstatSync(this.#descriptor).size
      if (this.#isLineStart(now)) {
        this.#end = now
        return ''
      }
      stable = now === size ? stable + 1 : 0
      size = now
      sleepSync(1)
    }
    return '\n'
  }
}

/** End of our last write: O_APPEND moves the descriptor's position there. */
function writePosition(descriptor: number): number {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
    const position = /^pos:\s*(\d+)/.exec(info)?.[1]
    if (position !== undefined) return Number(position)
  } catch {
    // No /proc on this system.
  }
  return positionByReading(descriptor)
}

/** Fallback without /proc: file size minus the bytes between the position and the end. */
export function positionByReading(descriptor: number): number {
  const scratch = Buffer.allocUnsafe(64 * 1024)
  let bytesAfter = 0
  for (;;) {
    const size = fstatSync(descriptor).size
    for (let length = -1; length !== 0; bytesAfter += length) {
      length = readSync(descriptor, scratch, 0, scratch.length, null)
    }
    if (fstatSync(descriptor).size === size) return size - bytesAfter
  }
}
