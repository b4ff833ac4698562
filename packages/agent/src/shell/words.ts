// Reads one word of a shell command: quotes, escapes and expansions. Commands inside expansions are
// handed to the caller. Fails where shells disagree, for example about $'...'.
import type { Cursor } from './cursor.ts'
import { Cursor as NewCursor, UnparsableShell } from './cursor.ts'

export interface ShellWord {
  /** As written. */
  raw: string
  /** Without quotes and escapes; expansions stay as written. */
  value: string
  /** False if an expansion decides the value. */
  isKnown: boolean
  /** An unquoted glob or brace, which the shell may replace by other words. */
  hasGlob: boolean
}

/** Parses a list of commands up to `end` and collects its parts. */
export type ParseList = (cursor: Cursor, end: ')' | undefined) => void

const metaCharacters = new Set(['', ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>'])

/** Reads a word at the cursor; undefined if none starts there. */
export function readWord(cursor: Cursor, parseList: ParseList): ShellWord | undefined {
  const start = cursor.pos
  const word = emptyWord()
  while (!metaCharacters.has(cursor.peek()) || isProcessSubstitution(cursor)) {
    readPiece(cursor, word, parseList)
  }
  if (cursor.pos === start) return undefined
  word.raw = cursor.text.slice(start, cursor.pos).replaceAll('\\\n', '')
  return word
}

function emptyWord(): ShellWord {
  return { raw: '', value: '', isKnown: true, hasGlob: false }
}

function isProcessSubstitution(cursor: Cursor): boolean {
  return cursor.startsWith('<(') || cursor.startsWith('>(')
}

function readPiece(cursor: Cursor, word: ShellWord, parseList: ParseList): void {
  const character = cursor.next()
  switch (character) {
    case '\\': {
      const escaped = cursor.next()
      if (escaped !== '\n') word.value += escaped
      break
    }
    case "'": {
      const end = cursor.text.indexOf("'", cursor.pos)
      if (end === -1) throw new UnparsableShell()
      word.value += cursor.text.slice(cursor.pos, end)
      cursor.pos = end + 1
      break
    }
    case '"':
      readDoubleQuoted(cursor, word, parseList)
      break
    case '$':
      readDollar(cursor, word, parseList)
      break
    case '`':
      readBackticks(cursor, word, parseList)
      break
    case '<':
    case '>':
      cursor.next()
      parseList(cursor, ')')
      word.isKnown = false
      break
    default:
      if (/[*?[{]/.test(character)) word.hasGlob = true
      word.value += character
  }
}

function readDoubleQuoted(cursor: Cursor, word: ShellWord, parseList: ParseList): void {
  for (let character = cursor.next(); character !== '"'; character = cursor.next()) {
    readQuotedCharacter(cursor, character, word, parseList)
  }
}

/** A character inside double quotes or a here-document. */
function readQuotedCharacter(
  cursor: Cursor,
  character: string,
  word: ShellWord,
  parseList: ParseList,
): void {
  if (character === '\\') {
    const escaped = cursor.next()
    if (escaped !== '\n') word.value += '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`
  } else if (character === '$') readDollar(cursor, word, parseList, true)
  else if (character === '`') readBackticks(cursor, word, parseList)
  else word.value += character
}

/** The expansions in the body of a here-document whose delimiter is not quoted. */
export function readHeredocBody(body: string, parseList: ParseList): void {
  const cursor = new NewCursor(body)
  const word = emptyWord()
  while (!cursor.isAtEnd()) {
    // A backslash at the very end escapes nothing.
    if (cursor.peek() === '\\' && cursor.pos === body.length - 1) return
    readQuotedCharacter(cursor, cursor.next(), word, parseList)
  }
}

function readDollar(cursor: Cursor, word: ShellWord, parseList: ParseList, isQuoted = false): void {
  const start = cursor.pos - 1
  // The value is the text as written; what nested expansions add to it does not count.
  const nested = { ...word }
  if (cursor.take('((')) readArithmetic(cursor, nested, parseList)
  else if (cursor.take('(')) parseList(cursor, ')')
  else if (cursor.take('{')) readParameter(cursor, nested, parseList)
  else if (cursor.take('[')) throw new UnparsableShell()
  else if (!isQuoted && cursor.peek() === "'") throw new UnparsableShell()
  else if (!isQuoted && cursor.peek() === '"') return
  else {
    const [name] =
      /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(cursor.text.slice(cursor.pos, cursor.pos + 256)) ?? []
    if (name === undefined) {
      word.value += '$'
      return
    }
    cursor.pos += name.length
  }
  word.isKnown = false
  word.value += cursor.text.slice(start, cursor.pos)
}

/** `$((...))`; fails on characters that would make it a subshell instead. */
function readArithmetic(cursor: Cursor, word: ShellWord, parseList: ParseList): void {
  let depth = 0
  for (;;) {
    const character = cursor.next()
    if (character === '(') depth += 1
    else if (character === ')') {
      if (depth === 0) {
        if (!cursor.take(')')) throw new UnparsableShell()
        return
      }
      depth -= 1
    } else if (character === '$') readDollar(cursor, word, parseList)
    else if (character === '`') readBackticks(cursor, word, parseList)
    else if (!/[\w\s+\-*/%<>=!&|^~?:,.#[\]]/.test(character)) throw new UnparsableShell()
  }
}

/** `${...}`. Shells disagree about single quotes in it; `${x@P}` runs the commands of a value. */
function readParameter(cursor: Cursor, word: ShellWord, parseList: ParseList): void {
  const start = cursor.pos
  for (;;) {
    const character = cursor.next()
    if (character === '}') break
    if (character === "'") throw new UnparsableShell()
    if (character === '\\') cursor.next()
    else if (character === '"') readDoubleQuoted(cursor, word, parseList)
    else if (character === '$') readDollar(cursor, word, parseList)
    else if (character === '`') readBackticks(cursor, word, parseList)
  }
  if (/@[A-Za-z]\}$/.test(cursor.text.slice(start, cursor.pos))) throw new UnparsableShell()
}

/** Inside backticks a backslash escapes only `$`, a backtick and itself. */
function readBackticks(cursor: Cursor, word: ShellWord, parseList: ParseList): void {
  const start = cursor.pos - 1
  let command = ''
  for (let character = cursor.next(); character !== '`'; character = cursor.next()) {
    if (character !== '\\') command += character
    else {
      const escaped = cursor.next()
      command += '$`\\'.includes(escaped) ? escaped : `\\${escaped}`
    }
  }
  parseList(new NewCursor(command), undefined)
  word.isKnown = false
  word.value += cursor.text.slice(start, cursor.pos)
}
