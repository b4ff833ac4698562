// Java and C#: types and methods; in full detail also fields, properties, events and constants.
import { hasAssignment, walkBlocks } from '../blocks.ts'
import type { BlockLanguage, Context, Piece } from '../blocks.ts'
import { afterClosing, splitAtCommas, withoutAngles } from '../brackets.ts'
import { markTable, wordChars } from '../marks.ts'
import type { SymbolSink } from '../sink.ts'

export function addJava(sink: SymbolSink, text: string, bytes: Buffer): void {
  walkBlocks(bytes, text, new JavaLanguage(sink))
}

const typeWord =
  /(?:^|[^\w.@])(class|interface|@\s*interface|enum|record(?:\s+(?:struct|class))?|struct|namespace)\s+([A-Za-z_$\x80-\xff][\w$.\x80-\xff]*)/

const notMethods = new Set(
  'if for foreach while switch catch synchronized try return new throw else do lock using fixed typeof nameof sizeof when base this super'.split(
    ' ',
  ),
)

class JavaLanguage implements BlockLanguage {
  readonly #sink: SymbolSink

  constructor(sink: SymbolSink) {
    this.#sink = sink
  }

  open(head: Piece): Context {
    const text = withoutAttributes(head.text)
    if (hasAssignment(text)) {
      this.#addFields({ ...head, text })
      return 'code'
    }
    const type = typeWord.exec(text)
    if (type !== null) return this.#addType(head.at, type)
    if (head.context !== 'type') return 'code'
    if (!this.#addMethod(head.at, text)) this.#addProperty(head.at, text)
    return 'code'
  }

  statement(piece: Piece): void {
    const text = withoutAttributes(piece.text)
    const type = typeWord.exec(text)
    // `record Point(int X);`, `namespace A.B;`
    if (type !== null && !hasAssignment(text)) this.#addType(piece.at, type)
    else if (/^\s*(?:\w+\s+)*delegate\b/.test(text)) this.#addMethod(piece.at, text, 'delegate')
    else if (piece.context === 'type') this.#addMember(piece, text)
    else if (this.#sink.wantsAll) this.#addPackage(piece.at, text)
  }

  #addPackage(at: number, text: string): void {
    const found = /^\s*package\s+([\w.]+)\s*$/.exec(text)
    if (found === null) return
    const name = found[1] as string
    this.#sink.add('package', name, at + found[0].indexOf(name, found[0].indexOf('package') + 7))
  }

  enumerators(body: Piece): number {
    const semicolon = outerSemicolon(body.text)
    if (this.#sink.wantsAll) {
      for (const { text, at } of splitAtCommas(body.text.slice(0, semicolon), this.#sink)) {
        const name = /^\s*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/.exec(withoutAttributes(text))
        if (name === null) continue
        const found = name[1] as string
        this.#sink.add('enumerator', found, body.at + at + name[0].length - found.length)
      }
    }
    return semicolon
  }

  #addType(at: number, type: RegExpExecArray): Context {
    const word = (type[1] as string).replace(/^@\s*/, '').replace(/\s.*/s, '')
    const name = type[2] as string
    this.#sink.add(word, name, at + type.index + type[0].length - name.length)
    if (word === 'namespace') return 'top'
    return word === 'enum' ? 'enum' : 'type'
  }

  #addMember(piece: Piece, text: string): void {
    const arrow = text.indexOf('=>')
    const declaration = arrow === -1 ? text : text.slice(0, arrow)
    if (hasAssignment(declaration)) this.#addFields({ ...piece, text })
    else if (!this.#addMethod(piece.at, declaration)) {
      if (arrow === -1) this.#addFields({ ...piece, text })
      else this.#addProperty(piece.at, declaration)
    }
  }

  /** Adds `Type name<T>(...)`: the first name before a parenthesis. */
  #addMethod(at: number, text: string, kind = 'method'): boolean {
    const found = calledName(text)
    if (found === undefined || notMethods.has(found.name)) return false
    this.#sink.add(kind, found.name.replace(/\s+/g, ' '), at + found.at)
    return true
  }

  /** Adds the last name of a head without parentheses. */
  #addProperty(at: number, text: string): void {
    if (!this.#sink.wantsAll) return
    const found = lastName(text, text.length)
    if (found === undefined || notMethods.has(found.name) || !isTyped(text, found.at)) return
    this.#sink.add('property', found.name, at + found.at)
  }

  #addFields(piece: Piece): void {
    if (!this.#sink.wantsAll || piece.context !== 'type') return
    let first = true
    for (const { text, at } of splitAtCommas(withoutAngles(piece.text), this.#sink)) {
      const found = lastName(text, declaratorEnd(text))
      if (found !== undefined && (!first || isTyped(text, found.at))) {
        this.#sink.add('field', found.name, piece.at + at + found.at)
      }
      first = false
    }
  }
}

interface Named {
  name: string
  at: number
}

const called =
  /((?:operator\s*)?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|operator\s*[^\s\w(]+)\s*(?:<(?:[^<>()]|<[^<>()]*>)*>\s*)?\(/

/** The first name before a parenthesis, possibly with type parameters in between. */
function calledName(text: string): Named | undefined {
  const open = text.indexOf('(')
  if (open === -1) return undefined
  const plain = lastName(text, open)
  if (plain !== undefined && !text.includes('operator')) return plain
  const found = called.exec(text)
  return found === null ? undefined : { name: found[1] as string, at: found.index }
}

/** The name that ends before `end`, ignoring white space. */
function lastName(text: string, end: number): Named | undefined {
  let to = end
  while (to > 0 && isSpace(text.charCodeAt(to - 1))) to--
  let at = to
  while (at > 0 && nameCodes[text.charCodeAt(at - 1)] === 1) at--
  while (at < to && isDigit(text.charCodeAt(at))) at++
  return at === to ? undefined : { name: text.slice(at, to), at }
}

/** Whether a type and white space precede the name at `at`. */
function isTyped(text: string, at: number): boolean {
  let end = at
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return end > 0 && end < at && typeEnds[text.charCodeAt(end - 1)] === 1
}

/** Offset of the value or the dimensions after a name. */
function declaratorEnd(text: string): number {
  const value = text.indexOf('=')
  const end = value === -1 ? text.length : value
  if (!text.includes(']')) return end
  return text.slice(0, end).replace(/\[[^\]]*\]\s*$/, '').length
}

const nameCodes = markTable(`${wordChars}$`, 1)
const typeEnds = markTable(`${wordChars}$>]?`, 1)

const isSpace = (code: number): boolean => code === 0x20 || (code >= 9 && code <= 13)
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Blanks annotations and attributes, whose parentheses would look like a method's. */
function withoutAttributes(text: string): string {
  if (!text.includes('@') && !text.includes('[')) return text
  let clean = text
  for (const found of text.matchAll(
    /@(?!\s*interface\b)[\w.]+\s*(\()?|(?:^|[{};\]\n])\s*(\[)(?=\s*[A-Za-z])/g,
  )) {
    const end = found.index + found[0].length
    const bracket = found[1] !== undefined || found[2] !== undefined
    const from = found[2] === undefined ? found.index : end - 1
    const to = bracket ? afterClosing(clean, end - 1) : end
    clean = clean.slice(0, from) + ' '.repeat(to - from) + clean.slice(to)
  }
  return clean
}

/** Offset of the semicolon after the constants; the length if there is none. */
function outerSemicolon(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x28 || char === 0x5b || char === 0x7b) at = afterClosing(text, at) - 1
    else if (char === 0x3b) return at
  }
  return text.length
}
