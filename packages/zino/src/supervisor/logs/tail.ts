// One log file as lines: those that are there, then those that come.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { errnoOf, fileError } from '@zee/core/errors'
import { olderLogFile } from '../log-files.ts'

/** Reads one log file from its beginning on, across the moment when a new one takes its place. */
export class Tail {
  readonly #file: string
  #inode = 0
  #offset = 0
  #rest = ''

  constructor(file: string) {
    this.#file = file
  }

  exists(): boolean {
    return existsSync(this.#file)
  }

  past(): string[] {
    const older = wholeLines(read(olderLogFile(this.#file), 0)).lines
    return [...older, ...this.fresh()]
  }

  fresh(): string[] {
    const lines: string[] = []
    const { ino, size } = statSync(this.#file, { throwIfNoEntry: false }) ?? {}
    if (ino === undefined) return lines
    if (ino !== this.#inode && this.#inode !== 0) {
      lines.push(...this.#take(olderLogFile(this.#file)))
      this.#offset = 0
      this.#rest = ''
    }
    this.#inode = ino
    if (size !== this.#offset) lines.push(...this.#take(this.#file))
    return lines
  }

  #take(file: string): string[] {
    const bytes = read(file, this.#offset)
    this.#offset += bytes.length
    const { lines, rest } = wholeLines(Buffer.concat([Buffer.from(this.#rest), bytes]))
    this.#rest = rest
    return lines
  }
}

function wholeLines(bytes: Buffer): { lines: string[]; rest: string } {
  const lines = bytes.toString().split(/(?<=\n)/)
  const rest = lines.at(-1)?.endsWith('\n') === false ? (lines.pop() ?? '') : ''
  return { lines, rest }
}

function read(file: string, offset: number): Buffer {
  try {
    return readFileSync(file).subarray(offset)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw fileError('read', file, error)
  }
}
