// The text of the editor with its cursor. A large paste is one character of the text; its content is
// stored beside it and put back when the text is sent.
import { withoutControls } from '@zee/core/colour'

/** A paste of more lines or characters than this is shown as one word. */
const maxShownLines = 10
const maxShownLength = 4096

/** Pastes are characters of a private plane, which no keyboard sends. */
const firstPaste = 0xf0000
const pasteCharacters = /[\u{f0000}-\u{ffffd}]/gu

export class Buffer {
  #text = ''
  #cursor = 0
  #killed = ''
  readonly #pastes: string[] = []

  get text(): string {
    return this.#text
  }

  get cursor(): number {
    return this.#cursor
  }

  isEmpty(): boolean {
    return this.#text === ''
  }

  set(text: string, cursor = text.length): void {
    this.#text = text
    this.#cursor = cursor
  }

  insert(text: string): void {
    this.#replace(this.#cursor, this.#cursor, text.replace(pasteCharacters, ''))
  }

  /** Inserts a paste; a large one as one character. */
  paste(text: string): void {
    const lines = countLines(text)
    if (lines <= maxShownLines && text.length <= maxShownLength) {
      this.insert(withVisibleText(text))
      return
    }
    this.#pastes.push(text)
    const character = String.fromCodePoint(firstPaste + this.#pastes.length - 1)
    this.#replace(this.#cursor, this.#cursor, character)
  }

  /** The text with its pastes, as it is sent. */
  expanded(): string {
    return this.#text.replace(pasteCharacters, (character) => this.#pasteOf(character))
  }

  /**
   * Safe for the terminal, with a word for each paste, for example `[pasted 300 lines]`. A line of the
   * history may hold the control characters of a paste.
   */
  shown(text: string): string {
    return withoutControls(text).replace(pasteCharacters, (character) =>
      pasteLabel(this.#pasteOf(character)),
    )
  }

  #pasteOf(character: string): string {
    return this.#pastes[(character.codePointAt(0) ?? 0) - firstPaste] ?? ''
  }

  /** Replaces the text between two positions and puts the cursor after it. */
  replaceRange(from: number, to: number, text: string): void {
    this.#replace(from, to, text)
  }

  left(): void {
    this.#cursor = previousPosition(this.#text, this.#cursor)
  }

  right(): void {
    this.#cursor = nextPosition(this.#text, this.#cursor)
  }

  wordLeft(): void {
    this.#cursor = wordStart(this.#text, this.#cursor)
  }

  wordRight(): void {
    this.#cursor = wordEnd(this.#text, this.#cursor)
  }

  lineStart(): void {
    this.#cursor = this.#text.lastIndexOf('\n', this.#cursor - 1) + 1
  }

  lineEnd(): void {
    const end = this.#text.indexOf('\n', this.#cursor)
    this.#cursor = end === -1 ? this.#text.length : end
  }

  /** Moves to the line above or below; false at the first or the last line. */
  moveLine(step: -1 | 1): boolean {
    const start = this.#text.lastIndexOf('\n', this.#cursor - 1) + 1
    const column = this.#cursor - start
    if (step === -1) {
      if (start === 0) return false
      const above = this.#text.lastIndexOf('\n', start - 2) + 1
      this.#cursor = Math.min(above + column, start - 1)
      return true
    }
    const end = this.#text.indexOf('\n', this.#cursor)
    if (end === -1) return false
    const below = this.#text.indexOf('\n', end + 1)
    this.#cursor = Math.min(end + 1 + column, below === -1 ? this.#text.length : below)
    return true
  }

  backspace(): void {
    this.#replace(previousPosition(this.#text, this.#cursor), this.#cursor, '')
  }

  delete(): void {
    const end = nextPosition(this.#text, this.#cursor)
    this.#text = this.#text.slice(0, this.#cursor) + this.#text.slice(end)
  }

  killToLineStart(): void {
    const start = this.#text.lastIndexOf('\n', this.#cursor - 1) + 1
    this.#kill(start, this.#cursor)
  }

  killToLineEnd(): void {
    const end = this.#text.indexOf('\n', this.#cursor)
    this.#kill(this.#cursor, end === -1 ? this.#text.length : Math.max(end, this.#cursor + 1))
  }

  killWordLeft(): void {
    this.#kill(wordStart(this.#text, this.#cursor), this.#cursor)
  }

  killWordRight(): void {
    this.#kill(this.#cursor, wordEnd(this.#text, this.#cursor))
  }

  yank(): void {
    this.#replace(this.#cursor, this.#cursor, this.#killed)
  }

  #kill(from: number, to: number): void {
    if (from === to) return
    this.#killed = this.#text.slice(from, to)
    this.#replace(from, to, '')
  }

  #replace(from: number, to: number, text: string): void {
    this.#text = this.#text.slice(0, from) + text + this.#text.slice(to)
    this.#cursor = from + text.length
  }
}

function pasteLabel(text: string): string {
  const lines = countLines(text)
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${text.length} characters]`
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  // A newline at the end ends the last line; it does not start another.
  return text.endsWith('\n') && count > 1 ? count - 1 : count
}

/** The text of a small paste as it is edited and sent. */
function withVisibleText(text: string): string {
  return text.replaceAll('\t', '  ').replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Graphemes are found in a window, because a text may be long. */
const graphemeWindow = 64
let segmenter: Intl.Segmenter | undefined

function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

function previousPosition(text: string, cursor: number): number {
  if (cursor === 0) return 0
  const start = Math.max(0, cursor - graphemeWindow)
  let last = start
  for (const { index } of graphemes(text.slice(start, cursor))) last = start + index
  return last
}

function nextPosition(text: string, cursor: number): number {
  if (cursor >= text.length) return text.length
  const [first] = graphemes(text.slice(cursor, cursor + graphemeWindow))
  return cursor + (first?.segment.length ?? 1)
}

function wordStart(text: string, cursor: number): number {
  return /(\S+\s*|\s+)$/u.exec(text.slice(0, cursor))?.index ?? 0
}

function wordEnd(text: string, cursor: number): number {
  const found = /^\s*\S+/u.exec(text.slice(cursor))
  return found === null ? text.length : cursor + found[0].length
}
