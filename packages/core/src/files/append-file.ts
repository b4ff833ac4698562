// Appends whole lines to a file that other processes append to as well, without a lock.
//
// A line is one write(2) on an O_APPEND descriptor, so lines of live writers never mix (on a local
// disk; writers on several machines need `lockedAppend`). A writer that is killed or meets a full disk
// in mid-write leaves a torn tail, to which the next line is glued. So each append looks where its
// line landed: behind our own last line, or behind any newline, is fine. Glued means that it cannot
// be parsed, and it is written again. Whatever the race, the worst result is an empty line.
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { sleepSync } from '../clock/clock.ts'
import { fileError, oneLine, ZeeError } from '../errors/errors.ts'

const newline = 0x0a
const stablePolls = 3
const maxPolls = 50
const maxTries = 5
const probe = Buffer.alloc(2)
/** Ends a line in a way that no reader takes for a record. */
const invalidEnd = '~\n'

export class AppendFile {
  readonly path: string
  readonly #descriptor: number
  /** Devices and pipes have no tail to look at. */
  readonly #isRegular: boolean
  /** Whether nothing was in the file when it was opened. */
  readonly startedEmpty: boolean
  /** Where our next line lands unless others append meanwhile; undefined while that is not known. */
  #end: number | undefined
  /** A failed line lacks only its newline and would count after all once somebody adds one. */
  #lacksOnlyNewline = false

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

  /** Appends `line` and its newline; when this throws, the line counts as not written. */
  append(line: string): void {
    try {
      if (this.#isRegular) this.#appendLine(this.#end === undefined ? this.#linePrefix() : '', line)
      else this.#write(`${line}\n`)
    } catch (error) {
      this.#end = undefined
      throw error instanceof ZeeError ? error : fileError('append to', this.path, error)
    }
  }

  /** Returns when everything appended so far is on the disk. */
  sync(): void {
    if (!this.#isRegular) return
    try {
      fdatasyncSync(this.#descriptor)
    } catch (error) {
      this.#end = undefined
      throw fileError('flush', this.path, error)
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #appendLine(start: string, line: string): void {
    for (let tries = 1; ; tries++) {
      // After a glued line the tail is clean again, unless yet another writer has died meanwhile.
      const before = tries > maxTries ? '\n' : start
      const length = this.#write(`${before}${line}\n`)
      if (this.#end !== undefined && this.#isFileEnd((this.#end += length))) return
      this.#end = writePosition(this.#descriptor)
      if (before !== '' || this.#isLineStart(this.#end - length)) return
    }
  }

  #write(text: string): number {
    const length = Buffer.byteLength(text)
    const written = writeSync(this.#descriptor, text)
    if (written < length) this.#failShort(written, length)
    this.#lacksOnlyNewline = false
    return length
  }

  /** The system took only a part. Ending that part by force makes it say why. */
  #failShort(written: number, length: number): never {
    this.#lacksOnlyNewline = written === length - 1
    writeSync(this.#descriptor, this.#lacksOnlyNewline ? invalidEnd : '\n')
    this.#lacksOnlyNewline = false
    const what = `only ${written} of ${length} bytes were taken; is the disk full?`
    throw new ZeeError('short_write', `cannot append to ${oneLine(this.path)}: ${what}`)
  }

  /** One read instead of a stat, at half the cost: a single byte there means that the file ends. */
  #isFileEnd(end: number): boolean {
    return readSync(this.#descriptor, probe, 0, 2, end - 1) === 1
  }

  #isLineStart(offset: number): boolean {
    return offset === 0 || this.#byteAt(offset - 1) === newline
  }

  #byteAt(offset: number): number | undefined {
    return readSync(this.#descriptor, probe, 0, 1, offset) === 1 ? probe[0] : undefined
  }

  /** What to put before the first line: nothing behind a newline, else a newline. */
  #linePrefix(): string {
    if (this.#lacksOnlyNewline) return invalidEnd
    let size = -1
    // A tail without a newline may be a live writer in mid-write: then it grows and ends well.
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

/** The end of our last write: O_APPEND moves the descriptor's own position there. */
function writePosition(descriptor: number): number {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
    const position = /^pos:\s*(\d+)/.exec(info)?.[1]
    if (position !== undefined) return Number(position)
  } catch {
    // No /proc here.
  }
  return positionByReading(descriptor)
}

/** Reads from the position to the end of the file: its size less what was read is the position. */
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
