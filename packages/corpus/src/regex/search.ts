// Runs a compiled pattern over the bytes of a file or over a short text.
import { isAscii } from 'node:buffer'
import { ZeeError } from '@zee/core/errors'
import { bufferLines } from './dfa/dfa.ts'
import { fallbackEngine } from './fallback-engine.ts'
import type { RegexProgram } from './regex.ts'
import { codePointLength, countByte, decodeText } from '../text/text.ts'

export interface RegexSearch {
  /** Matching lines, at most `limit`, as alternating line number and column (both from 1). */
  lines(bytes: Buffer, limit: number): number[]
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean
}

export function prepareSearch(program: RegexProgram): RegexSearch {
  if (program.engine === 'fallback') {
    const find = withSizeError(fallbackEngine(program.regex, program.lines))
    return {
      lines: (bytes, limit) => searchEachLine(decodeText(bytes), find, limit),
      test: (text) => find(text) >= 0,
    }
  }
  const required = program.required ?? ''
  const isRare = required.length >= minRequiredChars
  const automaton =
    program.regular === undefined ? undefined : bufferLines(program.regular, isRare ? required : '')
  const compile = withSizeError((source: string, flags: string) => new RegExp(source, flags))
  const ascii = compile(program.ascii, 'g')
  const unicode = compile(program.unicode, 'gu')
  return {
    lines: withSizeError((bytes: Buffer, limit: number) => {
      const tryAutomaton = program.hasBacktrackingRisk || hasLongLines(bytes)
      const found = tryAutomaton ? automaton?.(bytes, limit) : undefined
      if (found !== undefined) return found
      const text = decodeText(bytes)
      const expression = isAscii(bytes) ? ascii : unicode
      return isRare
        ? searchLinesWith(text, required, expression, limit)
        : searchText(text, expression, limit)
    }),
    test: withSizeError((text: string) => {
      unicode.lastIndex = 0
      return nextMatch(unicode, text) !== undefined
    }),
  }
}

/** Minimum file size, and minimum average line length, for the automaton to run before V8. */
const longFileBytes = 64 << 10
const longLineBytes = 250

/** Whether lines are long on average: V8 may need time quadratic in the line length. */
function hasLongLines(bytes: Buffer): boolean {
  if (bytes.length < longFileBytes) return false
  return countByte(bytes, 0x0a) * longLineBytes < bytes.length
}

/** Shorter required texts occur on too many lines to be a useful prefilter. */
const minRequiredChars = 3

/** Maps the engines' various errors for oversized patterns to one message. */
function withSizeError<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return work(...args)
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
      throw new ZeeError('regex', 'regex is too large to run', { cause: error })
    }
  }
}

/** Runs the expression only on lines that contain the required text. */
function searchLinesWith(
  text: string,
  required: string,
  expression: RegExp,
  limit: number,
): number[] {
  const found: number[] = []
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf(required); at !== -1 && found.length < limit * 2;) {
    for (let feed = text.indexOf('\n', lineStart); feed !== -1 && feed < at;) {
      line++
      lineStart = feed + 1
      feed = text.indexOf('\n', lineStart)
    }
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed
    const lineText = text.slice(lineStart, end)
    expression.lastIndex = 0
    const index = nextMatch(expression, lineText)
    if (index !== undefined) found.push(line, columnOf(lineText, 0, index))
    at = text.indexOf(required, Math.max(end, at + 1))
  }
  return found
}

/** The expression cannot match a line feed, so one run over the text finds every matching line. */
function searchText(text: string, expression: RegExp, limit: number): number[] {
  const found: number[] = []
  let line = 1
  let lineStart = 0
  expression.lastIndex = 0
  while (found.length < limit * 2) {
    const at = nextMatch(expression, text)
    if (at === undefined) break
    for (let feed = text.indexOf('\n', lineStart); feed !== -1 && feed < at;) {
      line++
      lineStart = feed + 1
      feed = text.indexOf('\n', lineStart)
    }
    // No line follows a final line feed.
    if (lineStart === text.length) break
    found.push(line, columnOf(text, lineStart, at))
    const feed = text.indexOf('\n', at)
    if (feed === -1) break
    line++
    lineStart = feed + 1
    expression.lastIndex = lineStart
  }
  return found
}

/**
 * Index of the next match. V8 also matches between the halves of a surrogate pair; those matches
 * are skipped.
 */
function nextMatch(expression: RegExp, text: string): number | undefined {
  for (;;) {
    const at = expression.exec(text)?.index
    if (at === undefined || !isInsideCharacter(text, at)) return at
    expression.lastIndex = at + 1
  }
}

function isInsideCharacter(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

function columnOf(text: string, lineStart: number, at: number): number {
  return codePointLength(text.slice(lineStart, at)) + 1
}

function searchEachLine(text: string, find: (line: string) => number, limit: number): number[] {
  const found: number[] = []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [index, line] of lines.entries()) {
    if (found.length >= limit * 2) break
    const at = find(line)
    if (at >= 0) found.push(index + 1, at + 1)
  }
  return found
}
