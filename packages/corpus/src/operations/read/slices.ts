// Slices of an open file: a range of its lines, up to a character budget.
import { closeSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import type { Engine, RequestTime } from '../../engine.ts'
import { openFile, systemError } from '../../root/root.ts'
import type { Steps } from '../../steps.ts'
import { codePointLength, codePointOffset } from '../../text/text.ts'
import { indexText, readFully, textOf } from '../../content/content.ts'
import { charsThatFit } from '../paging.ts'
import type { Paging } from '../paging.ts'
import type { TextFile } from '../../content/content.ts'

/** Opens and counts a file, calls `use` with it, and always closes it. */
export function* withText<Result>(
  engine: Engine,
  requestedPath: string,
  time: RequestTime,
  use: (text: TextFile, file: { path: string }) => Result,
): Steps<Result> {
  if (engine.revision !== undefined) {
    const { path, bytes } = engine.revision.read(requestedPath)
    return use(textOf(bytes), { path })
  }
  const file = openFile(engine.root, requestedPath)
  try {
    const text = yield* indexText(file.fd, file.stats.size, time.startFile())
    return use(text, file)
  } catch (error) {
    throw readError(engine, requestedPath, error)
  } finally {
    closeSync(file.fd)
  }
}

/** The bytes of a file, on the disk or in a revision. */
export interface OpenBytes {
  path: string
  size: number
  /** Reads until the buffer is full or the file ends. */
  read(buffer: Buffer, offset: number): number
  close(): void
}

export function openBytes(engine: Engine, requestedPath: string): OpenBytes {
  if (engine.revision !== undefined) {
    const { path, bytes } = engine.revision.read(requestedPath)
    const read = (buffer: Buffer, offset: number): number =>
      bytes.copy(buffer, 0, Math.min(offset, bytes.length))
    return { path, size: bytes.length, read, close: () => {} }
  }
  const { path, stats, fd } = openFile(engine.root, requestedPath)
  const read = (buffer: Buffer, offset: number): number => readFully(fd, buffer, offset)
  return { path, size: stats.size, read, close: () => closeSync(fd) }
}

/** Maps a failed read to an error for the client. */
export function readError(engine: Engine, requestedPath: string, error: unknown): unknown {
  if (error instanceof ZeeError || !(error instanceof Error)) return error
  if ('code' in error && error.code === 'ERR_STRING_TOO_LONG') {
    return new ZeeError('too_large', 'the slice is too large for one answer, ask for less of it')
  }
  return 'syscall' in error ? systemError(engine.root, requestedPath, error) : error
}

/** A position: the line, and how many of its characters to skip. */
export interface LinePosition {
  line: number
  skip: number
}

export interface Slice {
  text: string
  /** The last line of which the text has a part. */
  end: number
  /** Where to continue; undefined at the end. */
  next: LinePosition | undefined
}

/** Lines per read within a budget. */
const windowLines = 256

/** Joins the lines `from` to `last`, up to a page. */
export function sliceLines(
  file: TextFile,
  from: LinePosition,
  last: number,
  { maxChars, maxAnswer }: Pick<Paging, 'maxChars' | 'maxAnswer'>,
): Slice {
  if (maxAnswer === undefined) return sliceChars(file, from, last, maxChars)
  // A character has at least one byte.
  const budget = Math.min(maxChars ?? Infinity, maxAnswer)
  const slice = sliceChars(file, from, last, budget)
  const chars = charsThatFit(slice.text, maxAnswer)
  const isWhole = chars >= codePointLength(slice.text)
  return isWhole ? slice : sliceChars(file, from, last, Math.max(1, chars))
}

/** Joins the lines `from` to `last`, up to `budget` characters. */
function sliceChars(
  file: TextFile,
  from: LinePosition,
  last: number,
  budget: number | undefined,
): Slice {
  if (from.line > last) return { text: '', end: last, next: undefined }
  if (budget === undefined) {
    const text = file.readLines(from.line, last)
    return { text: text.slice(codePointOffset(text, from.skip)), end: last, next: undefined }
  }
  let text = ''
  let left = budget
  let position = from
  while (position.line <= last) {
    const until = Math.min(last, position.line + windowLines - 1)
    const window = file.readLines(position.line, until) + (until < last ? '\n' : '')
    const remaining = window.slice(codePointOffset(window, position.skip))
    const part = remaining.slice(0, codePointOffset(remaining, left))
    text += part
    if (part.length < remaining.length) {
      const next = positionAfter(position, part)
      return {
        text,
        end: next.skip > 0 || next.line === from.line ? next.line : next.line - 1,
        next,
      }
    }
    left -= codePointLength(part)
    position = { line: until + 1, skip: 0 }
  }
  return { text, end: last, next: undefined }
}

function positionAfter(position: LinePosition, part: string): LinePosition {
  const lastFeed = part.lastIndexOf('\n')
  if (lastFeed === -1) return { line: position.line, skip: position.skip + codePointLength(part) }
  const feeds = part.split('\n').length - 1
  return { line: position.line + feeds, skip: codePointLength(part.slice(lastFeed + 1)) }
}

/** The line position in a cursor, or the fallback. */
export function positionFrom(position: unknown, fallback: LinePosition): LinePosition {
  if (!Array.isArray(position)) return fallback
  const [line, skip] = position as unknown[]
  return Number.isSafeInteger(line) && Number.isSafeInteger(skip)
    ? { line: line as number, skip: skip as number }
    : fallback
}
