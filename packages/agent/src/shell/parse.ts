// Splits a shell command into its parts: every simple command, also inside lists, pipes, subshells and
// expansions, and every file that a redirection reads or writes. It accepts less than a shell: what it
// does not know for certain is not parsed, and the caller must not guess.
import { Cursor, UnparsableShell } from './cursor.ts'
import type { ShellWord } from './words.ts'
import { readHeredocBody, readWord } from './words.ts'

export type { ShellWord } from './words.ts'

export type ShellPart = SimpleCommand | Redirection

export interface SimpleCommand {
  kind: 'command'
  /** Includes variable assignments before the command. */
  words: readonly ShellWord[]
}

export interface Redirection {
  kind: 'write' | 'read'
  /** Undefined if an expansion decides the path. */
  path: string | undefined
}

/** Deeper nesting is not parsed. */
const maxDepth = 50

/** The parts in the order of their text; undefined if the command cannot be parsed. */
export function parseShell(text: string): ShellPart[] | undefined {
  if (text.includes('\0')) return undefined
  const parts: ShellPart[] = []
  let depth = 0
  const parseList = (cursor: Cursor, end: ')' | undefined): void => {
    depth += 1
    if (depth > maxDepth) throw new UnparsableShell()
    new ListParser(cursor, parts, parseList).parse(end)
    depth -= 1
  }
  try {
    parseList(new Cursor(text), undefined)
    return parts
  } catch (error) {
    if (error instanceof UnparsableShell) return undefined
    throw error
  }
}

/** Words at the start of a command that are followed by another command. */
const openingWords = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  '{',
  '!',
  'time',
])
const closingWords = new Set(['fi', 'done', '}'])
const unsupportedWords = new Set(['case', 'esac', 'function', 'coproc', 'select', 'in'])

interface Heredoc {
  delimiter: string
  isQuoted: boolean
  stripsTabs: boolean
}

class ListParser {
  readonly #cursor: Cursor
  readonly #parts: ShellPart[]
  readonly #parseList: (cursor: Cursor, end: ')' | undefined) => void
  #words: ShellWord[] = []
  #heredocs: Heredoc[] = []
  /** After a subshell or a closing word, only redirections and separators may follow. */
  #isClosed = false

  constructor(
    cursor: Cursor,
    parts: ShellPart[],
    parseList: (cursor: Cursor, end: ')' | undefined) => void,
  ) {
    this.#cursor = cursor
    this.#parts = parts
    this.#parseList = parseList
  }

  parse(end: ')' | undefined): void {
    const cursor = this.#cursor
    for (;;) {
      this.#skipBlanks()
      if (cursor.isAtEnd()) {
        if (end !== undefined) throw new UnparsableShell()
        this.#endCommand()
        return
      }
      if (end !== undefined && cursor.take(end)) {
        this.#endCommand()
        if (this.#heredocs.length > 0) throw new UnparsableShell()
        return
      }
      if (!this.#separator() && !this.#redirection()) this.#wordOrGroup()
    }
  }

  #skipBlanks(): void {
    const cursor = this.#cursor
    while (cursor.take(' ') || cursor.take('\t') || cursor.take('\\\n'));
    if (cursor.peek() !== '#') return
    while (!cursor.isAtEnd() && cursor.peek() !== '\n') cursor.pos += 1
  }

  /** Skips `;`, `&`, `|`, `&&`, `||`, `|&` or a newline, and ends the command before it. */
  #separator(): boolean {
    const cursor = this.#cursor
    if (cursor.startsWith(';;') || cursor.startsWith(';&')) throw new UnparsableShell()
    if (cursor.startsWith('&>')) return false
    const found = ['&&', '||', '|&', ';', '&', '|', '\n'].find((each) => cursor.take(each))
    if (found === undefined) return false
    this.#endCommand()
    if (found === '\n') this.#skipHeredocs()
    return true
  }

  #endCommand(): void {
    if (this.#words.length > 0) this.#parts.push({ kind: 'command', words: this.#words })
    this.#words = []
    this.#isClosed = false
  }

  /** Reads `>file`, `<file`, `2>&1`, `<<END` and the like. */
  #redirection(): boolean {
    const cursor = this.#cursor
    const rest = cursor.text.slice(cursor.pos, cursor.pos + 16)
    const match = /^(\d*)(<<<|<<-|<<|<>|<&|>&|>\||>>|&>>|&>|<(?!\()|>(?!\())/.exec(rest)
    if (match === null) return false
    const [whole, , operator = ''] = match
    cursor.pos += whole.length
    while (cursor.take(' ') || cursor.take('\t') || cursor.take('\\\n'));
    const target = readWord(cursor, this.#parseList)
    if (target === undefined) throw new UnparsableShell()
    if (operator === '<<' || operator === '<<-') {
      if (!target.isKnown) throw new UnparsableShell()
      const isQuoted = target.raw !== target.value
      this.#heredocs.push({ delimiter: target.value, isQuoted, stripsTabs: operator === '<<-' })
    } else if (operator !== '<<<') this.#addRedirection(operator, target)
    return true
  }

  #addRedirection(operator: string, target: ShellWord): void {
    const isDuplicate = operator.endsWith('&') && /^(\d+-?|-)$/.test(target.value)
    if (isDuplicate) return
    const kind = operator === '<' || operator === '<&' ? 'read' : 'write'
    const isPlain = target.isKnown && !target.hasGlob && !target.raw.startsWith('~')
    this.#parts.push({ kind, path: isPlain ? target.value : undefined })
  }

  #wordOrGroup(): void {
    const cursor = this.#cursor
    if (cursor.peek() === '(') {
      if (this.#words.length > 0 || this.#isClosed) throw new UnparsableShell()
      cursor.pos += 1
      this.#parseList(cursor, ')')
      this.#isClosed = true
      return
    }
    const word = readWord(cursor, this.#parseList)
    if (word === undefined || this.#isClosed) throw new UnparsableShell()
    if (this.#words.length > 0) this.#words.push(word)
    else this.#firstWord(word)
  }

  #firstWord(word: ShellWord): void {
    if (unsupportedWords.has(word.raw)) throw new UnparsableShell()
    if (word.raw === 'for') this.#skipForHead()
    else if (closingWords.has(word.raw)) this.#isClosed = true
    else if (!openingWords.has(word.raw)) this.#words.push(word)
  }

  /** `for NAME in words`: the words run nothing, their expansions are parsed. */
  #skipForHead(): void {
    for (;;) {
      this.#skipBlanks()
      if (/[;\n]/.test(this.#cursor.peek())) return
      if (readWord(this.#cursor, this.#parseList) === undefined) throw new UnparsableShell()
    }
  }

  #skipHeredocs(): void {
    const cursor = this.#cursor
    for (const { delimiter, isQuoted, stripsTabs } of this.#heredocs.splice(0)) {
      const lines: string[] = []
      for (;;) {
        if (cursor.isAtEnd()) break
        const end = cursor.text.indexOf('\n', cursor.pos)
        const line = cursor.text.slice(cursor.pos, end === -1 ? undefined : end)
        cursor.pos = end === -1 ? cursor.text.length : end + 1
        if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) break
        lines.push(line)
      }
      if (!isQuoted) readHeredocBody(lines.join('\n'), this.#parseList)
    }
  }
}
