// Reads one log file as lines: the existing ones, then new ones as they are written.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { errnoOf, fileError } from '@zee/core/errors'
import { olderLogFile } from '../log-files.ts'

/** Follows one log file across its rotation. */
export class Tail {
  readonly #file: string
  #inode = 0
  #offset = 0
  #partialLine = ''

  constructor(file: string) {
    this.#file = file
  }

  exists(): boolean {
    return existsSync(this.#file)
  }

  existingLines(): string[] {
    const older = splitLines(read(olderLogFile(this.#file), 0)).lines
    return [...older, ...this.newLines()]
  }

  newLines(): string[] {
    const lines: string[] = []
    const { ino, size } = statSync(this.#file, { throwIfNoEntry: false }) ?? {}
    if (ino === undefined) return lines
    if (ino !== this.#inode && this.#inode !== 0) {
      lines.push(...this.#readFrom(olderLogFile(this.#file)))
      this.#offset = 0
      this.#partialLine = ''
    }
    this.#inode = ino
    if (size !== this.#offset) lines.push(...this.#readFrom(this.#file))
    return lines
  }

  #readFrom(file: string): string[] {
    const bytes = read(file, this.#offset)
    this.#offset += bytes.length
    const { lines, rest } = splitLines(Buffer.concat([Buffer.from(this.#partialLine), bytes]))
    this.#partialLine = rest
    return lines
  }
}

function splitLines(bytes: Buffer): { lines: string[]; rest: string } {
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
