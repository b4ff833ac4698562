// Runs a ready pattern over the bytes of a file or over a short text.
import { isAscii } from 'node:buffer'
import { ZeeError } from '@zee/core/errors'
import { bufferLines } from './dfa/dfa.ts'
import { ownEngine } from './own-engine.ts'
import type { RegexProgram } from './regex.ts'
import { codePointLength, countByte, decodeText } from '../text/text.ts'

export interface RegexSearch {
  /** Lines that match, at most `limit`, as number and column (both from 1) in turn. */
  lines(bytes: Buffer, limit: number): number[]
  /** Whether the text as a whole has a match. */
  test(text: string): boolean
}

export function prepareSearch(program: RegexProgram): RegexSearch {
  if (program.engine === 'own') {
    const find = guarded(ownEngine(program.regex, program.lines))
    return {
      lines: (bytes, limit) => eachLine(decodeText(bytes), find, limit),
      test: (text) => find(text) >= 0,
    }
  }
  const required = program.required ?? ''
  const isRare = required.length >= worthLookingFor
  const automaton =
    program.regular === undefined ? undefined : bufferLines(program.regular, isRare ? required : '')
  const make = guarded((source: string, flags: string) => new RegExp(source, flags))
  const ascii = make(program.ascii, 'g')
  const unicode = make(program.unicode, 'gu')
  return {
    lines: guarded((bytes: Buffer, limit: number) => {
      const isFirst = program.explosive || hasLongLines(bytes)
      const found = isFirst ? automaton?.(bytes, limit) : undefined
      if (found !== undefined) return found
      const text = decodeText(bytes)
      const expression = isAscii(bytes) ? ascii : unicode
      return isRare
        ? linesWith(text, required, expression, limit)
        : wholeText(text, expression, limit)
    }),
    test: guarded((text: string) => {
      unicode.lastIndex = 0
      return nextMatch(unicode, text) !== undefined
    }),
  }
}

/** What a file must have, and bytes to the line in it, for V8 to be left out. */
const longFileBytes = 64 << 10
const longLineBytes = 250

/** Files of few lines: V8 may take the square of a line's length. */
function hasLongLines(bytes: Buffer): boolean {
  if (bytes.length < longFileBytes) return false
  return countByte(bytes, 0x0a) * longLineBytes < bytes.length
}

/** Shorter texts are on too many lines to be looked for first. */
const worthLookingFor = 3

/** Engines report patterns that outgrow them in their own ways; a user gets one sentence. */
function guarded<A extends unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    try {
      return work(...given)
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
      throw new ZeeError('regex', 'regex is too large to run', { cause: error })
    }
  }
}

/** Only lines that hold the text which every match contains are given to the expression. */
function linesWith(text: string, required: string, expression: RegExp, limit: number): number[] {
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
    const own = text.slice(lineStart, end)
    expression.lastIndex = 0
    const place = nextMatch(expression, own)
    if (place !== undefined) found.push(line, columnOf(own, 0, place))
    at = text.indexOf(required, Math.max(end, at + 1))
  }
  return found
}

/** The expression cannot cross a line feed, so one run over all text finds every matching line. */
function wholeText(text: string, expression: RegExp, limit: number): number[] {
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
    // Behind a final line feed there is no further line.
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

/** Where the next match begins. V8 also looks between the halves of a character, where none can. */
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

function eachLine(text: string, find: (line: string) => number, limit: number): number[] {
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
