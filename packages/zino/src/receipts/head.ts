// The head record: number and hash of the last receipt, in a file beside the log. A log that lost lines at
// its end does not contain the head. It is written after the receipt is on the disk, so that a crash leaves
// a head that is older than the log, never newer.
import { readFileSync } from 'node:fs'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf, fileError } from '@zee/core/errors'
import { parseObject } from '@zee/core/json'

export interface Head {
  /** From 1; 0 for an empty log. */
  line: number
  sha256: string
}

export function headFile(file: string): string {
  return file.replace(/(?:\.jsonl)?$/, '.head')
}

/** Undefined when there is none, or a power failure has emptied it. */
export function readHead(file: string): Head | undefined {
  let text: string
  try {
    text = readFileSync(headFile(file), 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('read', headFile(file), error)
  }
  const { line, sha256 } = parseObject(text) ?? {}
  return typeof line === 'number' && typeof sha256 === 'string' ? { line, sha256 } : undefined
}

const writers = new Map<string, HeadWriter>()

/** Resolves when this head, or a later one of this process, is written. */
export function raiseHead(file: string, head: Head): Promise<void> {
  const writer = writers.get(file) ?? new HeadWriter(file)
  writers.set(file, writer)
  return writer.raise(head)
}

/** Writes one head at a time, and only the last of those that came meanwhile. */
class HeadWriter {
  readonly #file: string
  #written = -1
  #last: Head | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string) {
    this.#file = headFile(file)
  }

  raise(head: Head): Promise<void> {
    if (this.#last === undefined || head.line > this.#last.line) this.#last = head
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const head = this.#last
    if (head === undefined || head.line <= this.#written) return
    // Only the first one must survive a power failure: later ones replace a valid head.
    await writeJsonAtomic(this.#file, head, { mode: 0o600, durable: this.#written === -1 })
    this.#written = head.line
  }
}
