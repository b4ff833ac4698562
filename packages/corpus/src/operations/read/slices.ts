// Slices of an open file: some of its lines, as much of them as a budget allows, with their hash.
import { closeSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import type { ContainedFile } from '@zee/core/contained-path'
import type { Engine } from '../../engine.ts'
import { openFile, systemError } from '../../root/root.ts'
import type { Steps } from '../../steps.ts'
import { codePointLength, codePointOffset } from '../../text/text.ts'
import { indexText } from '../../content/content.ts'
import type { TextFile } from '../../content/content.ts'

/** Opens and counts a file, hands it to `use`, and closes it whatever happens. */
export function* withText<Result>(
  engine: Engine,
  asked: string,
  use: (text: TextFile, file: ContainedFile) => Result,
): Steps<Result> {
  const file = openFile(engine.root, asked)
  try {
    const text = yield* indexText(file.fd, file.stats.size)
    return use(text, file)
  } catch (error) {
    throw readError(engine, asked, error)
  } finally {
    closeSync(file.fd)
  }
}

/** What goes wrong while a file is read, as an error for the client. */
export function readError(engine: Engine, asked: string, error: unknown): unknown {
  if (error instanceof ZeeError || !(error instanceof Error)) return error
  if ('code' in error && error.code === 'ERR_STRING_TOO_LONG') {
    return new ZeeError('too_large', 'the slice is too large for one answer, ask for less of it')
  }
  return 'syscall' in error ? systemError(engine.root, asked, error) : error
}

/** A place in a run of lines: the line and how many of its characters are done. */
export interface LinePlace {
  line: number
  skip: number
}

export interface Slice {
  text: string
  /** The last line of which something was taken. */
  end: number
  /** Where to go on; undefined when all was taken. */
  next: LinePlace | undefined
}

/** Lines that are read at once while a budget is being filled. */
const windowLines = 256

/** Lines `from` to `last` joined, at most `budget` characters of them. */
export function takeLines(
  file: TextFile,
  from: LinePlace,
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
  let place = from
  while (place.line <= last) {
    const until = Math.min(last, place.line + windowLines - 1)
    const window = file.readLines(place.line, until) + (until < last ? '\n' : '')
    const due = window.slice(codePointOffset(window, place.skip))
    const taken = due.slice(0, codePointOffset(due, left))
    text += taken
    if (taken.length < due.length) {
      const next = placeAfter(place, taken)
      return {
        text,
        end: next.skip > 0 || next.line === from.line ? next.line : next.line - 1,
        next,
      }
    }
    left -= codePointLength(taken)
    place = { line: until + 1, skip: 0 }
  }
  return { text, end: last, next: undefined }
}

function placeAfter(place: LinePlace, taken: string): LinePlace {
  const lastFeed = taken.lastIndexOf('\n')
  if (lastFeed === -1) return { line: place.line, skip: place.skip + codePointLength(taken) }
  const feeds = taken.split('\n').length - 1
  return { line: place.line + feeds, skip: codePointLength(taken.slice(lastFeed + 1)) }
}

/** A place out of a cursor, or the one given. */
export function placeOf(at: unknown, fallback: LinePlace): LinePlace {
  if (!Array.isArray(at)) return fallback
  const [line, skip] = at as unknown[]
  return Number.isSafeInteger(line) && Number.isSafeInteger(skip)
    ? { line: line as number, skip: skip as number }
    : fallback
}
